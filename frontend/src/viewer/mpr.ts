// Planes across a volume: whether its frames allow them, where they lie, and their values. No React, no DOM.

import type { Stack } from '../lib/nouns';
import { dot, minus, type PlaneInSpace, planeInSpace, plus, type Vec } from '../lib/space';
import type { FullFrame } from './props';
import { modality, type Picture, paddingTest, type SampleArray } from './samples';

/** What a slab shows of the values across it. */
export type SlabMode = 'mean' | 'max' | 'min';

export interface Slab {
  mode: SlabMode;
  /** mm across; 0: one plane. */
  thickness: number;
}

export type PlaneName = 'axial' | 'coronal' | 'sagittal';
export const planeNames: readonly PlaneName[] = ['axial', 'coronal', 'sagittal'];

/** An axis of the volume. */
interface Axis {
  /** The direction in the patient in which its numbers rise; of length 1. */
  vec: Vec;
  /** mm from one number to the next. */
  step: number;
  count: number;
}

/** Where the voxels of a stack lie: along a row, down a column, from frame to frame. */
export interface Grid {
  origin: Vec;
  axes: readonly [Axis, Axis, Axis];
}

// Spacings that differ by no more than this share are even: files round them.
const even = 0.01;
// Frames may be shifted against each other by this part of a pixel.
const shift = 0.1;

const mm = (n: number) => n.toFixed(2);

/** The grid of a stack, or in words why planes across it cannot be shown. */
export function gridOf(stack: Stack): Grid | string {
  const frames = stack.frames as FullFrame[];
  if (stack.kind !== 'volume' || frames.length < 3) return 'planes across need a volume of three frames or more';
  if (frames.some((f) => f.problem)) return 'a frame of the volume cannot be shown';
  if (frames.some((f) => f.samples !== 1)) return 'planes across are of grey pictures only';
  const [first] = frames as [FullFrame];
  if (frames.some((f) => f.rows !== first.rows || f.columns !== first.columns)) return 'the frames differ in size';
  const planes = frames.map(planeInSpace);
  if (!planes.every((p) => p !== undefined)) return 'place, direction or spacing of a frame is unknown';
  const [p0] = planes as [PlaneInSpace];
  const turned = planes.some((p) => dot(p.row, p0.row) < 0.9999 || dot(p.column, p0.column) < 0.9999);
  if (turned) return 'the frames look in different directions';
  if (planes.some((p) => Math.abs(p.dx / p0.dx - 1) > even || Math.abs(p.dy / p0.dy - 1) > even))
    return 'the spacing within the frames differs';
  const steps = planes.slice(1).map((p, i) => dot(minus(p.origin, (planes[i] as PlaneInSpace).origin), p0.normal));
  const step = steps.reduce((a, b) => a + b, 0) / steps.length;
  const [usual] = [...steps].map(Math.abs).sort((a, b) => a - b) as [number];
  if (usual < 1e-4) return 'two frames lie in one place';
  const odd = steps.findIndex((s) => Math.sign(s) !== Math.sign(step) || Math.abs(Math.abs(s) / usual - 1) > even);
  if (odd >= 0) {
    const found = mm(Math.abs(steps[odd] as number));
    return `expected ${mm(usual)} mm, found ${found} mm between slice ${odd + 1} and ${odd + 2}`;
  }
  const last = planes.at(-1) as PlaneInSpace;
  const way = minus(last.origin, p0.origin);
  const across = Math.hypot(dot(way, p0.row), dot(way, p0.column)) / steps.length;
  if (across > shift * Math.min(p0.dx, p0.dy)) {
    const tilt = (Math.atan2(across, Math.abs(step)) * 180) / Math.PI;
    return `gantry tilt ${tilt.toFixed(1)}°: planes across would be sheared`;
  }
  const sign = Math.sign(step);
  return {
    origin: p0.origin,
    axes: [
      { vec: p0.row, step: p0.dx, count: first.columns },
      { vec: p0.column, step: p0.dy, count: first.rows },
      {
        vec: [p0.normal[0] * sign, p0.normal[1] * sign, p0.normal[2] * sign],
        step: Math.abs(step),
        count: frames.length,
      },
    ],
  };
}

