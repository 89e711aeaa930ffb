// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { fitCamera, pixelPoint, upright, viewOf } from '../lib/geometry';
import type { Region } from '../lib/nouns';
import { frameOf, showed, shownOn } from './props';
import { cornersOf, grown, inWords, movedBy, outlineOf, reshaped } from './Regions';
import { lengthText, sliceSpacing, spacingText } from './spacing';
import { testFrame, testStack } from './testFrame';

const plane = { columns: 10, rows: 20 };
const size = { width: 100, height: 200 };
const view = viewOf(plane, { x: 1, y: 1 }, fitCamera(plane, { x: 1, y: 1 }, upright, size), size);
const region = (part: Partial<Region>): Region => ({
  id: 'r',
  image: 'i',
  shape: 'box',
  coords: [0.1, 0.1, 0.3, 0.2],
  ...part,
});

describe('where a region is shown', () => {
  it('is its frame, its range, or everywhere in its image', () => {
    expect([17, 18, 19].map((n) => shownOn(region({ frame: 18 }), 'i', n))).toEqual([false, true, false]);
    expect([2, 3, 5, 6].map((n) => shownOn(region({ from: 3, to: 5 }), 'i', n))).toEqual([false, true, true, false]);
    expect(shownOn(region({}), 'i', 7)).toBe(true);
    expect(shownOn(region({ frame: 1 }), 'other', 1)).toBe(false);
  });

  it('is found among the frames of a stack by their numbers', () => {
    const stack = testStack([10, 11, 12, 13].map((index) => testFrame({ index })));
    expect(frameOf(region({ frame: 12 }), stack)).toBe(2);
    expect(frameOf(region({ from: 10, to: 13 }), stack)).toBe(1);
    expect(frameOf(region({ frame: 3 }), stack)).toBeUndefined();
    expect(frameOf(region({}), stack)).toBeUndefined();
    expect(frameOf(region({ image: 'other', frame: 12 }), stack)).toBeUndefined();
  });
});

describe('whether a region was seen', () => {
  const seen = { image: 'i', frame: 18, window: undefined, zoom: 1, fits: () => true };
  const cases: [string, readonly [number, number, number, number], Partial<Region>, boolean][] = [
    ['whole', [0, 0, 1, 1], { frame: 18 }, true],
    ['on another frame', [0, 0, 1, 1], { frame: 17 }, false],
    ['half of it', [0.2, 0, 1, 1], { frame: 18 }, true],
    ['less than half', [0.21, 0, 1, 1], { frame: 18 }, false],
    ['a quarter, cut twice', [0.2, 0.15, 1, 1], { frame: 18 }, false],
    ['a point within', [0.4, 0.4, 0.6, 0.6], { shape: 'point', coords: [0.5, 0.5] }, true],
    ['a point outside', [0.4, 0.4, 0.6, 0.6], { shape: 'point', coords: [0.5, 0.7] }, false],
    ['the whole image', [0.4, 0.4, 0.6, 0.6], { shape: 'whole_image', coords: [] }, true],
    ['nothing in view', [0, 0, 0, 0], { shape: 'whole_image', coords: [] }, false],
  ];
  for (const [name, visible, part, want] of cases) {
    it(name, () => expect(showed({ ...seen, visible }, region(part))).toBe(want));
  }
});

describe('the outline of a region', () => {
  it('runs through its corners on the screen', () => {
    expect(cornersOf(region({}), view).map(({ x, y }) => [Math.round(x), Math.round(y)])).toEqual([
      [10, 20],
      [30, 20],
      [30, 40],
      [10, 40],
    ]);
    expect(outlineOf(region({ shape: 'polygon', coords: [0, 0, 1, 0, 1, 1] }), view)).toBe('M0 0L100 0L100 200Z');
    expect(outlineOf(region({ shape: 'ellipse' }), view)).toMatch(/^M10 30A10 10 0 1 0 /);
  });

  it('is words where there is none on the picture', () => {
    const whole = region({ shape: 'whole_image', coords: [] });
    expect(outlineOf(whole, view)).toBe('');
    expect(inWords({ region: whole, owner: 'model', label: 'model · step 1' })).toBe('model · step 1: whole image');
    expect(inWords({ region: region({}), owner: 'mine' })).toBe('');
  });
});

