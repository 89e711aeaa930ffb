// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { flipped, flippedDown, pixelPoint, turned, upright } from './geometry';
import { aspectOf, distance, edgeLetters, lettersOf, rulerOf, spacingOf } from './geometryPatient';

const edges = (frame: Parameters<typeof edgeLetters>[0], turn = upright) => {
  const l = edgeLetters(frame, turn);
  return [l.left, l.right, l.top, l.bottom].join(',');
};

// G14: the letters of four orientations. G15: without any, "?" and never a guess.
describe('letters at the edges', () => {
  const cases: [string, number[], string][] = [
    ['axial', [1, 0, 0, 0, 1, 0], 'R,L,A,P'],
    ['coronal', [1, 0, 0, 0, 0, -1], 'R,L,H,F'],
    ['sagittal', [0, 1, 0, 0, 0, -1], 'A,P,H,F'],
    ['oblique', [0.8, 0.6, 0, 0, 0, -1], 'RA,LP,H,F'],
    ['prone', [-1, 0, 0, 0, -1, 0], 'L,R,P,A'],
    ['tilted by a third of a degree', [1, 0, 0, 0, 0.99998, -0.0058], 'R,L,A,P'],
  ];
  for (const [name, orientation, want] of cases) it(name, () => expect(edges({ orientation })).toBe(want));

  it('move with the picture', () => {
    const frame = { orientation: [1, 0, 0, 0, 1, 0] };
    expect(edges(frame, flipped(upright))).toBe('L,R,A,P');
    expect(edges(frame, flippedDown(upright))).toBe('R,L,P,A');
    expect(edges(frame, turned(upright))).toBe('P,A,R,L');
    expect(edges(frame, turned(turned(upright)))).toBe('L,R,P,A');
  });

  it('come from the letters of the file where there are no cosines, and turn too', () => {
    const frame = { orientation: null, patient_orientation: ['LP', 'F'] };
    expect(edges(frame)).toBe('RA,LP,H,F');
    expect(edges(frame, turned(upright))).toBe('F,H,RA,LP');
  });

  it('are never guessed', () => {
    expect(edges({})).toBe('?,?,?,?');
    expect(edges({ orientation: [0, 0, 0, 0, 0, 0] })).toBe('?,?,?,?');
    expect(edges({ orientation: [1, 0, 0] })).toBe('?,?,?,?');
    expect(edges({ patient_orientation: ['left', ''] })).toBe('?,?,?,?');
  });

  it('name the strongest direction first', () => expect(lettersOf([0.2, -0.9, 0.4])).toBe('AHL'));
});

describe('spacing', () => {
  const frame = { spacing_mm: [0.5954, 0.5454] };

  it('is [row, column]: a line along a row is measured with the second', () => {
    const spacing = spacingOf(frame);
    const length = (dx: number, dy: number) => distance(spacing, pixelPoint(0, 0), pixelPoint(dx, dy));
    expect(length(600, 0).value).toBeCloseTo(327.24, 9);
    expect(length(0, 800).value).toBeCloseTo(476.32, 9);
    expect(length(3, 4).value).toBeCloseTo(2.8895, 4);
    expect(length(3, 4).unit).toBe('mm');
    expect(aspectOf(frame)).toEqual({ x: 1, y: 0.5954 / 0.5454 });
  });

  it('unknown gives pixels, drawn with the pixel aspect of the file', () => {
    const tall = { spacing_mm: null, pixel_aspect: [2, 1] };
    expect(spacingOf(tall)).toBeUndefined();
    expect(aspectOf(tall)).toEqual({ x: 1, y: 2 });
    expect(distance(undefined, pixelPoint(0, 0), pixelPoint(3, 4))).toEqual({ value: 5, unit: 'px' });
    for (const spacing_mm of [[0.2, 0], [0.2], [Number.NaN, 1], [-1, 1], undefined]) {
      expect(spacingOf({ spacing_mm })).toBeUndefined();
      expect(aspectOf({ spacing_mm })).toEqual({ x: 1, y: 1 });
    }
  });
});

describe('the ruler', () => {
  const cases: [number, number, number, string][] = [
    [0.7, 2.95, 220, '5 cm'],
    [0.7, 64, 220, '2 mm'],
    [0.1, 0.25, 220, '5 cm'],
    [0.001, 4, 200, '50 µm'],
    [1, 1, 150, '10 cm'],
    [0.3, 1, 100, '2 cm'],
  ];
  for (const [mm, zoom, room, label] of cases) {
    it(`${mm} mm at ${zoom}: ${label}`, () => {
      const ruler = rulerOf({ x: mm, y: mm }, zoom, room);
      expect(ruler?.label).toBe(label);
      expect(ruler?.length).toBeCloseTo(((ruler?.mm ?? 0) / mm) * zoom, 9);
      expect(ruler?.length).toBeLessThanOrEqual(room + 1e-9);
      expect(ruler?.length).toBeGreaterThan(room / 2.5 - 1e-9);
    });
  }

  it('is not there without room', () => expect(rulerOf({ x: 1, y: 1 }, 1, 0)).toBeUndefined());
});
