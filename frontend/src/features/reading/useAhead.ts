import { useEffect } from 'react';
import { aheadMost, type useFrames } from '../../backend/ahead';
import { firstPicture } from './state';

/** useAhead has the first picture of the next case fetched once this case's own is on the screen: never more than one ahead. */
export const useAhead = ({ open, ahead }: ReturnType<typeof useFrames>, next: string, ready: boolean) => {
  useEffect(() => {
    if (!ready || next === '') return;
    let here = true;
    open(next).then(
      (view) => {
        const first = firstPicture(view);
        const frame = view.stacks[0]?.frames[first.frame];
        if (!here || !frame || frame.problem) return;
        const bytes = (frame.rows * frame.columns * frame.samples * frame.bits_allocated) / 8;
        if (bytes <= aheadMost) ahead(next, first.image, frame.index);
      },
      () => {}, // the case tells of its fault when it is opened
    );
    return () => {
      here = false;
    };
  }, [open, ahead, next, ready]);
};
