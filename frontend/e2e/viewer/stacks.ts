// Invented pictures with known values, for looking at the viewer and for checking it: what the page shows and the server sends.

import type { FileWindow, Frame, Stack } from '../../src/lib/nouns.ts';
import type { Layer } from '../../src/viewer/layers.ts';

/** How the server is to answer for a frame. */
export type Manner = 'plain' | 'slow' | 'broken' | 'short';

export interface TestStack {
  stack: Stack;
  kind: 'int8' | 'uint8' | 'int16' | 'uint16' | 'float32' | 'rgb8';
  /** The stored sample(s) of a pixel. */
  sample: (column: number, row: number, frame: number) => number | [number, number, number];
  manner?: (frame: number) => Manner;
}

const plain: Frame = {
  index: 0,
  rows: 256,
  columns: 256,
  samples: 1,
  bits_allocated: 16,
  bits_stored: 16,
  signed: true,
  photometric: 'MONOCHROME2',
  transfer_syntax: '1.2.840.10008.1.2.1',
  lossy: false,
  slope: 1,
  intercept: 0,
  unit: '',
  windows: [],
  voi_function: 'LINEAR',
  window_computed: false,
  spacing_mm: [0.7, 0.7],
  spacing_source: 'PixelSpacing',
  position: [0, 0, 0],
  orientation: [1, 0, 0, 0, 1, 0],
  invert: false,
  duration_ms: 0,
  problem: '',
} as Frame;

const win = (center: number, width: number, explanation = ''): FileWindow => ({ center, width, explanation });

function make(image: string, count: number, part: Record<string, unknown>, more: Partial<Stack> = {}): Stack {
  const frames = Array.from(
    { length: count },
    (_, i) => ({ ...plain, ...part, index: i, position: [0, 0, i] }) as Frame,
  );
  const kind = count > 1 ? 'volume' : 'image';
  return {
    image,
    kind,
    modality: 'OT',
    description: image,
    series: '',
    space: '',
    synthetic: true,
    frames,
    reasons: [],
    ...more,
  };
}

// A chest of ellipses in HU: body, lungs, heart, spine and one nodule on frames 15–21.
function chest(x: number, y: number, z: number): number {
  const inside = (cx: number, cy: number, rx: number, ry: number) => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1;
  const grain = (((x * 73 + y * 151 + z * 31) % 61) - 30) * 0.6;
  const swell = 1 - Math.abs(z - 20) / 60;
  if (!inside(128, 130, 112, 84)) return -1000;
  const nodule = Math.hypot(x - 186, y - 92, (z - 18) * 2) < 6;
  if (nodule) return 35 + grain;
  if (inside(128, 186, 15, 15)) return 600 + grain;
  if (inside(136, 140, 30 * swell, 34 * swell)) return 55 + grain;
  if (inside(82, 125, 40 * swell, 54 * swell) || inside(176, 125, 38 * swell, 54 * swell)) {
    return -850 + 80 * Math.sin(x / 7 + z) * Math.sin(y / 9) + grain;
  }
  return (inside(128, 130, 104, 77) ? 50 : -90) + grain;
}

const axial = { unit: 'HU', intercept: -1024, signed: false, bits_stored: 12 };

