// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { pixelPoint } from '../lib/geometry';
import { edgeLetters } from '../lib/geometryPatient';
import { minus, planeInSpace, toPatient, type Vec } from '../lib/space';
import { acrossStack, cutLine, cutOf, type Grid, gridOf, howMade, outside, planeNames, uniform } from './mpr';
import { resample, type Voxels } from './planes';
import type { FullFrame } from './props';
import { decode, modality } from './samples';
import { testFrame, testStack } from './testFrame';

const columns = 5;
const rows = 4;
const none = { mode: 'mean', thickness: 0 } as const;

interface Laid {
  count?: number;
  step?: Vec;
  orientation?: number[];
  at?: (i: number) => number;
}

function stackOf(
  { count = 6, step = [0, 0, 2], orientation = [1, 0, 0, 0, 1, 0], at = (i) => i }: Laid = {},
  part: object = {},
) {
  return testStack(
    Array.from({ length: count }, (_, i) =>
      testFrame({
        index: i,
        rows,
        columns,
        spacing_mm: [1, 0.5],
        orientation,
        position: step.map((s) => s * at(i)),
        ...part,
      }),
    ),
  );
}

// One frame lies two millimetres to the side of its neighbours.
function moved() {
  const s = stackOf();
  (s.frames[2] as { position: number[] }).position = [2, 0, 4];
  return s;
}

const gridIn = (s: ReturnType<typeof stackOf>): Grid => {
  const grid = gridOf(s);
  if (typeof grid === 'string') throw new Error(grid);
  return grid;
};

/** The voxels of a stack whose value is told of their numbers along row, column and frame. */
function voxels(s: ReturnType<typeof stackOf>, of: (x: number, y: number, z: number) => number): Voxels {
  const pictures = s.frames.map((f, z) => {
    const samples = Int16Array.from({ length: rows * columns }, (_, i) => of(i % columns, Math.floor(i / columns), z));
    return decode(f as Parameters<typeof decode>[0], 'int16', samples.buffer);
  });
  const frames = s.frames as FullFrame[];
  const { padding } = frames[0] as FullFrame;
  const same = uniform(s);
  return {
    grid: gridIn(s),
    frames: pictures.map((p, i) => (same ? p.samples : Float32Array.from(p.samples, modality(frames[i] as FullFrame)))),
    whole: same,
    padding: [padding ?? outside(s), padding ?? outside(s)],
    outside: outside(s),
  };
}

describe('planes across a volume are refused in words', () => {
  const refused: [string, ReturnType<typeof stackOf>, RegExp][] = [
    ['two frames', stackOf({ count: 2 }), /three frames/],
    // G07: no planes across.
    ['no place (G07)', stackOf({}, { position: null }), /unknown/],
    ['colour', stackOf({}, { samples: 3 }), /grey/],
    // G11: z = 0, 1.6, 3.2, 6.4
    [
      'a gap',
      stackOf({ count: 4, step: [0, 0, 1.6], at: (i) => (i === 3 ? 4 : i) }),
      /expected 1\.60 mm, found 3\.20 mm between slice 3 and 4/,
    ],
    ['one place twice (G09)', stackOf({ count: 6, at: (i) => Math.floor(i / 2) }), /one place/],
    ['more than a gantry tilts', stackOf({ step: [0, 4, 2] }), /gantry tilt 63\.4°: planes across would be sheared/],
    ['a frame that was moved', moved(), /slice 3 is shifted against the others/],
    ['a frame that cannot be shown', stackOf({}, { problem: 'cut short' }), /cannot be shown/],
  ];
  for (const [name, stack, words] of refused) it(name, () => expect(gridOf(stack)).toMatch(words));

  it('a localizer among them (G12)', () => {
    const s = stackOf();
    (s.frames[0] as { orientation: number[] }).orientation = [1, 0, 0, 0, 0, -1];
    expect(gridOf(s)).toMatch(/different directions/);
  });
});

