// What a reader measures on a frame: from its samples, in the units of the file, never from the screen. No React.

import { type PixelPoint, pixelPoint } from '../lib/geometry';
import { aspectOf, spacingOf } from '../lib/geometryPatient';
import type { FullFrame, Tool } from './props';
import { modality, type Picture, paddingTest, valueText } from './samples';
import { lengthText } from './spacing';

export type MeasureKind = 'distance' | 'angle' | 'box' | 'ellipse';

/** A measurement on one frame of one image: kept for the session and never evidence. */
export interface Measure {
  id: string;
  image: string;
  /** 0-based number of the frame in its image. */
  frame: number;
  kind: MeasureKind;
  /** Two ends; three of an angle, the vertex in the middle; two opposite corners of a box or of that around an ellipse. */
  points: readonly PixelPoint[];
}

const kinds: Partial<Record<Tool, MeasureKind>> = {
  measure: 'distance',
  angle: 'angle',
  'roi-box': 'box',
  'roi-ellipse': 'ellipse',
};

/** What a tool measures; undefined: it does not measure. */
export const measured = (tool: Tool): MeasureKind | undefined => kinds[tool];

/** The points that a measurement of a kind needs. */
export const pointsOf = (kind: MeasureKind): number => (kind === 'angle' ? 3 : 2);

/** The values within an area. */
export interface Statistics {
  /** Pixels whose centre lies in it, padding left out. */
  count: number;
  mean: number;
  /** Of these pixels: the root of the mean square of the differences from the mean. */
  sd: number;
  min: number;
  max: number;
}

/** The modality values in the box of two corners, or in the ellipse in that box; undefined in colour, and where there is no pixel. */
export function statistics(
  frame: FullFrame,
  picture: Picture,
  kind: 'box' | 'ellipse',
  p: PixelPoint,
  q: PixelPoint,
): Statistics | undefined {
  if (picture.color) return undefined;
  const [x0, x1] = [Math.min(p.x, q.x), Math.max(p.x, q.x)];
  const [y0, y1] = [Math.min(p.y, q.y), Math.max(p.y, q.y)];
  const value = modality(frame);
  const isPadding = paddingTest(frame);
  const { columns, rows, samples } = picture;
  let count = 0;
  let mean = 0;
  let square = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let row = Math.max(0, Math.ceil(y0 - 0.5)); row < rows && row + 0.5 <= y1; row++) {
    // Half the width of the ellipse at this row.
    const down = y1 > y0 ? (row + 0.5 - (y0 + y1) / 2) / ((y1 - y0) / 2) : 0;
    const half = ((x1 - x0) / 2) * (kind === 'ellipse' ? Math.sqrt(Math.max(0, 1 - down * down)) : 1);
    const middle = (x0 + x1) / 2;
    const last = Math.min(columns - 1, Math.floor(middle + half - 0.5));
    for (let column = Math.max(0, Math.ceil(middle - half - 0.5)); column <= last; column++) {
      const stored = samples[row * columns + column] as number;
      if (isPadding?.(stored)) continue;
      const v = value(stored);
      if (!Number.isFinite(v)) continue;
      // Welford's way: no loss of digits where values are large and close together.
      count++;
      const from = v - mean;
      mean += from / count;
      square += from * (v - mean);
      if (v < min) min = v;
      if (v > max) max = v;
    }
  }
  return count === 0 ? undefined : { count, mean, sd: Math.sqrt(square / count), min, max };
}

/** The angle at the second of three points, in degrees, with the shape of the pixels; undefined where an arm has no length. */
export function angle(frame: FullFrame, [a, vertex, b]: readonly PixelPoint[]): number | undefined {
  if (!a || !vertex || !b) return undefined;
  const { x, y } = aspectOf(frame);
  const one = [(a.x - vertex.x) * x, (a.y - vertex.y) * y] as const;
  const other = [(b.x - vertex.x) * x, (b.y - vertex.y) * y] as const;
  if (Math.hypot(...one) === 0 || Math.hypot(...other) === 0) return undefined;
  const turn = Math.atan2(one[0] * other[1] - one[1] * other[0], one[0] * other[0] + one[1] * other[1]);
  return (Math.abs(turn) * 180) / Math.PI;
}

