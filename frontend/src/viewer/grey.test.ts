// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { type Grading, greyer, type Kept, paint } from './grey';
import { testFrame, testPicture } from './testFrame';

type Voi = (Grading & { kind: 'window' })['voi'];
const win = (center: number, width: number, voi: Voi = 'LINEAR'): Grading => ({ kind: 'window', center, width, voi });

describe('the grey of a value, 0–255 before rounding', () => {
  // Reference numbers D01, D02, D04, D07 and D10, and pydicom's of its own tests.
  const cases: [string, Grading, number[], number[]][] = [
    ['LINEAR', win(40, 400), [-161, -160, -159, 0, 39, 40, 239, 240], [0, 0, 0.64, 102.26, 127.18, 127.82, 255, 255]],
    ['LINEAR of width 1 is a threshold', win(127.5, 1), [126, 127, 128], [0, 0, 255]],
    ['a width under 1 is LINEAR_EXACT', win(0.5, 0.4), [0.3, 0.5, 0.7], [0, 127.5, 255]],
    ['a window on values with a negative slope', win(1725, 2550), [3000, 1720, 450], [255, 127.05, 0]],
    ['12 bits', win(450, 790), [642], [189.71]],
    ['LINEAR_EXACT', win(254, 128, 'LINEAR_EXACT'), [0, 1, 128, 254, 255], [0, 0, 0, 127.5, 129.5]],
    ['SIGMOID', win(254, 128, 'SIGMOID'), [0, 1, 128, 254, 255], [0.1, 0.1, 4.9, 127.5, 129.5]],
    ['a table', { kind: 'lut', lut: { first: 5, bits: 8, data: [0, 51, 255] } }, [0, 5, 6, 7, 9], [0, 0, 51, 255, 255]],
  ];
  for (const [name, grading, values, want] of cases) {
    it(name, () => {
      const grey = greyer(grading);
      for (const [i, v] of values.entries())
        expect(Math.abs(grey(v) - (want[i] as number)), `${v}`).toBeLessThanOrEqual(0.05);
    });
  }

  it('never falls as values rise, however narrow the window', () => {
    for (const width of [0.01, 1, 1.5, 2, 400]) {
      const grey = greyer(win(10, width));
      const greys = Array.from({ length: 480 }, (_, i) => grey(i / 4 - 50));
      expect(greys.every((g, i) => g >= 0 && g <= 255 && g >= (greys[i - 1] ?? 0))).toBe(true);
    }
  });
});

describe('a painted picture', () => {
  const shades = (
    frame: ReturnType<typeof testFrame>,
    values: number[],
    kind: string,
    g: Grading,
    inverted = false,
  ) => {
    const out = new Uint32Array(values.length);
    paint(frame, testPicture(frame, values, kind), g, inverted, out);
    return [...out].map((word) => {
      expect(word >>> 24).toBe(255);
      expect([(word >>> 16) & 255, (word >>> 8) & 255]).toEqual([word & 255, word & 255]);
      return word & 255;
    });
  };

  it('inverts a film once, after the window (D05)', () => {
    const film = testFrame({ invert: true });
    expect(shades(film, [0, 1, 128, 254, 255], 'uint8', win(254, 128))).toEqual([255, 255, 255, 126, 124]);
    expect(shades(film, [0, 1, 128, 254, 255], 'uint8', win(254, 128), true)).toEqual([0, 0, 0, 129, 131]);
  });

  it('takes signed and unsigned samples to the ends of their range', () => {
    const g = win(0.5, 65536);
    expect(shades(testFrame(), [-32768, 0, 32767], 'int16', g)).toEqual([0, 128, 255]);
    expect(shades(testFrame(), [-128, 127], 'int8', win(0, 256))).toEqual([0, 255]);
    expect(shades(testFrame({ intercept: -32768 }), [0, 65535], 'uint16', g)).toEqual([0, 255]);
  });

  it('goes through float samples one by one, and what is no number is black', () => {
    expect(shades(testFrame({ float: true }), [0.3, 0.5, 0.7, Number.NaN], 'float32', win(0.5, 0.4))).toEqual([
      0, 128, 255, 0,
    ]);
  });

  it('shows padding as the backend does for the model: as any value', () => {
    expect(shades(testFrame({ padding: -2000 }), [-2000, 0, 100], 'int16', win(50, 101))).toEqual([0, 1, 255]);
  });

  it('has the same greys with the table of the picture before it, and with another where that cannot serve', () => {
    const kept: Kept = {};
    const ct = testFrame({ intercept: -1024 });
    const steps: [ReturnType<typeof testFrame>, number[], Grading, boolean][] = [
      [ct, [1000, 1100], win(40, 400), false],
      [ct, [900, 1300, 1050], win(40, 400), false], // more values than the table has
      [ct, [-2000, 3000], win(40, 400), false],
      [ct, [1000, 1100], win(-600, 1500), false],
      [ct, [1000, 1100], win(-600, 1500), true],
      [testFrame({ slope: 2 }), [1000, 1100], win(-600, 1500), true],
      [testFrame({ slope: 2, invert: true }), [1000, 1100], win(-600, 1500), true],
      [ct, [1000, 1100], win(-600, 1500, 'SIGMOID'), true],
    ];
    for (const [frame, values, grading, inverted] of steps) {
      const out = new Uint32Array(values.length);
      paint(frame, testPicture(frame, values), grading, inverted, out, kept);
      expect([...out].map((word) => word & 255)).toEqual(shades(frame, values, 'int16', grading, inverted));
    }
  });
});
