// @vitest-environment node
import { describe, expect, it } from 'vitest';
import {
  type Camera,
  exifTurn,
  fitCamera,
  flipped,
  flippedDown,
  fromUnit,
  panned,
  pixelAt,
  pixelPoint,
  screenPoint,
  type Turn,
  toPixel,
  toScreen,
  toUnit,
  turned,
  unitBox,
  unitPoint,
  upright,
  viewOf,
  visibleBox,
  zoomedAt,
} from './geometry';

const plane = { columns: 200, rows: 100 };
const size = { width: 824, height: 726 };
const turns: [string, Turn][] = [];
for (const [name, start] of [
  ['upright', upright],
  ['mirrored', flipped(upright)],
] as const) {
  for (let i = 0, t: Turn = start; i < 4; i++, t = turned(t)) turns.push([`${name}, ${90 * i}°`, t]);
}
const aspects = [
  { x: 1, y: 1 },
  { x: 1, y: 3 },
  { x: 2.5, y: 1 },
];

describe('fractions and pixels', () => {
  it('have the outer pixel edges at 0 and 1', () => {
    expect(toUnit(plane, pixelPoint(0, 0))).toEqual({ x: 0, y: 0 });
    expect(toUnit(plane, pixelPoint(200, 100))).toEqual({ x: 1, y: 1 });
    expect(fromUnit(plane, unitPoint(0.5, 0.25))).toEqual({ x: 100, y: 25 });
  });

  it('find the pixel that holds a point, and none outside', () => {
    expect(pixelAt(plane, pixelPoint(0, 0))).toEqual({ column: 0, row: 0 });
    expect(pixelAt(plane, pixelPoint(199.9, 99.9))).toEqual({ column: 199, row: 99 });
    expect(pixelAt(plane, pixelPoint(200, 5))).toBeUndefined();
    expect(pixelAt(plane, pixelPoint(-0.1, 5))).toBeUndefined();
  });
});

describe('a box', () => {
  it('within pixel c covers c/columns to (c+1)/columns', () => {
    for (const c of [0, 7, 199]) {
      const box = unitBox(plane, pixelPoint(c + 0.2, 3.4), pixelPoint(c + 0.8, 3.6));
      expect(box).toEqual([c / 200, 3 / 100, (c + 1) / 200, 4 / 100]);
    }
  });

  it('is ordered, whole and within the image whichever way it is drawn', () => {
    expect(unitBox(plane, pixelPoint(30.5, 90.5), pixelPoint(-8, 400))).toEqual([0, 0.9, 31 / 200, 1]);
    expect(unitBox(plane, pixelPoint(500, 500), pixelPoint(600, 600))).toEqual([199 / 200, 99 / 100, 1, 1]);
  });

  it('drawn from edge to edge gains no pixel from rounding', () => {
    expect(unitBox(plane, pixelPoint(10 - 1e-9, 20 + 1e-9), pixelPoint(12 + 1e-9, 22 - 1e-9))).toEqual([
      0.05, 0.2, 0.06, 0.22,
    ]);
  });
});

