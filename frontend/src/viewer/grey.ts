// From stored samples to the greys of the screen: modality transform, then the window, then inversion (DICOM PS3.3 C.11).
// It is done here, once for every renderer, so that a grey is the same number on every machine.

import type { FullFrame, LUT } from './props';
import { modality, type Picture } from './samples';

/** How modality values become greys. */
export type Grading =
  | { kind: 'window'; center: number; width: number; voi: 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID' }
  | { kind: 'lut'; lut: LUT };

/** The grey of a modality value, 0–255 before rounding (PS3.3 C.11.2.1.2 and .3; LINEAR with c − 0.5 and w − 1). */
export function greyer(g: Grading): (value: number) => number {
  if (g.kind === 'lut') {
    const { first, bits, data } = g.lut;
    const last = data.length - 1;
    const top = 2 ** bits - 1;
    return (x) => ((data[Math.min(last, Math.max(0, Math.floor(x) - first))] as number) / top) * 255;
  }
  const { center: c, width: w, voi } = g;
  if (voi === 'SIGMOID') return (x) => 255 / (1 + Math.exp((-4 * (x - c)) / w));
  // LINEAR asks for a width of 1 or more; a narrower one can only be meant as LINEAR_EXACT.
  const exact = voi === 'LINEAR_EXACT' || w < 1;
  const middle = exact ? c : c - 0.5;
  const span = exact ? w : w - 1;
  return (x) => {
    if (x <= middle - span / 2) return 0;
    if (x > middle + span / 2) return 255;
    return ((x - middle) / span + 0.5) * 255;
  };
}

/** The grey of a stored value of a frame, rounded as the backend rounds it for the model; what is no number is black. */
function shadeOf(frame: FullFrame, g: Grading, inverted: boolean): (stored: number) => number {
  const value = modality(frame);
  const grey = greyer(g);
  const flip = frame.invert !== inverted;
  return (stored) => {
    const exact = Number.isNaN(stored) ? 0 : grey(value(stored));
    return Math.floor((flip ? 255 - exact : exact) + 0.5);
  };
}

const opaque = 0xff000000;

/** The table of the last picture, for the next one of the same greys. */
export interface Kept {
  table?: {
    of: Grading;
    like: FullFrame;
    inverted: boolean;
    mask: number;
    least: number;
    greatest: number;
    words: Uint32Array;
  };
}

/** Writes the picture as the screen shows it into `out`, one little-endian RGBA word a pixel. Colour is left as it is. */
export function paint(
  frame: FullFrame,
  picture: Picture,
  g: Grading,
  inverted: boolean,
  out: Uint32Array,
  kept: Kept = {},
): void {
  const { samples } = picture;
  if (picture.color) {
    for (let i = 0, j = 0; i < out.length; i++, j += 3) {
      const red = samples[j] as number;
      out[i] = (opaque | ((samples[j + 2] as number) << 16) | ((samples[j + 1] as number) << 8) | red) >>> 0;
    }
    return;
  }
  const shade = shadeOf(frame, g, inverted);
  if (!picture.whole) {
    for (let i = 0; i < out.length; i++) out[i] = word(shade(samples[i] as number));
    return;
  }
  const mask = samples.BYTES_PER_ELEMENT === 1 ? 0xff : 0xffff;
  const table = tableOf(frame, picture, g, inverted, mask, shade, kept);
  for (let i = 0; i < out.length; i++) out[i] = table[(samples[i] as number) & mask] as number;
}

/** Whether two gradings give the same greys. */
export function sameGrading(a: Grading, b: Grading): boolean {
  if (a.kind === 'lut' || b.kind === 'lut') return a.kind === 'lut' && b.kind === 'lut' && a.lut === b.lut;
  return a.center === b.center && a.width === b.width && a.voi === b.voi;
}

const sameValues = (a: FullFrame, b: FullFrame) =>
  a.slope === b.slope && a.intercept === b.intercept && a.modality_lut === b.modality_lut && a.invert === b.invert;

const word = (shade: number) => (opaque | (shade << 16) | (shade << 8) | shade) >>> 0;

// One entry for each value between the least and the greatest stored one, addressed by its bits.
function tableOf(
  frame: FullFrame,
  { least, greatest }: Picture,
  g: Grading,
  inverted: boolean,
  mask: number,
  shade: (stored: number) => number,
  kept: Kept,
): Uint32Array {
  const t = kept.table;
  const same = t && t.mask === mask && t.inverted === inverted && sameValues(t.like, frame) && sameGrading(t.of, g);
  if (same && least >= t.least && greatest <= t.greatest) return t.words;
  const from = same ? Math.min(least, t.least) : least;
  const to = same ? Math.max(greatest, t.greatest) : greatest;
  const words = same ? t.words : new Uint32Array(mask + 1);
  for (let s = from; s <= to; s++) if (!same || s < t.least || s > t.greatest) words[s & mask] = word(shade(s));
  kept.table = { of: g, like: frame, inverted, mask, least: from, greatest: to, words };
  return words;
}
