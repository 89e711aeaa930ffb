// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { heatColour, heatRange, over, paintHeat, paintPlane } from './layers';
import { readNPY } from './npy';

const rgba = (out: Uint32Array) => [...new Uint8Array(out.buffer)];

/** An NPY file of version 1 with these values as little-endian float32, as numpy writes it. */
function npy(shape: string, values: readonly number[], descr = '<f4', more = "'fortran_order': False"): ArrayBuffer {
  const text = `{'descr': '${descr}', ${more}, 'shape': (${shape}), }`;
  const header = `${text.padEnd(Math.ceil((10 + text.length + 1) / 64) * 64 - 11)}\n`;
  const out = new Uint8Array(10 + header.length + 4 * values.length);
  out.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 0xff, header.length >> 8]);
  out.set(new TextEncoder().encode(header), 10);
  const view = new DataView(out.buffer);
  for (const [i, v] of values.entries()) view.setFloat32(10 + header.length + 4 * i, v, descr[0] !== '>');
  return out.buffer;
}

describe('what lies over the picture', () => {
  it('is drawn in its colour where it is, and nowhere else', () => {
    const out = new Uint32Array(3);
    paintPlane({ rows: 1, columns: 3, data: Uint8Array.of(0, 255, 128) }, [1, 2, 3], out);
    expect(rgba(out)).toEqual([1, 2, 3, 0, 1, 2, 3, 255, 1, 2, 3, 128]);
  });

  it('leaves heat below the threshold clear, and what is no number', () => {
    const heat = { rows: 1, columns: 4, values: Float32Array.of(-1, 0, 1, Number.NaN) };
    const out = new Uint32Array(4);
    paintHeat(heat, heatRange([heat]), 0.5, out);
    expect(rgba(out).filter((_, i) => i % 4 === 3)).toEqual([0, 255, 255, 0]);
    const flat = { rows: 1, columns: 1, values: Float32Array.of(7) };
    const one = new Uint32Array(1);
    paintHeat(flat, heatRange([flat]), 0, one);
    expect(one[0]).toBe(0);
  });

  it('has colours whose lightness rises with the value', () => {
    const light = Array.from({ length: 101 }, (_, i) => {
      const [r, g, b] = heatColour(i / 100);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
    for (let i = 1; i < light.length; i++) expect(light[i]).toBeGreaterThanOrEqual(light[i - 1] as number);
  });

  it('is that of the frame, or of every frame', () => {
    const list = [{ frame: 1, n: 'one' }, { n: 'all' }, { frame: 2, n: 'two' }];
    expect(over(list, 1).map((x) => x.n)).toEqual(['one', 'all']);
    expect(over(undefined, 1)).toEqual([]);
  });
});

describe('arrays of numpy', () => {
  it('are read row by row, in either byte order', () => {
    const [one] = readNPY(npy('2, 3', [1, 2, 3, 4, 5, 6]));
    expect(one).toMatchObject({ rows: 2, columns: 3 });
    expect([...(one?.values ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(one?.frame).toBeUndefined();
    const three = readNPY(npy('3, 1, 2', [1, 2, 3, 4, 5, 6], '>f4'));
    expect(three.map((h) => [h.frame, ...h.values])).toEqual([
      [0, 1, 2],
      [1, 3, 4],
      [2, 5, 6],
    ]);
  });

  it('are refused in words where they are something else', () => {
    const good = npy('2, 2', [1, 2, 3, 4]);
    expect(() => readNPY(new ArrayBuffer(3))).toThrow('no NPY file');
    expect(() => readNPY(good.slice(0, good.byteLength - 1))).toThrow('has 143 of 144 bytes');
    expect(() => readNPY(npy('2, 2', [], '<c8'))).toThrow('plain numbers');
    expect(() => readNPY(npy('4,', [1, 2, 3, 4]))).toThrow('rows and columns');
    expect(() => readNPY(npy('2, 2', [1, 2, 3, 4], '<f4', "'fortran_order': True"))).toThrow('column order');
    expect(() => readNPY(npy('99999, 99999', []))).toThrow('are the most');
  });

  it('never do worse than to be refused', () => {
    // Bytes of a good file changed and cut, in an order of their own (a linear congruence: every run the same).
    let seed = 7;
    const next = (n: number) => {
      seed = (seed * 1664525 + 1013904223) >>> 0;
      return seed % n;
    };
    for (let run = 0; run < 3000; run++) {
      const bytes = new Uint8Array(npy('2, 3', [1, 2, 3, 4, 5, 6]).slice(0, next(160)));
      for (let k = next(6); k > 0 && bytes.length > 0; k--) bytes[next(bytes.length)] = next(256);
      try {
        for (const h of readNPY(bytes.buffer)) expect(h.values.length).toBe(h.rows * h.columns);
      } catch (e) {
        expect((e as Error).message).toMatch(/NPY|array/);
      }
    }
  });
});