describe('planes across a volume', () => {
  const s = stackOf();
  const v = voxels(s, (x, y, z) => 100 * z + 10 * y + x);

  it('lie by radiological convention, with their letters', () => {
    const letters = planeNames.map((name) => {
      const [first] = acrossStack(s, gridIn(s), cutOf(gridIn(s), name), none).frames;
      const l = edgeLetters(first as object, [1, 0, 0, 1]);
      return `${l.left}${l.right}${l.top}${l.bottom}`;
    });
    expect(letters).toEqual(['RLAP', 'RLHF', 'APHF']);
  });

  it('do so however the volume was scanned', () => {
    for (const orientation of [
      [1, 0, 0, 0, 0, -1],
      [0, 1, 0, 0, 0, -1],
      [-1, 0, 0, 0, 1, 0],
      [0.98, 0.199, 0, -0.199, 0.98, 0],
    ]) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = orientation;
      const normal: Vec = [b * f - c * e, c * d - a * f, a * e - b * d];
      for (const k of [2, -2]) {
        const turned = stackOf({ orientation, step: [normal[0] * k, normal[1] * k, normal[2] * k] });
        const seen = planeNames.map((name) => {
          const [first] = acrossStack(turned, gridIn(turned), cutOf(gridIn(turned), name), none).frames;
          const l = edgeLetters(first as object, [1, 0, 0, 1]);
          return [l.left, l.right, l.top, l.bottom].map((x) => x[0]).join('');
        });
        expect(seen).toEqual(['RLAP', 'RLHF', 'APHF']);
      }
    }
  });

  it('interpolate between frames, with square millimetres and the head up', () => {
    const cut = cutOf(v.grid, 'coronal');
    expect([cut.across.count, cut.down.count, cut.through.count]).toEqual([5, 21, 4]); // 10 mm in steps of 0.5
    const plane = resample(v, cut, 2, none);
    expect(plane).toBeInstanceOf(Int16Array);
    for (let y = 0; y < 21; y++) {
      for (let x = 0; x < 5; x++) expect(plane[y * 5 + x]).toBe(Math.round(100 * ((20 - y) / 4) + 20 + x));
    }
    const [first] = acrossStack(s, v.grid, cut, none).frames;
    expect(first?.spacing_mm).toEqual([0.5, 0.5]);
    expect(first?.position).toEqual([0, 0, 10]);
    const sagittal = cutOf(v.grid, 'sagittal');
    const side = resample(v, sagittal, 3, none);
    expect([side[0], side[3], side[20 * 4]]).toEqual([503, 533, 3]);
    expect(acrossStack(s, v.grid, sagittal, none).frames[3]?.position).toEqual([1.5, 0, 10]);
  });

  it('give the frames themselves back where they lie', () => {
    const cut = cutOf(v.grid, 'axial');
    expect(cut.through.count).toBe(21);
    expect([...resample(v, cut, 4, none)]).toEqual([...(v.frames[1] ?? [])]);
    expect(resample(v, cut, 6, none)[0]).toBe(150);
  });

  it('are taken together in a slab: the greatest, the least, the mean', () => {
    const cut = cutOf(v.grid, 'coronal'); // planes of 1 mm
    const at = (mode: 'mean' | 'max' | 'min') => resample(v, cut, 1, { mode, thickness: 2 })[20 * 5];
    expect([at('max'), at('min'), at('mean')]).toEqual([20, 0, 10]);
    expect(resample(v, cut, 0, { mode: 'max', thickness: 2 })[20 * 5]).toBe(10);
    const axial = cutOf(v.grid, 'axial');
    expect(resample(v, axial, 8, { mode: 'mean', thickness: 4 })[0]).toBe(200);
  });

  it('mix no padding with values', () => {
    const padded = stackOf({}, { padding: -2000 });
    const w = voxels(padded, (_x, _y, z) => (z === 0 ? -2000 : 100));
    const plane = resample(w, cutOf(w.grid, 'coronal'), 0, none);
    expect(new Set(plane)).toEqual(new Set([-2000, 100]));
  });

  it('tell values of frames that are scaled apart in the unit of the file', () => {
    const pet = stackOf();
    for (const [i, f] of pet.frames.entries()) f.slope = i + 1;
    const w = voxels(pet, () => 10);
    const across = acrossStack(pet, w.grid, cutOf(w.grid, 'coronal'), none);
    expect(across.frames[0]?.slope).toBe(1);
    expect(resample(w, cutOf(w.grid, 'coronal'), 0, none)[0]).toBe(60);
  });
});