/** A side of a plane: an axis of the volume, in its own direction or against it, in pixels of this size. */
interface Side {
  axis: 0 | 1 | 2;
  against: boolean;
  step: number;
  count: number;
}

/** A plane through a grid: across, down, and from plane to plane. */
export interface Cut {
  name: PlaneName;
  across: Side;
  down: Side;
  through: Side;
}

// Radiological convention: what is to the right on the screen, and below.
const wanted: Record<PlaneName, { right: Vec; below: Vec }> = {
  axial: { right: [1, 0, 0], below: [0, 1, 0] },
  coronal: { right: [1, 0, 0], below: [0, 0, -1] },
  sagittal: { right: [0, 1, 0], below: [0, 0, -1] },
};

const strongest = (grid: Grid, v: Vec, from: readonly (0 | 1 | 2)[]): 0 | 1 | 2 =>
  [...from].sort((a, b) => Math.abs(dot(grid.axes[b].vec, v)) - Math.abs(dot(grid.axes[a].vec, v)))[0] as 0 | 1 | 2;

// Between frames values are interpolated to pixels as small as those within them.
function side(grid: Grid, axis: 0 | 1 | 2, along: Vec): Side {
  const { vec, step, count } = grid.axes[axis];
  const fine = axis === 2 ? Math.min(step, grid.axes[0].step, grid.axes[1].step) : step;
  const many = axis === 2 ? Math.floor(((count - 1) * step) / fine + 1e-6) + 1 : count;
  return { axis, against: dot(vec, along) < 0, step: fine, count: many };
}

/** The planes of a name through a grid, along the axes of the volume that come nearest to it. */
export function cutOf(grid: Grid, name: PlaneName): Cut {
  const { right, below } = wanted[name];
  // The one that is looked along is found first: it alone tells the planes of an oblique volume apart.
  const [a, b, c] = planeAxes(grid);
  const normal = name === 'sagittal' ? a : name === 'coronal' ? b : c;
  const rest = ([0, 1, 2] as const).filter((i) => i !== normal);
  const across = strongest(grid, right, rest);
  const down = rest.find((i) => i !== across) as 0 | 1 | 2;
  const along = grid.axes[normal].vec;
  return { name, across: side(grid, across, right), down: side(grid, down, below), through: side(grid, normal, along) };
}

// The axes that come nearest to left–right, front–back and head–foot, each used once.
function planeAxes(grid: Grid): [0 | 1 | 2, 0 | 1 | 2, 0 | 1 | 2] {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const;
  const fits = (o: readonly [0 | 1 | 2, 0 | 1 | 2, 0 | 1 | 2]) =>
    o.reduce<number>((sum, axis, i) => sum + Math.abs(grid.axes[axis].vec[i as 0 | 1 | 2]), 0);
  const [best] = [...orders].sort((a, b) => fits(b) - fits(a));
  return [...(best as (typeof orders)[number])];
}

const direction = (grid: Grid, s: Side): Vec => {
  const { vec } = grid.axes[s.axis];
  const k = s.against ? -1 : 1;
  return [vec[0] * k || 0, vec[1] * k || 0, vec[2] * k || 0];
};

// The place of the nth pixel of a side, in mm along its axis from the first voxel.
const placeOn = (s: Side, n: number): number => (s.against ? s.count - 1 - n : n) * s.step;

/** The image id of planes across a stack; it is none that the desk knows. */
export const acrossID = (image: string, name: PlaneName, slab: Slab): string =>
  `${image} · ${name}${slab.thickness > 0 ? ` ${slab.mode} ${slab.thickness}` : ''}`;

