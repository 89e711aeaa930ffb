// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { pixelPoint } from '../lib/geometry';
import { angle, area, type Measure, measureText, numbered, restoredMeasures, shifted, statistics } from './measures';
import { decode } from './samples';
import { testFrame } from './testFrame';

const frame = (part: object = {}) =>
  testFrame({ rows: 20, columns: 30, unit: 'HU', intercept: -1024, spacing_mm: [0.5, 0.25], ...part });
const picture = (f: ReturnType<typeof frame>, of: (x: number, y: number) => number) => {
  const samples = new Int16Array(f.rows * f.columns);
  for (let i = 0; i < samples.length; i++) samples[i] = of(i % f.columns, Math.floor(i / f.columns));
  return decode(f, 'int16', samples.buffer);
};

describe('values in an area', () => {
  const f = frame();
  const p = picture(f, (x, y) => x * 10 + y);

  it('are those of the pixels whose centres lie in the box, in modality units', () => {
    const s = statistics(f, p, 'box', pixelPoint(7, 4), pixelPoint(4, 2));
    // columns 4..6, rows 2..3, written out
    const values = [42, 52, 62, 43, 53, 63].map((v) => v - 1024);
    const mean = values.reduce((a, b) => a + b) / 6;
    expect(s).toMatchObject({ count: 6, min: 42 - 1024, max: 63 - 1024 });
    expect(s?.mean).toBeCloseTo(mean, 9);
    expect(s?.sd).toBeCloseTo(Math.sqrt(values.reduce((a, v) => a + (v - mean) ** 2, 0) / 6), 9);
  });

  it('are those whose centres lie in the ellipse', () => {
    const [x0, y0, x1, y1] = [3.2, 2.1, 17.9, 15.4];
    const inside: number[] = [];
    for (let y = 0; y < 20; y++)
      for (let x = 0; x < 30; x++) {
        const u = (x + 0.5 - (x0 + x1) / 2) / ((x1 - x0) / 2);
        const v = (y + 0.5 - (y0 + y1) / 2) / ((y1 - y0) / 2);
        if (u * u + v * v <= 1) inside.push(x * 10 + y - 1024);
      }
    const s = statistics(f, p, 'ellipse', pixelPoint(x0, y0), pixelPoint(x1, y1));
    expect(s?.count).toBe(inside.length);
    expect(s?.mean).toBeCloseTo(inside.reduce((a, b) => a + b) / inside.length, 9);
    expect([s?.min, s?.max]).toEqual([Math.min(...inside), Math.max(...inside)]);
  });

  it('end at the edge of the image and leave padding out', () => {
    const padded = frame({ padding: 0 });
    const q = picture(padded, (x) => (x < 2 ? 0 : 100));
    expect(statistics(padded, q, 'box', pixelPoint(-5, -5), pixelPoint(4, 99))).toMatchObject({
      count: 40,
      mean: -924,
      sd: 0,
    });
    expect(statistics(padded, q, 'box', pixelPoint(-5, -5), pixelPoint(-1, -1))).toBeUndefined();
    expect(statistics(padded, q, 'box', pixelPoint(0, 0), pixelPoint(2, 9))).toBeUndefined();
  });

  it('keep their digits where they are large and close together', () => {
    const big = frame({ intercept: 1e9 });
    const s = statistics(
      big,
      picture(big, (x) => x % 2),
      'box',
      pixelPoint(0, 0),
      pixelPoint(10, 10),
    );
    expect(s?.sd).toBeCloseTo(0.5, 6);
  });
});

