// The values of planes across a volume. No React, no DOM: it runs in a worker.

import { type Cut, type Grid, placeOn, type Slab } from './mpr';
import type { SampleArray } from './samples';

/** The voxels of a volume, frame by frame. */
export interface Voxels {
  grid: Grid;
  frames: readonly SampleArray[];
  /** Stored values are whole numbers, and so are those of planes. */
  whole: boolean;
  /** From the least to the greatest stored value that is no image; with what stands where a tilted volume has no voxel. */
  padding: readonly [number, number] | undefined;
  outside: number;
}

type Line = Float32Array;
type Values = Int16Array | Uint16Array | Float32Array;

/** The values of the nth plane of a cut, of the least kind of number that holds them. */
export function resample(v: Voxels, cut: Cut, n: number, slab: Slab): Values {
  const count = cut.across.count * cut.down.count;
  const at = placeOn(cut.through, n);
  const { step, count: planes } = v.grid.axes[cut.through.axis];
  const half = slab.thickness / 2;
  // The planes of voxels within the slab; of a thin one, or none, the plane itself.
  const stepThrough = cut.through.axis === 2 ? step : cut.through.step;
  const first = Math.max(0, Math.ceil((at - half) / stepThrough - 1e-6));
  const last = Math.min(planes - 1, Math.floor((at + half) / stepThrough + 1e-6));
  const out = new Float32Array(count);
  if (last <= first) plane(v, cut, at, out, 'put');
  else {
    const more = slab.mode === 'mean' ? 'add' : slab.mode;
    for (let k = first; k <= last; k++) plane(v, cut, k * stepThrough, out, k === first ? 'put' : more);
    if (slab.mode === 'mean') for (let i = 0; i < count; i++) out[i] = (out[i] as number) / (last - first + 1);
  }
  return v.whole ? rounded(v, out) : out;
}

function rounded(v: Voxels, values: Float32Array): Values {
  const signed = v.frames[0] instanceof Int16Array || v.frames[0] instanceof Int8Array;
  const out = signed ? new Int16Array(values.length) : new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) out[i] = Math.round(values[i] as number);
  return out;
}

type Join = 'put' | 'add' | 'max' | 'min';

// Puts the values of a plane, at a place in mm along its own axis, together with what is in `out`: line by line along a row or column
// of the frames, since only from frame to frame places lie between voxels.
function plane(v: Voxels, cut: Cut, place: number, out: Float32Array, join: Join): void {
  const { axes } = v.grid;
  const { across, down, through } = cut;
  const { axis } = through;
  const lines = axis === 2 || down.axis === 2 ? down : across;
  const along = lines === down ? across : down;
  const [lineStep, alongStep] = lines === down ? [across.count, 1] : [1, across.count];
  const fixed = axis === 2 ? 0 : Math.round(place / axes[axis].step);
  const line = new Float32Array(along.count);
  const more = new Float32Array(along.count);
  for (let l = 0; l < lines.count; l++) {
    const on = lines.against ? lines.count - 1 - l : l;
    const depth = axis === 2 ? place : on * lines.step;
    const at = Math.min(axes[2].count - 1, Math.max(0, depth / axes[2].step));
    const low = Math.floor(at + 1e-9);
    const part = at - low;
    // The number of the column (0) or row (1) on which the line lies; it runs along the other one.
    const across = axis === 2 ? on : fixed;
    const columns = along.axis === 0;
    read(v, low, columns, across, line);
    if (part > 1e-9) {
      read(v, low + 1, columns, across, more);
      mix(v, line, more, part);
    }
    put(out, l * lineStep, alongStep, along.against, line, join);
  }
}

/** Reads one row (or column) of the box from a frame: its number and the places along it are those of the box. */
function read(v: Voxels, frame: number, alongRow: boolean, number: number, line: Line): void {
  const { columns, rows, begin, shift, tilt } = v.grid;
  const samples = v.frames[frame] as SampleArray;
  if (tilt > 0) {
    const [x0, y0] = [begin[0] - frame * shift[0], begin[1] - frame * shift[1]];
    for (let i = 0; i < line.length; i++)
      line[i] = alongRow ? between(v, samples, i + x0, number + y0) : between(v, samples, number + x0, i + y0);
    return;
  }
  if (alongRow) for (let i = 0, at = number * columns; i < line.length; i++, at++) line[i] = samples[at] as number;
  else for (let i = 0, at = number; i < rows && i < line.length; i++, at += columns) line[i] = samples[at] as number;
}

// The value between four pixels of a frame that is shifted; beside the frame there is none.
function between(v: Voxels, samples: SampleArray, x: number, y: number): number {
  const { columns, rows } = v.grid;
  const x0 = Math.floor(x + 1e-9);
  const y0 = Math.floor(y + 1e-9);
  if (x0 < 0 || y0 < 0 || x0 >= columns || y0 >= rows) return v.outside;
  const px = Math.max(0, x - x0);
  const py = Math.max(0, y - y0);
  const right = px > 1e-9 ? 1 : 0;
  const below = py > 1e-9 ? columns : 0;
  if ((right && x0 + 1 >= columns) || (below && y0 + 1 >= rows)) return v.outside;
  const at = y0 * columns + x0;
  const upper = blend(v, samples[at] as number, samples[at + right] as number, px);
  const lower = below ? blend(v, samples[at + below] as number, samples[at + below + right] as number, px) : upper;
  return blend(v, upper, lower, py);
}

const isPadding = (p: readonly [number, number], value: number) => value >= p[0] && value <= p[1];

// Padding is no value to be mixed with one.
function blend(v: Voxels, a: number, b: number, part: number): number {
  if (v.padding && isPadding(v.padding, a) !== isPadding(v.padding, b)) return part < 0.5 ? a : b;
  return a + (b - a) * part;
}

function mix(v: Voxels, line: Line, more: Line, part: number): void {
  const { padding } = v;
  const n = line.length;
  if (padding) for (let i = 0; i < n; i++) line[i] = blend(v, line[i] as number, more[i] as number, part);
  else for (let i = 0; i < n; i++) line[i] = (line[i] as number) + ((more[i] as number) - (line[i] as number)) * part;
}

function put(out: Float32Array, from: number, step: number, against: boolean, line: Line, join: Join): void {
  const n = line.length;
  const first = against ? from + (n - 1) * step : from;
  const way = against ? -step : step;
  for (let i = 0, at = first; i < n; i++, at += way) {
    const value = line[i] as number;
    const is = out[at] as number;
    if (join === 'put') out[at] = value;
    else if (join === 'add') out[at] = is + value;
    else if (join === 'max' ? value > is : value < is) out[at] = value;
  }
}
