// What lies under a point of the screen.

import { type ScreenPoint, toPixel } from '../lib/geometry';
import type { Painted } from './screen';

/** The pixel under a point of the screen, and its value. */
export function probe(
  painted: Painted,
  at: ScreenPoint,
): { column: number; row: number; samples: number[] } | undefined {
  const p = toPixel(painted.view, at);
  const column = Math.floor(p.x);
  const row = Math.floor(p.y);
  const { picture } = painted;
  if (column < 0 || row < 0 || column >= picture.columns || row >= picture.rows) return undefined;
  const per = picture.color ? 3 : 1;
  const first = (row * picture.columns + column) * per;
  return { column, row, samples: [...picture.samples.subarray(first, first + per)] };
}