export const stacks: Record<string, TestStack> = {
  ct: {
    stack: make(
      'ct',
      40,
      { ...axial, windows: [win(-600, 1500, 'lung'), win(40, 400, 'soft tissue')] },
      {
        modality: 'CT',
        description: 'CT chest',
        series: '2.25.9',
        reasons: ['gantry tilt 13.5°'],
      },
    ),
    kind: 'uint16',
    sample: (x, y, z) => Math.round(chest(x, y, z)) + 1024,
  },
  thick: {
    stack: everyFourth(
      make('thick', 10, { ...axial, windows: [win(40, 400)] }, { modality: 'CT', description: 'CT chest 4 mm' }),
    ),
    kind: 'uint16',
    sample: (x, y, z) => Math.round(chest(x, y, z * 4)) + 1024,
  },
  clip: {
    stack: make(
      'clip',
      6,
      { rows: 64, columns: 64, samples: 3, bits_allocated: 8, photometric: 'RGB', duration_ms: 20, orientation: null },
      { kind: 'clip', modality: 'US' },
    ),
    kind: 'rgb8',
    sample: (x, y, z) => [x * 4, y * 4, z * 40],
  },
  trouble: {
    stack: make('trouble', 12, { ...axial, windows: [win(40, 400)] }, { modality: 'CT' }),
    kind: 'uint16',
    sample: (_x, _y, z) => 1024 + z * 20,
    manner: (z) => (z === 3 ? 'broken' : z === 5 ? 'short' : z > 7 ? 'slow' : 'plain'),
  },
  ramp: {
    stack: make('ramp', 1, {
      rows: 8,
      columns: 512,
      windows: [win(40, 400)],
      spacing_mm: null,
      orientation: null,
      position: null,
    }),
    kind: 'int16',
    sample: (x) => x - 200,
  },
  exact: {
    stack: make('exact', 1, { rows: 8, columns: 512, windows: [win(40, 400)], voi_function: 'LINEAR_EXACT' }),
    kind: 'int16',
    sample: (x) => x - 200,
  },
  sigmoid: {
    stack: make('sigmoid', 1, { rows: 8, columns: 512, windows: [win(40, 400)], voi_function: 'SIGMOID' }),
    kind: 'int16',
    sample: (x) => x - 200,
  },
  film: {
    stack: make('film', 1, {
      rows: 8,
      columns: 256,
      bits_allocated: 8,
      bits_stored: 8,
      signed: false,
      photometric: 'MONOCHROME1',
      invert: true,
      windows: [win(254, 128)],
    }),
    kind: 'uint8',
    sample: (x) => x,
  },
  slope: {
    stack: make('slope', 1, {
      rows: 8,
      columns: 256,
      slope: -10,
      intercept: 3000,
      windows: [win(1725, 2550)],
      bits_allocated: 8,
      signed: false,
    }),
    kind: 'uint8',
    sample: (x) => x,
  },
  perFrame: {
    stack: withWindows(make('perFrame', 2, { rows: 8, columns: 256 }), [win(100, 200), win(600, 300)]),
    kind: 'int16',
    sample: (x) => x,
  },
  float: {
    stack: make('float', 1, { rows: 8, columns: 256, float: true, bits_allocated: 32, windows: [win(0.5, 0.4)] }),
    kind: 'float32',
    sample: (x) => x / 255,
  },
  table: {
    stack: make('table', 1, {
      rows: 8,
      columns: 256,
      voi_luts: [
        { first: 64, bits: 8, data: Array.from({ length: 128 }, (_, i) => 255 - 2 * i), explanation: 'inverse' },
      ],
    }),
    kind: 'uint8',
    sample: (x) => x,
  },
  padded: {
    stack: make('padded', 1, { rows: 8, columns: 64, padding: -2000, windows: [win(0, 100)], invert: true }),
    kind: 'int16',
    sample: (x) => (x < 16 ? -2000 : x),
  },
  empty: {
    stack: make('empty', 1, { rows: 16, columns: 16 }),
    kind: 'uint16',
    sample: () => 700,
  },
  color: {
    stack: make('color', 1, {
      rows: 64,
      columns: 64,
      samples: 3,
      bits_allocated: 8,
      signed: false,
      photometric: 'RGB',
      lossy: true,
    }),
    kind: 'rgb8',
    sample: (x, y) => [x * 4, y * 4, 128],
  },
  row: { stack: make('row', 1, { rows: 1, columns: 300, windows: [win(150, 300)] }), kind: 'uint16', sample: (x) => x },
  column: {
    stack: make('column', 1, { rows: 300, columns: 1, windows: [win(150, 300)] }),
    kind: 'uint16',
    sample: (_x, y) => y,
  },
  oblong: {
    stack: make('oblong', 1, {
      rows: 100,
      columns: 200,
      spacing_mm: [1.2, 0.4],
      orientation: [0.8, 0.6, 0, 0, 0, -1],
      windows: [win(50, 100)],
    }),
    kind: 'uint8',
    sample: (x, y) => ((Math.floor(x / 20) + Math.floor(y / 20)) % 2 ? 80 : 30),
  },
  aspect: {
    stack: make('aspect', 1, {
      rows: 100,
      columns: 100,
      spacing_mm: null,
      pixel_aspect: [2, 1],
      patient_orientation: ['L', 'F'],
      orientation: null,
      windows: [win(50, 100)],
    }),
    kind: 'uint8',
    sample: (x, y) => ((Math.floor(x / 10) + Math.floor(y / 10)) % 2 ? 80 : 30),
  },
  exif: {
    stack: make('exif', 1, {
      rows: 30,
      columns: 40,
      exif_orientation: 6,
      spacing_mm: null,
      orientation: null,
      windows: [win(50, 100)],
    }),
    kind: 'uint8',
    sample: (x, y) => (x < 10 && y < 10 ? 95 : 40),
  },
  radiograph: {
    stack: make(
      'radiograph',
      1,
      { rows: 3000, columns: 2500, windows: [win(2048, 4096)], spacing_mm: [0.14, 0.14] },
      { modality: 'DX' },
    ),
    kind: 'uint16',
    sample: (x, y) => (((x >> 3) ^ (y >> 3)) & 1 ? 3000 : 1000 + ((x * y) >> 13)),
  },
};

