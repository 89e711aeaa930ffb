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

/** Writes the picture as the screen shows it into `out`, one little-endian RGBA word a pixel. Colour is left as it is. */
export function paint(frame: FullFrame, picture: Picture, g: Grading, inverted: boolean, out: Uint32Array): void {
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
  const table = tableOf(picture, shade, mask);
  for (let i = 0; i < out.length; i++) out[i] = table[(samples[i] as number) & mask] as number;
}

const word = (shade: number) => (opaque | (shade << 16) | (shade << 8) | shade) >>> 0;

// One entry for each value between the least and the greatest stored one, addressed by its bits.
function tableOf(picture: Picture, shade: (stored: number) => number, mask: number): Uint32Array {
  const table = new Uint32Array(mask + 1);
  for (let s = picture.least; s <= picture.greatest; s++) table[s & mask] = word(shade(s));
  return table;
}
