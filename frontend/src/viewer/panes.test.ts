// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { pixelPoint } from '../lib/geometry';
import type { Stack } from '../lib/nouns';
import { fromPatient, matching, planeInSpace, sameSpace, toPatient } from '../lib/space';
import {
  activated,
  activePane,
  gone,
  laidOut,
  layouts,
  linked,
  nextLayout,
  nextPane,
  onePane,
  onScreen,
  pointed,
  put,
  scrolled,
  withAcross,
} from './panes';
import { testFrame, testStack } from './testFrame';

const axial = [1, 0, 0, 0, 1, 0];
const sagittal = [0, 1, 0, 0, 0, -1];

const stack = (
  image: string,
  count: number,
  step: number,
  part: { orientation?: number[]; series?: string; from?: number } = {},
) =>
  testStack(
    Array.from({ length: count }, (_, index) => {
      const at = (part.from ?? 0) + index * step;
      const orientation = part.orientation ?? axial;
      return testFrame({
        index,
        rows: 4,
        columns: 4,
        spacing_mm: [1, 1],
        orientation,
        position: orientation === axial ? [0, 0, at] : [at, 0, 0],
      });
    }),
    { image, series: part.series ?? 's' },
  );

const thin = stack('thin', 41, 1);
const thick = stack('thick', 9, 5);
const across = stack('across', 20, 2, { orientation: sagittal });
const other = stack('other', 11, 1, { series: 'elsewhere', from: 500 });
const stacks: readonly Stack[] = [thin, thick, across, other];

describe('frames that go together', () => {
  it('are the nearest along the normal in one space', () => {
    for (let z = 0; z < 41; z++)
      expect(matching(thin, z, thick)).toBe(Math.min(8, Math.max(0, Math.ceil((z - 2.5) / 5))));
    expect(matching(thick, 3, thin)).toBe(15);
  });

  it('are found from the other side too', () => {
    const reversed = { ...thick, frames: [...thick.frames].reverse() };
    expect(matching(thin, 20, reversed)).toBe(4);
    const looking = { ...thick, frames: thick.frames.map((f) => ({ ...f, orientation: [-1, 0, 0, 0, 1, 0] })) };
    expect(matching(thin, 20, looking)).toBe(4);
  });

  it('are none where the planes lie across', () => {
    expect(matching(thin, 20, across)).toBeUndefined();
  });

  it('are told by the part of the way elsewhere', () => {
    expect(sameSpace(thin, other)).toBe(false);
    expect([0, 20, 40].map((z) => matching(thin, z, other))).toEqual([0, 5, 10]);
  });

  it('are told by the frame of reference before the series', () => {
    const a: Stack = { ...thin, space: '1' };
    expect(sameSpace(a, { ...thick, space: '2' })).toBe(false);
    expect(sameSpace(a, { ...other, space: '1' })).toBe(true);
    expect(sameSpace(a, thick)).toBe(false);
    expect(sameSpace({ ...thin, series: '' }, { ...thick, series: '' })).toBe(false);
  });
});

describe('a plane in the patient', () => {
  it('carries a pixel there and back', () => {
    const plane = planeInSpace(
      testFrame({ spacing_mm: [1.2, 0.4], orientation: [0.8, 0.6, 0, 0, 0, -1], position: [3, -7, 11] }),
    );
    if (!plane) throw new Error('no plane');
    expect(toPatient(plane, pixelPoint(0.5, 0.5))).toEqual([3, -7, 11]);
    for (const [x, y] of [
      [0, 0],
      [7.25, 3.5],
      [-2, 100],
    ] as const) {
      const p = fromPatient(plane, toPatient(plane, pixelPoint(x, y)));
      expect(p.x).toBeCloseTo(x, 9);
      expect(p.y).toBeCloseTo(y, 9);
    }
  });

  it('is none without all of it', () => {
    const good = { spacing_mm: [1, 1], orientation: axial, position: [0, 0, 0] };
    for (const bad of [
      { spacing_mm: null },
      { position: null },
      { orientation: null },
      { orientation: [1, 0, 0, 1, 0, 0] },
      { orientation: [2, 0, 0, 0, 1, 0] },
      { position: [0, Number.NaN, 0] },
    ] as object[]) {
      expect(planeInSpace(testFrame({ ...good, ...bad }))).toBeUndefined();
    }
  });
});