describe('changing a region', () => {
  it('moves a corner to a pixel edge and keeps the other three sides true', () => {
    expect(reshaped(region({}), 2, plane, { x: 0.52, y: 0.51 }).coords).toEqual([0.1, 0.1, 0.5, 0.5]);
    expect(reshaped(region({}), 0, plane, { x: 0.91, y: 0.4 }).coords).toEqual([0.3, 0.2, 0.9, 0.4]);
  });

  it('never makes a box without a pixel, nor one outside the image', () => {
    const thin = reshaped(region({}), 2, plane, { x: 0.1, y: 0.1 }).coords as [number, number, number, number];
    expect(thin[2] - thin[0]).toBeCloseTo(0.1, 9);
    expect(thin[3] - thin[1]).toBeCloseTo(0.05, 9);
    expect(reshaped(region({}), 2, plane, { x: 7, y: 7 }).coords).toEqual([0.1, 0.1, 1, 1]);
    const last = reshaped(region({ coords: [0.5, 0.5, 1, 1] }), 0, plane, { x: 1, y: 1 }).coords;
    expect(last.map((v) => Number(v.toFixed(9)))).toEqual([0.9, 0.95, 1, 1]);
  });

  it('moves a box by whole pixels and stops at the edge', () => {
    const round = (r: Region) => r.coords.map((v) => Number(v.toFixed(9)));
    expect(round(movedBy(region({}), plane, 0.21, 0.04))).toEqual([0.3, 0.15, 0.5, 0.25]);
    expect(round(movedBy(region({}), plane, 5, -5))).toEqual([0.8, 0, 1, 0.1]);
    expect(round(movedBy(region({ shape: 'point', coords: [0.5, 0.5] }), plane, 0.013, 9))).toEqual([0.513, 1]);
    expect(
      round(reshaped(region({ shape: 'polygon', coords: [0, 0, 1, 0, 1, 1] }), 1, plane, { x: 0.4, y: -3 })),
    ).toEqual([0, 0, 0.4, 0, 1, 1]);
  });
});

describe('the distance of frames', () => {
  const at = (...positions: number[][]) =>
    testStack(positions.map((position, index) => testFrame({ index, position, orientation: [1, 0, 0, 0, 1, 0] })));

  it('is along the normal: a tilted gantry does not lengthen it', () => {
    expect(sliceSpacing(at([0, 0, 0], [0, 1.2, 5], [0, 2.4, 10]), 0)).toBe(5);
    expect(sliceSpacing(at([0, 0, 0], [0, 0, 1.6], [0, 0, 4.8]), 2)).toBeCloseTo(3.2, 9);
  });

  it('is unknown for a clip and for frames without a place', () => {
    expect(sliceSpacing({ ...at([0, 0, 0], [0, 0, 1]), kind: 'frames' }, 0)).toBeUndefined();
    expect(sliceSpacing(testStack([testFrame(), testFrame()]), 0)).toBeUndefined();
    expect(sliceSpacing(at([0, 0, 0]), 0)).toBeUndefined();
  });
});

describe('the spacing in words', () => {
  const still = (spacing_mm: number[] | undefined, spacing_source = '') =>
    spacingText(testStack([testFrame({ spacing_mm, spacing_source })]), 0);
  it.each([
    [[0.7, 0.7], '', '0.70 × 0.70 mm'],
    [[0.14, 0.14], 'ImagerPixelSpacing', '0.14 × 0.14 mm at the detector'],
    [[0.01, 0.012], '', '0.01 × 0.01 mm'],
    [[0.00025, 0.00025], '', '0.25 × 0.25 µm'],
    [[0.000499, 0.02], '', '0.499 × 20 µm'],
    [[0.002, 0.002], 'NominalScannedPixelSpacing', '2 × 2 µm of the scanned film'],
    [undefined, '', 'no spacing known'],
  ])('of %j from %j is %j', (spacing, source, want) => expect(still(spacing, source)).toBe(want));

  it.each([
    [[0.7, 0.7], '2.50 mm · 0.70 × 0.70'],
    [[0.001, 0.001], '2.50 mm · 1 × 1 µm'],
    [undefined, '2.50 mm'],
  ])('of a volume with %j names the distance of its frames first', (spacing_mm, want) => {
    const frames = [0, 1].map((i) =>
      testFrame({ index: i, spacing_mm, position: [0, 0, 2.5 * i], orientation: [1, 0, 0, 0, 1, 0] }),
    );
    expect(spacingText({ ...testStack(frames), kind: 'volume' }, 0)).toBe(want);
  });

  it.each([
    [undefined, '50.0 px'],
    [{ x: 0.5, y: 0.5 }, '25.0 mm'],
    [{ x: 0.00025, y: 0.00025 }, '12.5 µm'],
    [{ x: 0.00999, y: 1 }, '40.0 mm'],
  ])('measures 30 by 40 pixels of %j as %j', (spacing, want) =>
    expect(lengthText(spacing, pixelPoint(0, 0), pixelPoint(30, 40))).toBe(want),
  );
});

describe('a region moved by keys', () => {
  const plane = { columns: 10, rows: 20 };
  const box = region({ coords: [0.2, 0.2, 0.5, 0.5] });

  it('grows and shrinks by its last corner, a pixel at least, within the image', () => {
    expect(grown(box, plane, 0.1, 0.05).coords).toEqual([0.2, 0.2, 0.6, 0.55]);
    expect(grown(box, plane, -0.1, 0).coords).toEqual([0.2, 0.2, 0.4, 0.5]);
    expect(grown(box, plane, 5, 5).coords).toEqual([0.2, 0.2, 1, 1]);
    const [x0 = 0, , x1 = 0] = grown(box, plane, -0.3, 0).coords;
    expect(x1 - x0).toBeCloseTo(0.1);
  });

  it('moves as a whole where it has no corner of its own', () => {
    expect(grown(region({ shape: 'point', coords: [0.5, 0.5] }), plane, 0.1, 0).coords).toEqual([0.6, 0.5]);
  });
});
