// What keys do to the picture, whatever screen it stands on.
import type { RefObject } from 'react';
import type { Action, ActionId } from '../lib/actions';
import { t } from '../lib/texts';
import type { ViewerHandle } from './props';

/** pictureActions lists what one viewer can do; showFrame goes to a frame of its image, of which there are so many. */
export const pictureActions = (
  viewer: RefObject<ViewerHandle | null>,
  frames: number,
  showFrame: (frame: number) => void,
): Action[] => {
  const v = (id: ActionId, run: (v: ViewerHandle) => void): Action => ({
    id,
    run: () => viewer.current && run(viewer.current),
  });
  return [
    ...([1, 2, 3, 4, 5, 6, 7, 8] as const).map((n) => v(`preset-${n}`, (h) => h.preset(n))),
    v('frame-next', (h) => h.step(1)),
    v('frame-previous', (h) => h.step(-1)),
    v('frame-page-down', (h) => h.step(10)),
    v('frame-page-up', (h) => h.step(-10)),
    { id: 'frame-first', run: () => showFrame(0) },
    { id: 'frame-last', run: () => showFrame(frames - 1) },
    v('cine', (h) => h.cine()),
    v('invert', (h) => h.invert()),
    v('flip', (h) => h.flip()),
    v('rotate', (h) => h.rotate()),
    v('reset', (h) => h.reset()),
    v('fit', (h) => h.fit()),
    v('one-to-one', (h) => h.oneToOne()),
    v('smooth', (h) => h.smooth()),
    {
      id: 'file-window',
      can: () => (viewer.current?.state().fileWindows.length ? '' : t.reading.noFileWindows),
      run: () => viewer.current?.nextFileWindow(),
    },
    v('focus-image', (h) => h.focus()),
  ];
};