/** The area of a box or ellipse: in mm² where the spacing is known, else in pixels. */
export function area(frame: FullFrame, kind: 'box' | 'ellipse', p: PixelPoint, q: PixelPoint) {
  const spacing = spacingOf(frame);
  const { x, y } = spacing ?? { x: 1, y: 1 };
  const box = Math.abs((q.x - p.x) * x * (q.y - p.y) * y);
  return { value: kind === 'box' ? box : (box * Math.PI) / 4, unit: spacing ? 'mm²' : 'px' };
}

const unknown = 'spacing unknown';
const one = (n: number) => n.toFixed(1).replace('-', '−');

/** A measurement in words, one line after the other. */
export function measureText(frame: FullFrame, picture: Picture, m: Pick<Measure, 'kind' | 'points'>): string[] {
  const [p, q] = m.points;
  if (!p || !q) return [];
  const spacing = spacingOf(frame);
  if (m.kind === 'distance') {
    const detector = frame.spacing_source === 'ImagerPixelSpacing' ? 'at the detector' : '';
    return [lengthText(spacing, p, q), spacing ? detector : unknown].filter(Boolean);
  }
  if (m.kind === 'angle') {
    const degrees = angle(frame, m.points);
    return degrees === undefined ? [] : [`${degrees.toFixed(1)}°`];
  }
  const { value, unit } = area(frame, m.kind, p, q);
  const size = [`area ${unit === 'mm²' && value >= 100 ? `${(value / 100).toFixed(2)} cm²` : `${one(value)} ${unit}`}`];
  if (!spacing) size.push(unknown);
  const s = statistics(frame, picture, m.kind, p, q);
  if (!s) return [picture.color ? 'no values in colour' : 'no pixel inside', ...size];
  const of = frame.unit ? ` ${frame.unit}` : '';
  const fine = Math.max(Math.abs(s.max), Math.abs(s.min)) < 10 ? 5 : 0;
  const say = (n: number) => (fine ? String(Number(n.toPrecision(4))).replace('-', '−') : one(n));
  return [
    `mean ${say(s.mean)} ± ${say(s.sd)}${of}`,
    `min ${valueText(frame, s.min)} max ${valueText(frame, s.max)} · n ${s.count}`,
    ...size,
  ];
}

/** A measurement with a point, or all of it, moved by so many pixels. */
export function shifted(m: Measure, point: number | undefined, dx: number, dy: number): Measure {
  const points = m.points.map((p, i) => (point === undefined || point === i ? pixelPoint(p.x + dx, p.y + dy) : p));
  return { ...m, points };
}

/** A measurement with an id that is free among the others. */
export function numbered(measure: Omit<Measure, 'id'>, others: readonly Measure[]): Measure {
  let n = others.length + 1;
  while (others.some((m) => m.id === `m${n}`)) n++;
  return { ...measure, id: `m${n}` };
}

/** Reads measurements that were kept; what is none is left out. */
export function restoredMeasures(kept: unknown): Measure[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((m: Partial<Measure> | null) => {
    const points = Array.isArray(m?.points) ? m.points : [];
    const sound =
      typeof m?.id === 'string' &&
      typeof m.image === 'string' &&
      Number.isInteger(m.frame) &&
      (m.kind === 'distance' || m.kind === 'angle' || m.kind === 'box' || m.kind === 'ellipse') &&
      points.length === pointsOf(m.kind) &&
      points.every((p) => Number.isFinite(p?.x) && Number.isFinite(p?.y));
    return sound ? [{ ...(m as Measure), points: points.map((p) => pixelPoint(p.x, p.y)) }] : [];
  });
}
