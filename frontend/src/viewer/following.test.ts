// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { pixelPoint, upright } from '../lib/geometry';
import { followed, followedChoice, told } from './following';
import { testFrame } from './testFrame';

const size = { width: 400, height: 300 };
const at = (part: object) =>
  testFrame({ rows: 100, columns: 100, orientation: [1, 0, 0, 0, 1, 0], position: [0, 0, 0], ...part });
const camera = (x: number, y: number, zoom: number) => ({ centre: pixelPoint(x, y), zoom, turn: upright });

describe('a pane that follows another', () => {
  it('shows a millimetre as large, around the same place in the patient', () => {
    const from = at({ spacing_mm: [1, 1] });
    const to = at({ spacing_mm: [0.5, 0.5], position: [-0.25, -0.25, 7], rows: 200, columns: 200 });
    const change = told(from, camera(30, 40, 4), size, false);
    const there = followed(to, camera(100, 100, 1), size, change, true);
    expect(there.zoom).toBeCloseTo(2, 9); // half a millimetre on two pixels
    // Column 30 is 29.5 mm from the first centre: (29.5 + 0.25) / 0.5 + 0.5.
    expect(there.centre.x).toBeCloseTo(60, 9);
    expect(there.centre.y).toBeCloseTo(80, 9);
  });

  it('shows the same part elsewhere, as much larger than fitted', () => {
    const from = at({ spacing_mm: null });
    const to = at({ spacing_mm: [0.5, 0.5], rows: 300, columns: 200 });
    const there = followed(to, camera(1, 1, 1), size, told(from, camera(25, 50, 6), size, false), false);
    expect([there.centre.x, there.centre.y]).toEqual([50, 150]);
    expect(there.zoom).toBeCloseTo(2, 9); // twice as large as the 300 rows fitted
  });

  it('never loses the picture', () => {
    const far = at({ spacing_mm: [1, 1], position: [900, 0, 0] });
    const there = followed(
      far,
      camera(50, 50, 1),
      size,
      told(at({ spacing_mm: [1, 1] }), camera(50, 50, 2), size, false),
      true,
    );
    expect(there.centre.x).toBe(0);
  });

  it('takes numbers of a window only in their unit', () => {
    const own = { kind: 'own', center: 40, width: 80, name: 'brain' } as const;
    const change = { kind: 'window', choice: own, modality: 'CT', unit: 'HU' } as const;
    expect(followedChoice(change, 'CT', 'HU')).toBe(own);
    expect(followedChoice(change, 'MR', '')).toBeUndefined();
    expect(followedChoice({ ...change, choice: { kind: 'file', index: 1 } }, 'MR', '')).toEqual({
      kind: 'file',
      index: 1,
    });
  });
});
