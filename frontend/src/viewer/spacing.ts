// How far apart the frames of a volume lie.

import type { Stack } from '../lib/nouns';

/**
 * The distance in mm, along the normal, from a frame to the next (or, of the last, to the one before); undefined where a frame
 * does not say where it lies.
 */
export function sliceSpacing(stack: Stack, position: number): number | undefined {
  if (stack.kind !== 'volume' || stack.frames.length < 2) return undefined;
  const at = Math.min(position, stack.frames.length - 2);
  const here = stack.frames[at];
  const next = stack.frames[at + 1];
  const o = here?.orientation;
  if (!here?.position || !next?.position || o?.length !== 6) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = o;
  const normal = [b * f - c * e, c * d - a * f, a * e - b * d];
  const along = normal.reduce((sum, n, i) => sum + n * ((next.position[i] ?? 0) - (here.position[i] ?? 0)), 0);
  return Number.isFinite(along) ? Math.abs(along) : undefined;
}
