// Invented drawings over the invented study: two segments and a contour for whoever may see them, a heatmap with the chain.
import type { OverlayLayer, Overlays } from '../lib/nouns';
import type { Backend } from './client';

const blank = {
  image: 'ct',
  regions: [],
  frames: [],
  every: false,
  rows: 0,
  columns: 0,
  low: 0,
  high: 0,
  borrowed: false,
  note: '',
  chain: '',
  step: '',
};
const side = 256;

const blob = (x0: number, y0: number, rx: number, ry: number) => {
  const data = new Uint8Array(side * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) if (((x - x0) / rx) ** 2 + ((y - y0) / ry) ** 2 < 1) data[y * side + x] = 255;
  return { rows: side, columns: side, data };
};

const heat = () => {
  const data = new Float32Array(16 * 16);
  for (let i = 0; i < data.length; i++) data[i] = Math.exp(-(((i % 16) - 11) ** 2 + (Math.floor(i / 16) - 6) ** 2) / 6);
  return { rows: 16, columns: 16, data };
};

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** fakeOverlays lists drawings of files where they are wanted, and the heatmap of the first chain once it is seen. */
export const fakeOverlays = (
  files: boolean,
  seen: (id: string) => { chain: string; step: string } | undefined,
): Pick<Backend, 'overlays' | 'overlayFrame'> => ({
  overlays: async (id): Promise<Overlays> => {
    const drawn: OverlayLayer[] = [
      {
        ...blank,
        id: 'file-1-1',
        kind: 'segment',
        label: 'left lung',
        colour: [90, 170, 255],
        frames: range(10, 30),
        rows: side,
        columns: side,
      },
      {
        ...blank,
        id: 'file-1-2',
        kind: 'segment',
        label: 'nodule',
        colour: [],
        frames: range(14, 21),
        rows: side,
        columns: side,
      },
      {
        ...blank,
        id: 'file-1-3',
        kind: 'contour',
        label: 'heart',
        colour: [240, 90, 120],
        borrowed: true,
        regions: range(12, 26).map((frame) => ({
          id: `c${frame}`,
          image: 'ct',
          frame,
          shape: 'polygon',
          coords: [0.42, 0.45, 0.62, 0.44, 0.66, 0.58, 0.5, 0.68, 0.4, 0.58],
        })),
      },
    ];
    const at = seen(id);
    const hot: OverlayLayer[] = at
      ? [
          {
            ...blank,
            ...at,
            id: 'heat-1-1',
            kind: 'heatmap',
            label: 'chain A, step 1',
            colour: [],
            frames: range(0, 39),
            every: true,
            rows: 16,
            columns: 16,
            high: 1,
          },
        ]
      : [];
    return {
      layers: [...(files ? drawn : []), ...hot],
      problems: files
        ? [
            {
              file: 'heart.dcm',
              line: 0,
              field: '',
              text: 'heart: a contour lies 15.0 mm away from the frame it refers to and is not shown',
            },
          ]
        : [],
    };
  },
  overlayFrame: async (_id, layer) => {
    if (layer === 'file-1-1') return blob(172, 128, 41, 56);
    if (layer === 'file-1-2') return blob(183, 100, 9, 9);
    if (layer === 'heat-1-1') return heat();
    throw new Error('no such drawing');
  },
});
