// How far apart the frames of a volume and the pixels of a frame lie.

import type { PixelPoint } from '../lib/geometry';
import { distance, type Spacing, spacingOf } from '../lib/geometryPatient';
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

// Where a spacing does not come from the patient's own plane, a length is only as good as its source.
const sources: Record<string, string> = {
  ImagerPixelSpacing: 'at the detector',
  NominalScannedPixelSpacing: 'of the scanned film',
};

// Below this many mm two decimals say nothing: a slide's pixels are told in µm.
const fine = 0.01;
const mm = (n: number) => n.toFixed(2);
const micro = (n: number) => String(Number((n * 1000).toPrecision(3)));

/** The spacing across frames and within one, in words: "1.00 mm · 0.70 × 0.70", "0.25 × 0.25 µm". */
export function spacingText(stack: Stack, position: number): string {
  const frame = stack.frames[position];
  const spacing = frame && spacingOf(frame);
  const between = sliceSpacing(stack, position);
  if (!spacing) return between === undefined ? 'no spacing known' : `${mm(between)} mm`;
  const small = Math.min(spacing.x, spacing.y) < fine;
  const write = small ? micro : mm;
  const plane = `${write(spacing.y)} × ${write(spacing.x)}`;
  const unit = small ? 'µm' : 'mm';
  if (between !== undefined) return `${mm(between)} mm · ${plane}${small ? ' µm' : ''}`;
  return [plane, unit, sources[frame.spacing_source]].filter(Boolean).join(' ');
}

/** The distance of two points in words: in µm where pixels are that fine, in pixels where their size is not known. */
export function lengthText(spacing: Spacing | undefined, from: PixelPoint, to: PixelPoint): string {
  const { value, unit } = distance(spacing, from, to);
  const small = spacing && Math.min(spacing.x, spacing.y) < fine && value < 1;
  return small ? `${(value * 1000).toFixed(1)} µm` : `${value.toFixed(1)} ${unit}`;
}