const slabText: Record<SlabMode, string> = { mean: 'mean', max: 'MIP', min: 'MinIP' };

/** The planes of a cut as a stack of their own, which a viewer shows as any other. */
export function acrossStack(stack: Stack, grid: Grid, cut: Cut, slab: Slab): Stack {
  const [first] = stack.frames as [FullFrame];
  const row = direction(grid, cut.across);
  const column = direction(grid, cut.down);
  const corner = [cut.across, cut.down].reduce((at, s) => plus(at, grid.axes[s.axis].vec, placeOn(s, 0)), grid.origin);
  const frames = Array.from({ length: cut.through.count }, (_, index) => ({
    ...first,
    index,
    rows: cut.down.count,
    columns: cut.across.count,
    spacing_mm: [cut.down.step, cut.across.step],
    orientation: [...row, ...column],
    position: [...plus(corner, grid.axes[cut.through.axis].vec, placeOn(cut.through, index))],
    patient_orientation: undefined,
    pixel_aspect: undefined,
    problem: '',
    duration_ms: 0,
    ...(uniform(stack) ? {} : { slope: 1, intercept: 0, modality_lut: undefined, float: true, padding: undefined }),
  }));
  const how = slab.thickness > 0 ? ` ${slabText[slab.mode]} ${slab.thickness} mm` : '';
  return {
    ...stack,
    image: acrossID(stack.image, cut.name, slab),
    description: `${cut.name}${how} · interpolated`,
    frames: frames as Stack['frames'],
    reasons: [],
  };
}

/** Whether the stored values of all frames mean the same. */
export function uniform(stack: Stack): boolean {
  const [first] = stack.frames as [FullFrame];
  return (stack.frames as FullFrame[]).every(
    (f) => f.slope === first.slope && f.intercept === first.intercept && !f.modality_lut && f.signed === first.signed,
  );
}

/** The voxels of a stack, frame by frame as they were decoded: nothing is copied where the stored values mean the same. */
export interface Voxels {
  grid: Grid;
  frames: readonly SampleArray[];
  whole: boolean;
  isPadding: ((stored: number) => boolean) | undefined;
}

export function voxelsOf(stack: Stack, grid: Grid, pictures: readonly Picture[]): Voxels {
  const frames = stack.frames as FullFrame[];
  if (uniform(stack)) {
    const [first] = frames as [FullFrame];
    return {
      grid,
      frames: pictures.map((p) => p.samples),
      whole: pictures.every((p) => p.whole),
      isPadding: paddingTest(first),
    };
  }
  const values = pictures.map((p, i) => {
    const value = modality(frames[i] as FullFrame);
    return Float32Array.from(p.samples, value);
  });
  return { grid, frames: values, whole: false, isPadding: undefined };
}

/** The values of the nth plane of a cut, of the least kind of number that holds them. */
export function resample(v: Voxels, cut: Cut, n: number, slab: Slab): Int16Array | Uint16Array | Float32Array {
  const count = cut.across.count * cut.down.count;
  const at = placeOn(cut.through, n);
  const { step, count: planes } = v.grid.axes[cut.through.axis];
  const half = slab.thickness / 2;
  // The planes of voxels within the slab; of a thin one, or none, the plane itself.
  const stepThrough = cut.through.axis === 2 ? step : cut.through.step;
  const first = Math.max(0, Math.ceil((at - half) / stepThrough - 1e-6));
  const last = Math.min(planes - 1, Math.floor((at + half) / stepThrough + 1e-6));
  const sum = new Float32Array(count);
  if (last <= first) plane(v, cut, at, sum, (_, x) => x);
  else {
    const more = { mean: (a: number, b: number) => a + b, max: Math.max, min: Math.min }[slab.mode];
    for (let k = first; k <= last; k++) plane(v, cut, k * stepThrough, sum, k === first ? (_, x) => x : more);
    if (slab.mode === 'mean') for (let i = 0; i < count; i++) sum[i] = (sum[i] as number) / (last - first + 1);
  }
  if (!v.whole) return sum;
  const signed = v.frames[0] instanceof Int16Array || v.frames[0] instanceof Int8Array;
  const out = signed ? new Int16Array(count) : new Uint16Array(count);
  for (let i = 0; i < count; i++) out[i] = Math.round(sum[i] as number);
  return out;
}

