import { useLayoutEffect, useRef } from 'react';
import { type ScreenPoint, screenPoint } from '../lib/geometry';
import type { Screen, Snapshot } from './screen';
import css from './Viewer.module.css';

const side = 190;
const times = 3;

interface LensProps {
  screen: Screen | undefined;
  snap: Snapshot;
  /** The pointer; without one the middle of the picture is enlarged. */
  at: ScreenPoint | undefined;
}

/** A magnifier at the pointer, drawn from the samples and not from what is on the screen. */
export function Lens({ screen, snap, at }: LensProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const middle = at ?? screenPoint(snap.size.width / 2, snap.size.height / 2);
  useLayoutEffect(() => {
    if (canvas.current) screen?.magnify(canvas.current, middle, times);
  });
  return (
    <div
      className={css.lens}
      data-mark="lens"
      aria-hidden="true"
      style={{ left: middle.x - side / 2, top: middle.y - side / 2, width: side, height: side }}
    >
      <canvas ref={canvas} />
    </div>
  );
}