describe('panes', () => {
  it('open the images that are not on the screen yet, on the frame that goes with the active one', () => {
    const two = laidOut(onePane('thin', 20), '1x2', stacks);
    expect(two.panes).toEqual([
      { image: 'thin', frame: 20 },
      { image: 'thick', frame: 4 },
    ]);
    const four = laidOut(two, '2x2', stacks);
    expect(four.panes.map((p) => p.image)).toEqual(['thin', 'thick', 'across', 'other']);
    expect(laidOut(onePane('thin', 0), '2x2', [thin]).panes.map((p) => p.image)).toEqual(['thin', '', '', '']);
  });

  it('keep the active image in every layout', () => {
    let s = activated(laidOut(onePane('thin', 3), '2x2', stacks), 3);
    for (const layout of [...layouts, ...layouts].reverse()) {
      s = laidOut(s, layout, stacks);
      expect(activePane(s).image).toBe('other');
    }
  });

  it('offer no layout with empty rows', () => {
    expect(nextLayout(onePane('a', 0), 2)).toBe('1x2');
    const four = laidOut(onePane('thin', 3), '2x2', stacks);
    expect(nextLayout(four, 4)).toBe('1x1');
    expect(nextLayout(laidOut(onePane('thin', 0), '2x1', stacks), 2)).toBe('1x1');
  });

  it('scroll together, and not the one that lies across', () => {
    const s = scrolled(laidOut(onePane('thin', 20), '2x2', stacks), 0, 31, stacks);
    expect(s.panes.map((p) => p.frame)).toEqual([31, 6, 9, 8]);
    const back = scrolled(s, 1, 0, stacks);
    expect(back.panes[0]?.frame).toBe(0);
    expect(activePane(back)).toEqual({ image: 'thin', frame: 0 });
  });

  it('stay where they are when the link is off, and follow when it is made again', () => {
    const off = linked(laidOut(onePane('thin', 20), '1x2', stacks), 'scroll', stacks);
    const apart = scrolled(off, 0, 0, stacks);
    expect(apart.panes.map((p) => p.frame)).toEqual([0, 4]);
    expect(linked(apart, 'scroll', stacks).panes.map((p) => p.frame)).toEqual([0, 0]);
  });

  it('turn to the pane that has the image which is wanted', () => {
    const two = laidOut(onePane('thin', 20), '1x2', stacks);
    expect(gone(two, 'thick', 2, stacks)).toMatchObject({ active: 1, panes: [{ frame: 10 }, { frame: 2 }] });
    expect(gone(two, 'other', 7, stacks).panes[0]).toEqual({ image: 'other', frame: 7 });
    expect(gone(two, 'thin', 20, stacks)).toEqual(two);
  });

  it('take an image that is dropped on them and refuse one of another case', () => {
    const two = laidOut(onePane('thin', 20), '1x2', stacks);
    expect(put(two, 1, 'other', stacks)).toMatchObject({
      active: 1,
      panes: [{ image: 'thin' }, { image: 'other', frame: 5 }],
    });
    expect(put(two, 1, 'nowhere', stacks)).toBe(two);
    expect(put(two, 9, 'other', stacks)).toBe(two);
  });

  it('are walked round, past those that are empty', () => {
    const s = laidOut(onePane('thin', 0), '2x2', [thin, thick]);
    const visited = [nextPane(s), nextPane(nextPane(s)), nextPane(s, -1)].map((x) => x.active);
    expect(visited).toEqual([1, 0, 1]);
    expect(activated(s, 3)).toBe(s);
    expect(onScreen({ ...s, active: 1, alone: true })).toEqual([1]);
  });

  it('turn to the frames that go through a place', () => {
    const s = laidOut(onePane('thin', 20), '2x2', stacks);
    const there = pointed(s, 0, [10, 0, 31], stacks);
    expect(there.panes.map((p) => p.frame)).toEqual([20, 6, 5, 5]); // the last lies elsewhere and stays
  });

  it('take the planes across an image, each where the image is', () => {
    const s = withAcross(onePane('thin', 30), 'thin', [across, thick], stacks);
    expect(s.panes).toEqual([
      { image: 'thin', frame: 30 },
      { image: 'across', frame: 9 },
      { image: 'thick', frame: 6 },
    ]);
  });
});
