// Planes across a volume: whether its frames allow them, and where they lie. No React, no DOM.

import type { Stack } from '../lib/nouns';
import { dot, minus, type PlaneInSpace, planeInSpace, plus, type Vec } from '../lib/space';
import type { FullFrame } from './props';

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

/**
 * A box of places at right angles that holds every voxel of a stack: along a row, down a column, from frame to frame. Under a tilted
 * gantry each frame is shifted against the one before it, and the box is wider than a frame.
 */
export interface Grid {
  origin: Vec;
  axes: readonly [Axis, Axis, Axis];
  /** The size of a frame. */
  columns: number;
  rows: number;
  /** In pixels right and down: how far the box's first place lies from the first frame's first pixel, and each frame from the last. */
  begin: readonly [number, number];
  shift: readonly [number, number];
  /** Degrees between the way from frame to frame and the frames' normal; 0 where frames are not shifted. */
  tilt: number;
}

// Spacings that differ by no more than this share are even: files round them.
const even = 0.01;
// Frames of which the last is shifted against the first by less than this part of a pixel lie straight; by more than this angle, in
// degrees, they are no volume of a tilted gantry.
const straight = 0.5;
const mostTilt = 45;

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
  return laid(frames, planes as PlaneInSpace[], step);
}

// The box around frames that lie evenly, `step` mm apart along their normal; or in words why there is none.
function laid(frames: readonly FullFrame[], planes: readonly PlaneInSpace[], step: number): Grid | string {
  const [first] = frames as [FullFrame];
  const [p0] = planes as [PlaneInSpace];
  const count = frames.length - 1;
  const way = minus((planes.at(-1) as PlaneInSpace).origin, p0.origin);
  const each = [dot(way, p0.row) / count, dot(way, p0.column) / count] as const;
  const across = Math.hypot(...each);
  const pixel = Math.min(p0.dx, p0.dy);
  const off = (p: PlaneInSpace, i: number) => {
    const from = minus(p.origin, p0.origin);
    return Math.hypot(dot(from, p0.row) - i * each[0], dot(from, p0.column) - i * each[1]);
  };
  const odd = planes.findIndex((p, i) => off(p, i) > pixel);
  if (odd >= 0) return `slice ${odd + 1} is shifted against the others`;
  const shifted = across * count > straight * pixel;
  const tilt = shifted ? (Math.atan2(across, Math.abs(step)) * 180) / Math.PI : 0;
  if (tilt > mostTilt) return `gantry tilt ${tilt.toFixed(1)}°: planes across would be sheared`;
  const shift = shifted ? ([each[0] / p0.dx, each[1] / p0.dy] as const) : ([0, 0] as const);
  const begin = shift.map((s) => Math.min(0, Math.floor(s * count))) as [number, number];
  const wider = shift.map((s) => Math.ceil(Math.abs(s) * count)) as [number, number];
  const sign = Math.sign(step);
  const onward: Vec = [p0.normal[0] * sign, p0.normal[1] * sign, p0.normal[2] * sign];
  return {
    origin: plus(plus(p0.origin, p0.row, begin[0] * p0.dx), p0.column, begin[1] * p0.dy),
    axes: [
      { vec: p0.row, step: p0.dx, count: first.columns + wider[0] },
      { vec: p0.column, step: p0.dy, count: first.rows + wider[1] },
      { vec: onward, step: Math.abs(step), count: frames.length },
    ],
    columns: first.columns,
    rows: first.rows,
    begin,
    shift,
    tilt,
  };
}

/** A side of a plane: an axis of the volume, in its own direction or against it, in pixels of this size. */
export interface Side {
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
export const placeOn = (s: Side, n: number): number => (s.against ? s.count - 1 - n : n) * s.step;

/** The image id of planes across a stack; it is none that the desk knows. */
export const acrossID = (image: string, name: PlaneName, slab: Slab): string =>
  `${image} · ${name}${slab.thickness > 0 ? ` ${slab.mode} ${slab.thickness}` : ''}`;

const slabText: Record<SlabMode, string> = { mean: 'mean', max: 'MIP', min: 'MinIP' };

/** The planes of a cut as a stack of their own, which a viewer shows as any other. */
export function acrossStack(stack: Stack, grid: Grid, cut: Cut, slab: Slab): Stack & { made: string } {
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
    ...(grid.tilt > 0 ? beside(stack) : {}),
  }));
  const thick = slab.thickness > 0 ? ` ${slabText[slab.mode]} ${slab.thickness} mm` : '';
  return {
    ...stack,
    image: acrossID(stack.image, cut.name, slab),
    description: `${cut.name}${thick}`,
    made: grid.tilt > 0 ? `interpolated, tilt of ${grid.tilt.toFixed(1)}° corrected` : 'interpolated',
    frames: frames as Stack['frames'],
    reasons: [],
  };
}

/** How the planes of a stack came about, in words; '' where they are the frames of a file. */
export const howMade = (stack: Stack & { made?: string }): string => stack.made ?? '';

/** The stored value of places that no frame of a tilted volume holds: the padding of the file, else one that no picture has. */
export function outside(stack: Stack): number {
  const [first] = stack.frames as [FullFrame];
  if (!uniform(stack)) return -1e9;
  return first.padding ?? (first.signed ? -32768 : 0);
}

// Those places are padding, and so no image. Unsigned values have none to spare: 0 is the least of them.
const beside = (stack: Stack) => ({ padding: outside(stack) });

/** Whether the stored values of all frames mean the same. */
export function uniform(stack: Stack): boolean {
  const [first] = stack.frames as [FullFrame];
  return (stack.frames as FullFrame[]).every(
    (f) => f.slope === first.slope && f.intercept === first.intercept && !f.modality_lut && f.signed === first.signed,
  );
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