describe('the view', () => {
  for (const [name, turn] of turns) {
    for (const aspect of aspects) {
      it(`${name}, pixels ${aspect.x}×${aspect.y}: goes to the screen and back`, () => {
        const camera: Camera = { centre: pixelPoint(60, 20), zoom: 2.75, turn };
        const view = viewOf(plane, aspect, camera, size);
        for (const [x, y] of [
          [0, 0],
          [200, 100],
          [12.5, 77.25],
        ] as const) {
          const there = toPixel(view, toScreen(view, pixelPoint(x, y)));
          expect(there.x).toBeCloseTo(x, 9);
          expect(there.y).toBeCloseTo(y, 9);
        }
        expect(toScreen(view, camera.centre)).toEqual({ x: 412, y: 363 });
      });

      it(`${name}, pixels ${aspect.x}×${aspect.y}: fits the whole image and no more`, () => {
        const view = viewOf(plane, aspect, fitCamera(plane, aspect, turn, size), size);
        const a = toScreen(view, pixelPoint(0, 0));
        const b = toScreen(view, pixelPoint(200, 100));
        const w = Math.abs(a.x - b.x);
        const h = Math.abs(a.y - b.y);
        expect(Math.min(size.width - w, size.height - h)).toBeCloseTo(0, 6);
        expect(Math.max(w - size.width, h - size.height)).toBeLessThan(1e-6);
      });
    }
  }

  it('draws a pixel as wide and high as its spacing says', () => {
    const view = viewOf(plane, { x: 1, y: 3 }, { centre: pixelPoint(0, 0), zoom: 2, turn: upright }, size);
    const [o, p] = [toScreen(view, pixelPoint(0, 0)), toScreen(view, pixelPoint(1, 1))];
    expect([p.x - o.x, p.y - o.y]).toEqual([2, 6]);
  });

  it('zooms about the point under the pointer', () => {
    const camera: Camera = { centre: pixelPoint(100, 50), zoom: 2, turn: turned(flipped(upright)) };
    const view = viewOf(plane, { x: 1, y: 3 }, camera, size);
    const at = screenPoint(450, 300);
    const nearer = viewOf(plane, { x: 1, y: 3 }, zoomedAt(view, camera, 5, at), size);
    const [before, after] = [toPixel(view, at), toPixel(nearer, at)];
    expect(after.x).toBeCloseTo(before.x, 9);
    expect(after.y).toBeCloseTo(before.y, 9);
    expect(nearer.zoom).toBe(5);
  });

  it('tells which part of the image is in the picture area', () => {
    for (const [, turn] of turns) {
      const fitted = viewOf(plane, { x: 1, y: 1 }, fitCamera(plane, { x: 1, y: 1 }, turn, size), size);
      expect(visibleBox(fitted, size)).toEqual([0, 0, 1, 1]);
      const near = viewOf(plane, { x: 1, y: 1 }, { centre: pixelPoint(200, 50), zoom: 20, turn }, size);
      const [w, h] = turn[0] === 0 ? [726, 824] : [824, 726];
      const want = [1 - w / 40 / 200, 0.5 - h / 40 / 100, 1, 0.5 + h / 40 / 100];
      for (const [i, v] of visibleBox(near, size).entries()) expect(v).toBeCloseTo(want[i] as number, 9);
    }
  });

  it('follows a drag, and keeps the image in reach', () => {
    const camera: Camera = { centre: pixelPoint(100, 50), zoom: 4, turn: flipped(upright) };
    const view = viewOf(plane, { x: 1, y: 1 }, camera, size);
    const moved = viewOf(plane, { x: 1, y: 1 }, panned(view, camera, 40, -8), size);
    const p = pixelPoint(100, 50);
    expect(toScreen(moved, p).x - toScreen(view, p).x).toBeCloseTo(40, 9);
    expect(toScreen(moved, p).y - toScreen(view, p).y).toBeCloseTo(-8, 9);
    expect(panned(view, camera, 1e6, 1e6).centre).toEqual({ x: 200, y: 0 });
  });
});

describe('turns', () => {
  it('come back: four quarters, two mirrors', () => {
    expect(turned(turned(turned(turned(upright))))).toEqual(upright);
    expect(flipped(flipped(upright))).toEqual(upright);
    expect(flippedDown(flipped(upright))).toEqual(turned(turned(upright)));
  });

  // I01: both frames of a box.
  it('show an EXIF picture upright: I01, stored 400×300 with orientation 6', () => {
    // Shown 300×400, a box at displayed x=10, y=20, w=30, h=40 is stored at (20,260,40,30).
    const stored = { columns: 400, rows: 300 };
    const shown = { width: 300, height: 400 };
    const view = viewOf(stored, { x: 1, y: 1 }, fitCamera(stored, { x: 1, y: 1 }, exifTurn(6), shown), shown);
    const [a, b] = [toPixel(view, screenPoint(10, 20)), toPixel(view, screenPoint(40, 60))];
    const box = unitBox(stored, a, b);
    expect(box.map((v, i) => v * (i % 2 ? 300 : 400))).toEqual([20, 260, 60, 290].map((v) => expect.closeTo(v, 9)));
  });

  it('undo each EXIF orientation as the standard pictures them', () => {
    // Where the stored first row and first column end up (EXIF 2.3, tag 0x0112): [first row on, first column on].
    const sides: Record<number, [string, string]> = {
      1: ['top', 'left'],
      2: ['top', 'right'],
      3: ['bottom', 'right'],
      4: ['bottom', 'left'],
      5: ['left', 'top'],
      6: ['right', 'top'],
      7: ['right', 'bottom'],
      8: ['left', 'bottom'],
    };
    const side = ([x, y]: [number, number]) => (x ? (x > 0 ? 'right' : 'left') : y > 0 ? 'bottom' : 'top');
    for (const [n, want] of Object.entries(sides)) {
      const [a, b, c, d] = exifTurn(Number(n));
      expect([side([-b, -d]), side([-a, -c])], `orientation ${n}`).toEqual(want);
    }
  });
});
