import { type PointerEvent, useRef } from 'react';
import type { Stack } from '../lib/nouns';
import { shownOn, type ViewerRegion } from './props';
import css from './Viewer.module.css';

interface TrackProps {
  stack: Stack;
  /** Position in stack.frames. */
  frame: number;
  regions: readonly ViewerRegion[];
  onFrame: (frame: number) => void;
}

/** Where in the stack the picture is, and which frames hold regions; a press or a drag goes there. */
export function Track({ stack, frame, regions, onFrame }: TrackProps) {
  const track = useRef<HTMLDivElement>(null);
  const count = stack.frames.length;
  if (count < 2) return null;
  const at = (position: number) => `${((position + 0.5) / count) * 100}%`;

  const go = (e: PointerEvent) => {
    e.stopPropagation();
    const box = track.current?.getBoundingClientRect();
    if (!box || (e.type === 'pointermove' && e.buttons !== 1)) return;
    const to = Math.floor(((e.clientY - box.top) / box.height) * count);
    const within = Math.min(count - 1, Math.max(0, to));
    if (within !== frame) onFrame(within);
  };

  return (
    <div
      ref={track}
      className={css.track}
      data-mark="track"
      aria-hidden="true"
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        go(e);
      }}
      onPointerMove={go}
      onPointerUp={(e) => e.stopPropagation()}
    >
      {stack.frames.map((f, i) => {
        const here = regions.filter((r) => placed(r) && shownOn(r.region, stack.image, f.index));
        return here.map(({ owner, region }) => (
          <i
            key={`${f.index}/${owner}/${region.id}`}
            className={owner === 'model' ? css.tickModel : css.tickMine}
            style={{ top: at(i) }}
          />
        ));
      })}
      <b className={css.thumb} style={{ top: at(frame) }} />
    </div>
  );
}

// A region of all frames marks none.
const placed = ({ region }: ViewerRegion) => (region.frame ?? region.from ?? undefined) !== undefined;