// G13: 13.5 degrees, table step 5 mm, 48 slices: the planes lie 4.8618 mm apart, shifted by 1.1672 mm each
describe('planes across a volume of a tilted gantry', () => {
  const angle = (13.5 * Math.PI) / 180;
  const step: Vec = [0, 5 * Math.sin(angle), 5 * Math.cos(angle)];
  const s = stackOf({ count: 48, step });
  const grid = gridIn(s);

  it('lie in a box that holds every frame, and say that the tilt was corrected', () => {
    expect(grid.tilt).toBeCloseTo(13.5, 6);
    expect(grid.axes[2].step).toBeCloseTo(4.8618, 4);
    expect(grid.shift[1]).toBeCloseTo(1.1672, 4); // pixels of 1 mm
    expect(grid.axes[1].count).toBe(rows + Math.ceil(47 * step[1]));
    const across = acrossStack(s, grid, cutOf(grid, 'coronal'), none);
    expect([across.description, howMade(across)]).toEqual(['coronal', 'interpolated, tilt of 13.5° corrected']);
  });

  // At the edge of a frame its neighbour has no value to be mixed with: the nearer frame is taken, which lies half a step away at most.
  it.each([
    [0, 1.01],
    [2, 10 * 2 * (4.8618 / 2) + 1],
  ])('have the value of the place in the patient, and none beside the frames (%d a mm to the head)', (rise, most) => {
    const value = (p: Vec) => 10 * (300 + 7 * p[0] - 5 * p[1] + rise * p[2]);
    const v = voxels(s, (x, y, z) => value([x * 0.5, y + z * step[1], z * step[2]]));
    for (const name of planeNames) {
      const cut = cutOf(grid, name);
      const { frames } = acrossStack(s, grid, cut, none);
      const off: number[] = [];
      for (const n of [0, Math.floor(frames.length / 2)]) {
        const plane = planeInSpace(frames[n] as object);
        for (const [i, got] of resample(v, cut, n, none).entries()) {
          if (!plane || got === v.outside) continue;
          const at = pixelPoint((i % cut.across.count) + 0.5, Math.floor(i / cut.across.count) + 0.5);
          off.push(Math.abs(got - value(toPatient(plane, at))));
        }
      }
      expect(off.length).toBeGreaterThan(20);
      expect(Math.max(...off)).toBeLessThanOrEqual(most);
      expect(off.filter((x) => x < 1.01).length).toBeGreaterThan(off.length / 3);
    }
  });

  // G13: from a pixel to the same pixel of the next frame it is 5 mm
  it('are 5 mm apart along the table', () => {
    const [a, b] = s.frames.map((f) => planeInSpace(f));
    if (!a || !b) throw new Error('no plane');
    expect(Math.hypot(...minus(b.origin, a.origin))).toBeCloseTo(5, 9);
  });
});

describe('the line where another plane cuts', () => {
  it('goes through the pixels that lie in both', () => {
    const s = stackOf();
    const here = planeInSpace(s.frames[2] as object);
    const grid = gridIn(s);
    const sagittal = acrossStack(s, grid, cutOf(grid, 'sagittal'), none);
    const other = planeInSpace(sagittal.frames[3] as object);
    if (!here || !other) throw new Error('no plane');
    const line = cutLine(here, { columns, rows }, other);
    expect(line?.map((n) => Number(n.toFixed(9)))).toEqual([3.5, 0, 3.5, 4]); // through the middle of column 3
    expect(cutLine(here, { columns, rows }, here)).toBeUndefined();
    expect(cutLine(here, { columns, rows }, { ...other, origin: [99, 0, 0] })).toBeUndefined();
  });
});
