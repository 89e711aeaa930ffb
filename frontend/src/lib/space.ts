// Frames in the patient: where a pixel lies, and which frame of another stack lies nearest.

import { type PixelPoint, pixelPoint } from './geometry';
import { type Placed, spacingOf } from './geometryPatient';
import type { Stack } from './nouns';

/** A point or direction in the patient, in mm: left, posterior and head positive. */
export type Vec = readonly [number, number, number];

export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** a + k b. */
export const plus = (a: Vec, b: Vec, k = 1): Vec => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];

/** A frame that says where it lies. */
export interface Located extends Placed {
  /** The centre of the first pixel, in mm. */
  position?: number[] | null;
}

/** The plane of a frame in the patient. */
export interface PlaneInSpace {
  /** The centre of the first pixel. */
  origin: Vec;
  /** The direction along a row, down a column, and away from both; each of length 1. */
  row: Vec;
  column: Vec;
  normal: Vec;
  /** mm between pixels along a row, and down a column. */
  dx: number;
  dy: number;
}

const whole = (v: number[] | null | undefined, n: number): v is number[] => v?.length === n && v.every(Number.isFinite);

/** The plane of a frame, or undefined where the frame does not say all of it or says what cannot be. */
export function planeInSpace(frame: Located): PlaneInSpace | undefined {
  const { position, orientation: o } = frame;
  const spacing = spacingOf(frame);
  if (!spacing || !whole(position, 3) || !whole(o, 6)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = o;
  const row: Vec = [a, b, c];
  const column: Vec = [d, e, f];
  const odd = Math.abs(Math.hypot(a, b, c) - 1) > 0.01 || Math.abs(Math.hypot(d, e, f) - 1) > 0.01;
  if (odd || Math.abs(dot(row, column)) > 0.01) return undefined;
  return {
    origin: [position[0] as number, position[1] as number, position[2] as number],
    row,
    column,
    normal: cross(row, column),
    dx: spacing.x,
    dy: spacing.y,
  };
}

/** The place of a pixel point in the patient: the centre of the first pixel is (.5,.5). */
export const toPatient = (plane: PlaneInSpace, p: PixelPoint): Vec =>
  plus(plus(plane.origin, plane.row, (p.x - 0.5) * plane.dx), plane.column, (p.y - 0.5) * plane.dy);

/** The pixel point of a plane that lies nearest to a place in the patient. */
export function fromPatient(plane: PlaneInSpace, v: Vec): PixelPoint {
  const from = minus(v, plane.origin);
  return pixelPoint(dot(from, plane.row) / plane.dx + 0.5, dot(from, plane.column) / plane.dy + 0.5);
}

// Two planes look the same way when the angle between their normals is under about 25 degrees, whichever side they look from.
const parallel = 0.9;

/** Whether places in one stack mean the same in the other. Frames of one series were taken in one space. */
export function sameSpace(a: Stack, b: Stack): boolean {
  if (a.space || b.space) return a.space === b.space;
  return a.series !== '' && a.series === b.series;
}

const middleOf = (frame: { columns: number; rows: number }) => pixelPoint(frame.columns / 2, frame.rows / 2);

/**
 * The position in `to.frames` that goes with a frame of another stack: the nearest along the normal where both lie in one space and look the
 * same way; by the fraction of the way through where their space is not known to be one; undefined where they look across each other, so that
 * none goes with it.
 */
export function matching(from: Stack, position: number, to: Stack): number | undefined {
  const frame = from.frames[position];
  if (!frame || to.frames.length === 0) return undefined;
  const plane = sameSpace(from, to) ? planeInSpace(frame) : undefined;
  const planes = plane && to.frames.map(planeInSpace);
  if (!plane || !planes?.some(Boolean)) {
    const share = from.frames.length > 1 ? position / (from.frames.length - 1) : 0;
    return from.frames.length > 1 ? Math.round(share * (to.frames.length - 1)) : undefined;
  }
  const at = toPatient(plane, middleOf(frame));
  let best: { position: number; distance: number } | undefined;
  for (const [i, p] of planes.entries()) {
    if (!p || Math.abs(dot(p.normal, plane.normal)) < parallel) continue;
    const distance = Math.abs(dot(minus(p.origin, at), p.normal));
    if (!best || distance < best.distance) best = { position: i, distance };
  }
  return best?.position;
}

/** The position of the frame whose plane lies nearest to a place in the patient; undefined where no frame says where it lies. */
export function nearest(stack: Stack, v: Vec): number | undefined {
  let best: { position: number; distance: number } | undefined;
  for (const [position, frame] of stack.frames.entries()) {
    const plane = planeInSpace(frame);
    const distance = plane ? Math.abs(dot(minus(v, plane.origin), plane.normal)) : Number.POSITIVE_INFINITY;
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { position, distance };
  }
  return best?.position;
}
