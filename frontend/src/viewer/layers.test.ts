// @vitest-environment node
import { describe, expect, it } from 'vitest';
import {
  drawsOver,
  framesOf,
  heatColour,
  heatScale,
  type Layer,
  liesOver,
  lookOf,
  paintHeat,
  paintPicture,
  paintPlane,
} from './layers';

const never = () => new Promise<never>(() => {});
const rgba = (out: Uint32Array) => [...new Uint8Array(out.buffer)];

describe('what lies over the picture', () => {
  it('is drawn in its colour where it is, and nowhere else', () => {
    const out = new Uint32Array(3);
    paintPlane({ rows: 1, columns: 3, data: Uint8Array.of(0, 255, 128) }, [1, 2, 3], out);
    expect(rgba(out)).toEqual([1, 2, 3, 0, 1, 2, 3, 255, 1, 2, 3, 128]);
  });

  it('leaves heat below the threshold clear, and what is no number', () => {
    const heat = { rows: 1, columns: 4, data: Float32Array.of(-1, 0, 1, Number.NaN) };
    const out = new Uint32Array(4);
    paintHeat(heat, { low: -1, high: 1 }, 0.5, out);
    expect(rgba(out).filter((_, i) => i % 4 === 3)).toEqual([0, 255, 255, 0]);
    const flat = { rows: 1, columns: 1, data: Float32Array.of(7) };
    const one = new Uint32Array(1);
    paintHeat(flat, { low: 7, high: 7 }, 0, one);
    expect(one[0]).toBe(0);
  });

  it('has colours whose lightness rises with the value', () => {
    const light = Array.from({ length: 101 }, (_, i) => {
      const [r, g, b] = heatColour(i / 100);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
    for (let i = 1; i < light.length; i++) expect(light[i]).toBeGreaterThanOrEqual(light[i - 1] as number);
  });

  it('may be a picture in place of the greys, in grey or in colour', () => {
    const out = new Uint32Array(2);
    paintPicture({ rows: 1, columns: 2, data: Uint8Array.of(7, 9) }, out);
    expect(rgba(out)).toEqual([7, 7, 7, 255, 9, 9, 9, 255]);
    paintPicture({ rows: 1, columns: 2, data: Uint8Array.of(1, 2, 3, 4, 5, 6) }, out);
    expect(rgba(out)).toEqual([1, 2, 3, 255, 4, 5, 6, 255]);
    const picture: Layer = { id: 'p', label: 'p', image: 'ct', kind: '', picture: true };
    expect(lookOf(picture, {})).toEqual({ shown: false, opacity: 1, threshold: 0.3 });
  });

  it('lies over the frames that it names, by pixels or by outlines', () => {
    const outline = { id: 'r', image: 'ct', frame: 3, shape: 'point', coords: [0, 0] };
    const one: Layer = { id: 'a', label: 'a', image: 'ct', kind: '', frames: [5, 1], regions: [outline], load: never };
    expect([1, 3, 4, 5].map((n) => drawsOver(one, n))).toEqual([true, false, false, true]);
    expect([1, 3, 4].map((n) => liesOver(one, n))).toEqual([true, true, false]);
    expect(framesOf(one)).toEqual([1, 3, 5]);
    expect(drawsOver({ id: 'a', label: 'a', image: 'ct', kind: '' }, 0)).toBe(false);
  });

  it('has a scale that is clear below the threshold', () => {
    expect(heatScale(0.3)).toMatch(/^linear-gradient\(90deg, transparent 30%, rgb\(.*\) 30%, .* 100%\)$/);
  });
});