// Where a place along the frames lies between two of them.
function between(place: number, step: number, count: number): [low: number, high: number, part: number] {
  const at = Math.min(count - 1, Math.max(0, place / step));
  const low = Math.floor(at + 1e-9);
  return [low, Math.min(count - 1, low + 1), Math.max(0, at - low)];
}

/** Puts the values of a plane, at a place in mm along its own axis, together with what is in `out`. */
function plane(v: Voxels, cut: Cut, place: number, out: Float32Array, join: (a: number, b: number) => number): void {
  const { axes } = v.grid;
  const columns = axes[0].count;
  const { across, down, through } = cut;
  // The number along row (0), column (1) of a voxel is whole on every plane; only between frames (2) values are interpolated.
  const fixed = through.axis === 2 ? 0 : Math.round(place / axes[through.axis].step);
  const frame = through.axis === 2 ? between(place, axes[2].step, axes[2].count) : undefined;
  for (let y = 0, i = 0; y < down.count; y++) {
    const py = down.against ? down.count - 1 - y : y;
    const fy = down.axis === 2 ? between(py * down.step, axes[2].step, axes[2].count) : frame;
    for (let x = 0; x < across.count; x++, i++) {
      const px = across.against ? across.count - 1 - x : x;
      const [low, high, part] =
        across.axis === 2 ? between(px * across.step, axes[2].step, axes[2].count) : (fy as [number, number, number]);
      const column = across.axis === 0 ? px : down.axis === 0 ? py : fixed;
      const row = across.axis === 1 ? px : down.axis === 1 ? py : fixed;
      const voxel = row * columns + column;
      const a = (v.frames[low] as SampleArray)[voxel] as number;
      let value = a;
      if (part > 1e-9) {
        const b = (v.frames[high] as SampleArray)[voxel] as number;
        // Padding is no value to be mixed with one.
        const padded = v.isPadding && v.isPadding(a) !== v.isPadding(b);
        value = padded ? (part < 0.5 ? a : b) : a + (b - a) * part;
      }
      out[i] = join(out[i] as number, value);
    }
  }
}

/** Where the plane of another picture cuts this one: two pixel points on the edges of the image, or none. */
export function cutLine(
  here: PlaneInSpace,
  size: { columns: number; rows: number },
  other: PlaneInSpace,
): [number, number, number, number] | undefined {
  if (Math.abs(dot(here.normal, other.normal)) > 0.999) return undefined;
  // a x + b y + c = 0 in pixels, (.5,.5) being the centre of the first one
  const a = dot(here.row, other.normal) * here.dx;
  const b = dot(here.column, other.normal) * here.dy;
  const c = dot(minus(here.origin, other.origin), other.normal) - (a + b) / 2;
  const points: [number, number][] = [];
  const add = (x: number, y: number) => {
    const inside = x >= -1e-9 && y >= -1e-9 && x <= size.columns + 1e-9 && y <= size.rows + 1e-9;
    if (inside && !points.some((p) => Math.hypot(p[0] - x, p[1] - y) < 1e-6)) points.push([x, y]);
  };
  if (Math.abs(b) > 1e-9) for (const x of [0, size.columns]) add(x, -(a * x + c) / b);
  if (Math.abs(a) > 1e-9) for (const y of [0, size.rows]) add(-(b * y + c) / a, y);
  const [p, q] = points;
  return p && q ? [p[0], p[1], q[0], q[1]] : undefined;
}