// Of one space with the chest: its frames lie four millimetres apart.
function everyFourth(stack: Stack): Stack {
  return { ...stack, series: '2.25.9', frames: stack.frames.map((f, i) => ({ ...f, position: [0, 0, 4 * i] })) };
}

const square = (size: number, of: (x: number, y: number) => number) =>
  Array.from({ length: size * size }, (_, i) => of(i % size, Math.floor(i / size)));

const mask = (of: (x: number, y: number) => boolean): Layer['load'] => {
  const drawing = { rows: 256, columns: 256, data: Uint8Array.from(square(256, (x, y) => (of(x, y) ? 255 : 0))) };
  return async () => drawing;
};

/** What lies over the chest: an overlay, a segment and a contour on frame 18, a segment that cannot be read, and a coarse heatmap. */
export const layers: Layer[] = [
  {
    id: 'plane',
    label: 'overlay 6000',
    kind: 'in the image',
    image: 'ct',
    colour: [255, 255, 255],
    frames: [18],
    // G18: three rows and five columns at row 20, column 40, counted from one
    load: mask((x, y) => x >= 39 && x < 44 && y >= 19 && y < 22),
  },
  {
    id: 'seg',
    label: 'left lung',
    kind: 'segment',
    image: 'ct',
    colour: [0, 200, 80],
    frames: [18],
    load: mask((x, y) => ((x - 176) / 38) ** 2 + ((y - 125) / 54) ** 2 < 1),
  },
  {
    id: 'broken',
    label: 'right lung',
    kind: 'segment',
    image: 'ct',
    frames: [3, 12],
    load: () => Promise.reject(new Error('the file is gone')),
  },
  {
    id: 'contour',
    label: 'heart',
    kind: 'contour',
    image: 'ct',
    regions: [
      {
        id: 'c',
        image: 'ct',
        frame: 18,
        shape: 'polygon',
        coords: [0.42, 0.45, 0.62, 0.44, 0.66, 0.58, 0.5, 0.68, 0.4, 0.58],
      },
    ],
  },
  {
    id: 'heat',
    label: 'attention',
    kind: 'heatmap',
    image: 'ct',
    every: true,
    frames: Array.from({ length: 40 }, (_, i) => i),
    heat: { low: 0, high: 1 },
    load: async () => ({
      rows: 16,
      columns: 16,
      data: Float32Array.from(square(16, (x, y) => Math.exp(-((x - 11.1) ** 2 + (y - 5.3) ** 2) / 3))),
    }),
  },
];

function withWindows(stack: Stack, windows: FileWindow[]): Stack {
  return { ...stack, frames: stack.frames.map((f, i) => ({ ...f, windows: [windows[i] as FileWindow] })) };
}

/** The body of a frame as the program's own server sends it. */
export function body({ stack, kind, sample }: TestStack, frame: number): ArrayBuffer {
  const { rows = 0, columns = 0 } = stack.frames[frame] ?? {};
  const per = kind === 'rgb8' ? 3 : 1;
  const types = {
    int8: Int8Array,
    uint8: Uint8Array,
    int16: Int16Array,
    uint16: Uint16Array,
    float32: Float32Array,
    rgb8: Uint8Array,
  };
  const out = new types[kind](rows * columns * per);
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const s = sample(x, y, frame);
      for (const v of typeof s === 'number' ? [s] : s) out[i++] = v;
    }
  }
  return out.buffer as ArrayBuffer;
}
