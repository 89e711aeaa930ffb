// What the picture says of the patient: which side is where, and how long a millimetre is.

import { type Aspect, back, type PixelPoint, type Turn } from './geometry';

/** What a frame knows of its place in the patient; null or absent where it does not. */
export interface Placed {
  /** [row, column] in mm: between rows (down), between columns (across). */
  spacing_mm?: number[] | null;
  /** Six direction cosines in the patient (L, P, H positive): along a row, then down a column. */
  orientation?: number[] | null;
  /** Letters of the direction of a row and of a column, where there are no cosines. */
  patient_orientation?: string[] | null;
  /** [height, width] of a pixel where the spacing is unknown. */
  pixel_aspect?: number[] | null;
}

export interface Spacing {
  /** mm between the centres of neighbours in a row. */
  x: number;
  /** mm between the centres of neighbours in a column. */
  y: number;
}

const positivePair = (v: number[] | null | undefined): [number, number] | undefined =>
  v?.length === 2 && v.every((n) => Number.isFinite(n) && n > 0) ? [v[0] as number, v[1] as number] : undefined;

/** The spacing of a frame, or undefined when it is unknown: then lengths are in pixels and there is no ruler. */
export function spacingOf(frame: Placed): Spacing | undefined {
  const pair = positivePair(frame.spacing_mm);
  return pair && { y: pair[0], x: pair[1] };
}

/** The shape of a pixel, from the spacing or else from the pixel aspect ratio. */
export function aspectOf(frame: Placed): Aspect {
  const [y, x] = positivePair(frame.spacing_mm) ?? positivePair(frame.pixel_aspect) ?? [1, 1];
  const short = Math.min(x, y);
  return { x: x / short, y: y / short };
}

export interface Letters {
  left: string;
  right: string;
  top: string;
  bottom: string;
}

const axes = [
  ['L', 'R'],
  ['P', 'A'],
  ['H', 'F'],
] as const;
const opposite: Record<string, string> = { L: 'R', R: 'L', P: 'A', A: 'P', H: 'F', F: 'H' };

// A tilt under about a degree is not worth a letter.
const tilt = 0.02;

/** The letters of a direction in the patient, the strongest first: (.8,.6,0) is "LP". */
export function lettersOf(v: readonly number[]): string {
  return [0, 1, 2]
    .filter((i) => Math.abs(v[i] ?? 0) > tilt)
    .sort((i, j) => Math.abs(v[j] ?? 0) - Math.abs(v[i] ?? 0))
    .map((i) => axes[i]?.[(v[i] ?? 0) > 0 ? 0 : 1] ?? '')
    .join('');
}

const across = (letters: string) => [...letters].map((l) => opposite[l] ?? '').join('');

/** The letters at the four edges of the screen, for a picture turned so; "?" where the frame does not say. */
export function edgeLetters(frame: Placed, turn: Turn): Letters {
  const right = toward(frame, back(turn, 1, 0));
  const bottom = toward(frame, back(turn, 0, 1));
  return { right: right ?? '?', left: opposed(right), bottom: bottom ?? '?', top: opposed(bottom) };
}

const opposed = (letters: string | undefined) => (letters === undefined ? '?' : across(letters) || '?');

// The letters of a direction of the stored image, which is along or against one of its axes.
function toward(frame: Placed, [x, y]: [number, number]): string | undefined {
  const o = frame.orientation;
  if (o?.length === 6 && o.every(Number.isFinite)) {
    const v = [0, 1, 2].map((i) => (o[i] ?? 0) * x + (o[i + 3] ?? 0) * y);
    return lettersOf(v) || undefined;
  }
  const named = frame.patient_orientation?.[x !== 0 ? 0 : 1]?.toUpperCase();
  if (!named || !/^[LRPAHF]{1,3}$/.test(named)) return undefined;
  return x + y > 0 ? named : across(named);
}

/** The distance of two points: in mm where the spacing is known, else in pixels of the stored image. */
export function distance(
  spacing: Spacing | undefined,
  p: PixelPoint,
  q: PixelPoint,
): { value: number; unit: 'mm' | 'px' } {
  const { x, y } = spacing ?? { x: 1, y: 1 };
  return { value: Math.hypot((q.x - p.x) * x, (q.y - p.y) * y), unit: spacing ? 'mm' : 'px' };
}

export interface Ruler {
  mm: number;
  /** CSS pixels. */
  length: number;
  /** Equal parts between the ends. */
  parts: number;
  label: string;
}

/** The longest ruler of 1, 2 or 5 times a power of ten mm that is no longer than `room` CSS pixels. */
export function rulerOf(spacing: Spacing, zoom: number, room: number): Ruler | undefined {
  const mmPerPixel = Math.min(spacing.x, spacing.y) / zoom;
  const most = mmPerPixel * room;
  if (!(most > 0) || !Number.isFinite(most)) return undefined;
  const power = 10 ** Math.floor(Math.log10(most));
  const lead = most / power >= 5 ? 5 : most / power >= 2 ? 2 : 1;
  const mm = lead * power;
  const label = mm >= 10 ? `${round(mm / 10)} cm` : mm >= 0.1 ? `${round(mm)} mm` : `${round(mm * 1000)} µm`;
  return { mm, length: mm / mmPerPixel, parts: lead === 1 ? 10 : lead === 2 ? 4 : 5, label };
}

// 0.30000000000000004 and its like.
const round = (n: number) => Number(n.toPrecision(6));