describe('sizes', () => {
  it('are square in millimetres', () => {
    const f = frame();
    expect(area(f, 'box', pixelPoint(0, 0), pixelPoint(8, 4))).toEqual({ value: 4, unit: 'mm²' });
    expect(area(f, 'ellipse', pixelPoint(8, 4), pixelPoint(0, 0)).value).toBeCloseTo(Math.PI, 9);
    // 2 px across are 0.5 mm, 1 px down is 0.5 mm: 45 degrees
    expect(angle(f, [pixelPoint(2, 0), pixelPoint(0, 0), pixelPoint(2, 1)])).toBeCloseTo(45, 9);
    expect(angle(f, [pixelPoint(1, 1), pixelPoint(0, 0), pixelPoint(-1, -1)])).toBeCloseTo(180, 9);
    expect(angle(f, [pixelPoint(1, 1), pixelPoint(1, 1), pixelPoint(0, 0)])).toBeUndefined();
  });

  // G04: a spacing that cannot be believed is none; G05: its pixels are counted, and the shape of a pixel counts for angles
  it('say that the spacing is not known and count pixels', () => {
    const f = frame({ spacing_mm: null, pixel_aspect: [2, 1] });
    const p = picture(f, () => 1);
    const said = (kind: Measure['kind'], ...points: [number, number][]) =>
      measureText(f, p, { kind, points: points.map(([x, y]) => pixelPoint(x, y)) });
    expect(said('distance', [0, 0], [3, 4])).toEqual(['5.0 px', 'spacing unknown']);
    expect(said('box', [0, 0], [3, 4])).toContain('area 12.0 px');
    expect(said('box', [0, 0], [3, 4])).toContain('spacing unknown');
    expect(said('angle', [2, 0], [0, 0], [2, 1])).toEqual(['45.0°']);
  });

  // G01: a line of 600 columns and one of 800 rows; D14: HU and not stored values
  it('are told in words with their units', () => {
    const f = frame({ rows: 800, columns: 600, spacing_mm: [0.5954, 0.5454] });
    const p = picture(f, () => 1064);
    const said = (kind: Measure['kind'], ...points: [number, number][]) =>
      measureText(f, p, { kind, points: points.map(([x, y]) => pixelPoint(x, y)) });
    expect(said('distance', [0, 5], [600, 5])).toEqual(['327.2 mm']);
    expect(said('distance', [5, 0], [5, 800])).toEqual(['476.3 mm']);
    expect(said('box', [10, 10], [12, 12])[0]).toBe('mean 40.0 ± 0.0 HU');
    const film = { ...f, spacing_source: 'ImagerPixelSpacing' };
    expect(measureText(film, p, { kind: 'distance', points: [pixelPoint(0, 0), pixelPoint(1, 0)] })[1]).toBe(
      'at the detector',
    );
  });

  it('have no values in colour', () => {
    const f = frame({ samples: 3, rows: 2, columns: 2 });
    const p = decode(f, 'rgb8', new Uint8Array(12).buffer);
    expect(measureText(f, p, { kind: 'box', points: [pixelPoint(0, 0), pixelPoint(2, 2)] })[0]).toBe(
      'no values in colour',
    );
  });
});

describe('measurements that are kept', () => {
  const m: Measure = {
    id: 'm1',
    image: 'i',
    frame: 2,
    kind: 'angle',
    points: [pixelPoint(0, 0), pixelPoint(1, 0), pixelPoint(1, 1)],
  };

  it('come back as they were, and nothing else does', () => {
    expect(restoredMeasures(JSON.parse(JSON.stringify([m])))).toEqual([m]);
    for (const bad of [
      null,
      7,
      {},
      [null],
      [7],
      [{ ...m, points: [] }],
      [{ ...m, kind: 'x' }],
      [{ ...m, frame: 1.5 }],
    ]) {
      expect(restoredMeasures(bad)).toEqual([]);
    }
  });

  it('move by a point or as a whole, under ids of their own', () => {
    expect(shifted(m, 1, 2, 3).points).toEqual([pixelPoint(0, 0), pixelPoint(3, 3), pixelPoint(1, 1)]);
    expect(shifted(m, undefined, 2, 3).points[0]).toEqual(pixelPoint(2, 3));
    expect(numbered(m, [{ ...m, id: 'm2' }, m]).id).toBe('m3');
    expect(numbered(m, [{ ...m, id: 'm2' }]).id).toBe('m3');
  });
});
