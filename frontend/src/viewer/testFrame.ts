// A plain frame for the tests of this folder.

import type { Stack } from '../lib/nouns';
import type { FullFrame } from './props';
import { decode, type Picture } from './samples';

export const testFrame = (part: Partial<FullFrame> = {}): FullFrame =>
  ({
    index: 0,
    rows: 1,
    columns: 4,
    samples: 1,
    bits_allocated: 16,
    bits_stored: 16,
    signed: true,
    photometric: 'MONOCHROME2',
    transfer_syntax: '1.2.840.10008.1.2.1',
    lossy: false,
    slope: 1,
    intercept: 0,
    unit: '',
    windows: [],
    voi_function: 'LINEAR',
    window_computed: false,
    spacing_mm: null,
    spacing_source: '',
    position: null,
    orientation: null,
    invert: false,
    duration_ms: 0,
    problem: '',
    ...part,
  }) as unknown as FullFrame;

export const testStack = (frames: FullFrame[], part: Partial<Stack> = {}): Stack => ({
  image: 'i',
  kind: 'volume',
  modality: 'CT',
  description: '',
  series: '',
  space: '',
  synthetic: true,
  frames,
  reasons: [],
  ...part,
});

/** A picture of one row with these stored values. */
export const testPicture = (frame: FullFrame, values: readonly number[], kind = 'int16'): Picture => {
  const Type = { int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, float32: Float32Array }[
    kind
  ];
  if (!Type) throw new Error(kind);
  return decode({ ...frame, rows: 1, columns: values.length }, kind, new Type(values).buffer as ArrayBuffer);
};
