// The samples of a frame as they come over the wire.

import type { FullFrame } from './props';

export type SampleArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Float32Array;

const kinds: Record<string, { bytes: number; perPixel: number; of: (b: ArrayBuffer) => SampleArray }> = {
  int8: { bytes: 1, perPixel: 1, of: (b) => new Int8Array(b) },
  uint8: { bytes: 1, perPixel: 1, of: (b) => new Uint8Array(b) },
  int16: { bytes: 2, perPixel: 1, of: (b) => new Int16Array(b) },
  uint16: { bytes: 2, perPixel: 1, of: (b) => new Uint16Array(b) },
  float32: { bytes: 4, perPixel: 1, of: (b) => new Float32Array(b) },
  rgb8: { bytes: 1, perPixel: 3, of: (b) => new Uint8Array(b) },
};

/** One decoded frame: samples row by row as stored, three a pixel where it is colour. */
export interface Picture {
  rows: number;
  columns: number;
  color: boolean;
  /** Integer samples of at most 16 bits go through a table. */
  whole: boolean;
  samples: SampleArray;
  /** Least and greatest stored value that is image, not padding; 0 and 0 where there is none. */
  min: number;
  max: number;
  /** The same with padding. */
  least: number;
  greatest: number;
  bytes: number;
}

/** Decodes a body of raw little-endian samples; throws a sentence where it does not fit the frame. */
export function decode(frame: FullFrame, kind: string | null, body: ArrayBuffer): Picture {
  const { rows, columns } = frame;
  const form = kinds[kind ?? ''];
  if (!form) throw new Error(`the frame came with samples of an unknown kind (${kind ?? 'none named'})`);
  const want = rows * columns * form.perPixel * form.bytes;
  if (body.byteLength !== want) throw new Error(`the frame came with ${body.byteLength} bytes instead of ${want}`);
  const samples = form.of(body);
  const color = form.perPixel === 3;
  const range = color ? { min: 0, max: 255, least: 0, greatest: 255 } : rangeOf(frame, samples);
  return { rows, columns, color, whole: kind !== 'float32', samples, ...range, bytes: body.byteLength };
}

/** Whether a stored value is padding: no image, and left out of a computed window (PS3.3 C.7.5.1.1.2). */
export function paddingTest(frame: FullFrame): ((stored: number) => boolean) | undefined {
  const { padding, padding_limit: limit } = frame;
  if (padding === undefined || padding === null) return undefined;
  const low = Math.min(padding, limit ?? padding);
  const high = Math.max(padding, limit ?? padding);
  return (stored) => stored >= low && stored <= high;
}

function rangeOf(frame: FullFrame, samples: SampleArray): Pick<Picture, 'min' | 'max' | 'least' | 'greatest'> {
  const all = extremes(samples, () => true);
  const isPadding = paddingTest(frame);
  const image = isPadding ? extremes(samples, (v) => !isPadding(v)) : all;
  return { min: image[0], max: image[1], least: all[0], greatest: all[1] };
}

function extremes(samples: SampleArray, counts: (v: number) => boolean): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < samples.length; i++) {
    const v = samples[i] as number;
    if ((v >= min && v <= max) || !Number.isFinite(v) || !counts(v)) continue;
    if (v < min) min = v;
    if (v > max) max = v;
  }
  return min <= max ? [min, max] : [0, 0];
}

/** The modality value of a stored one: through the modality LUT, or slope and intercept (PS3.3 C.11.1). */
export function modality(frame: FullFrame): (stored: number) => number {
  const lut = frame.modality_lut;
  if (lut && lut.data.length > 0) {
    const last = lut.data.length - 1;
    return (stored) => lut.data[Math.min(last, Math.max(0, Math.floor(stored) - lut.first))] as number;
  }
  const { slope, intercept } = frame;
  return (stored) => stored * slope + intercept;
}

/** A value for a person: no more digits than the frame can mean, and a true minus. */
export function valueText(frame: FullFrame, value: number): string {
  const whole =
    Number.isInteger(value) || (!frame.float && Number.isInteger(frame.slope) && Number.isInteger(frame.intercept));
  const text = whole ? String(Math.round(value)) : String(Number(value.toPrecision(5)));
  return text.replace('-', '−');
}
