// Makes planes across a volume beside the page, so that scrolling and drawing never wait for them.

import type { Cut, Slab } from './mpr';
import { resample, type Voxels } from './planes';
import type { SampleArray } from './samples';

/** What the page says: first the volume, then its frames one by one, then which plane it wants. */
export type Said =
  | { kind: 'volume'; volume: Omit<Voxels, 'frames'> }
  | { kind: 'frame'; at: number; samples: SampleArray }
  | { kind: 'plane'; cut: Cut; n: number; slab: Slab };

/** The answer to the wish for a plane; a worker has one at a time. */
export type Made = { values: Int16Array | Uint16Array | Float32Array } | { trouble: string };

let volume: Omit<Voxels, 'frames'> | undefined;
const frames: SampleArray[] = [];

self.onmessage = ({ data }: MessageEvent<Said>) => {
  if (data.kind === 'volume') volume = data.volume;
  else if (data.kind === 'frame') frames[data.at] = data.samples;
  else if (volume) make({ ...volume, frames }, data);
};

function make(v: Voxels, { cut, n, slab }: Extract<Said, { kind: 'plane' }>): void {
  try {
    const values = resample(v, cut, n, slab);
    self.postMessage({ values } satisfies Made, { transfer: [values.buffer] });
  } catch (trouble) {
    self.postMessage({ trouble: String(trouble) } satisfies Made);
  }
}
