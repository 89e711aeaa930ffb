// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { Drawings } from './drawings';
import type { Drawing, Layer } from './layers';

interface Asked {
  frame: number;
  signal: AbortSignal;
  give: (d: Drawing) => void;
  fail: (why: string) => void;
}

/** A layer over frames 0 to 9 whose drawings come when the test gives them. */
const layerOf = (id = 'a', more: Partial<Layer> = {}) => {
  const asked: Asked[] = [];
  const layer: Layer = {
    id,
    label: id,
    image: 'ct',
    kind: '',
    frames: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    load: (frame, signal) =>
      new Promise((give, reject) => {
        asked.push({ frame, signal, give, fail: (why) => reject(new Error(why)) });
      }),
    ...more,
  };
  return { layer, asked };
};
const mask = (bytes = 4): Drawing => ({ rows: 1, columns: bytes, data: new Uint8Array(bytes) });
const settled = () => new Promise((done) => setTimeout(done, 0));

describe('the drawings of layers', () => {
  it('are fetched once, that of the frame first and then its neighbours', async () => {
    const { layer, asked } = layerOf();
    const all = new Drawings();
    let told = 0;
    all.subscribe(() => told++);
    all.want('pane', [layer], 5);
    all.want('pane', [layer], 5);
    expect(asked.map((a) => a.frame)).toEqual([5, 6, 4]);
    expect(all.of(layer, 5)).toBeUndefined();
    asked[0]?.give(mask());
    await settled();
    expect(all.of(layer, 5)).toEqual({ drawing: mask() });
    expect([told, all.version()]).toEqual([1, 1]);
    all.want('pane', [layer], 5);
    expect(asked).toHaveLength(3);
  });

  it('are given up when nobody wants them any more, and asked for again later', async () => {
    const { layer, asked } = layerOf();
    const all = new Drawings();
    all.want('one', [layer], 1);
    all.want('two', [layer], 2);
    all.want('one', [layer], 8);
    expect(asked.filter((a) => a.signal.aborted).map((a) => a.frame)).toEqual([0]);
    for (const a of asked) a.give(mask());
    await settled();
    expect(all.of(layer, 0)).toBeUndefined();
    expect(all.of(layer, 1)).toBeDefined();
    all.want('two', [], 0);
    all.want('one', [layer], 0);
    expect(asked.filter((a) => a.frame === 0)).toHaveLength(2);
  });

  it('say why they are not there', async () => {
    const { layer, asked } = layerOf();
    const all = new Drawings();
    all.want('pane', [layer], 0);
    asked[0]?.fail('the file is gone');
    await settled();
    expect(all.of(layer, 0)).toEqual({ trouble: 'the file is gone' });
  });

  it('are one for all frames where a layer says so', async () => {
    const { layer, asked } = layerOf('heat', { every: true });
    const all = new Drawings();
    all.want('pane', [layer], 3);
    expect(asked).toHaveLength(1);
    asked[0]?.give(mask());
    await settled();
    expect(all.of(layer, 9)).toBeDefined();
  });

  it('let the longest unused go when there is no more room', async () => {
    const { layer, asked } = layerOf('a', { frames: [0, 2, 4] });
    const all = new Drawings(10);
    for (const n of [0, 2, 4]) {
      if (n === 4) all.of(layer, 0);
      all.want('pane', [layer], n);
      asked.at(-1)?.give(mask());
      await settled();
    }
    expect([0, 2, 4].map((n) => all.of(layer, n) !== undefined)).toEqual([true, false, true]);
  });

  it('are not asked for where a layer draws nothing', () => {
    const { layer, asked } = layerOf();
    new Drawings().want('pane', [layer], 20);
    expect(asked).toHaveLength(0);
  });
});
