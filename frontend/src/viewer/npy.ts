// Arrays as numpy writes them (NEP 1): what heatmaps come in.

import type { LayerHeat } from './layers';

// Room for a heatmap of every frame of a long series, and no more.
const mostValues = 64 * 1024 * 1024;

interface Kind {
  bytes: number;
  read: (view: DataView, at: number, little: boolean) => number;
}

const kinds: Record<string, Kind> = {
  f8: { bytes: 8, read: (v, at, little) => v.getFloat64(at, little) },
  f4: { bytes: 4, read: (v, at, little) => v.getFloat32(at, little) },
  u1: { bytes: 1, read: (v, at) => v.getUint8(at) },
  i1: { bytes: 1, read: (v, at) => v.getInt8(at) },
  b1: { bytes: 1, read: (v, at) => v.getUint8(at) },
  u2: { bytes: 2, read: (v, at, little) => v.getUint16(at, little) },
  i2: { bytes: 2, read: (v, at, little) => v.getInt16(at, little) },
  u4: { bytes: 4, read: (v, at, little) => v.getUint32(at, little) },
  i4: { bytes: 4, read: (v, at, little) => v.getInt32(at, little) },
};

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/**
 * Reads an array of rows × columns, or of frames × rows × columns, of plain numbers. One frame lies over every frame of its image, several over
 * one each. Throws a sentence where the file is something else or is cut short.
 */
export function readNPY(bytes: ArrayBuffer): LayerHeat[] {
  const view = new DataView(bytes);
  if (bytes.byteLength < 12 || magic.some((m, i) => view.getUint8(i) !== m)) throw new Error('this is no NPY file');
  const long = view.getUint8(6) >= 2;
  const start = long ? 12 : 10;
  const length = long ? view.getUint32(8, true) : view.getUint16(8, true);
  if (start + length > bytes.byteLength) throw new Error('the NPY file ends within its header');
  const header = new TextDecoder('latin1').decode(new Uint8Array(bytes, start, length));
  const [, order = '', type = ''] = /'descr'\s*:\s*'([<>|=])([a-z]\d)'/.exec(header) ?? [];
  const kind = kinds[type];
  if (!kind) throw new Error('the NPY file holds no plain numbers of one kind');
  if (/'fortran_order'\s*:\s*True/.test(header)) throw new Error('the NPY file is in column order, rows are expected');
  const shape = (/'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1] ?? '')
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean)
    .map(Number);
  const [frames, rows, columns] = shape.length === 2 ? [1, ...shape] : shape;
  const sound = (shape.length === 2 || shape.length === 3) && shape.every((n) => Number.isInteger(n) && n > 0);
  if (!sound || !frames || !rows || !columns)
    throw new Error(`an array of rows and columns is expected, not of (${shape})`);
  const count = frames * rows * columns;
  const want = start + length + count * kind.bytes;
  if (count > mostValues) throw new Error(`the NPY file holds ${count} values; ${mostValues} are the most`);
  if (bytes.byteLength < want) throw new Error(`the NPY file has ${bytes.byteLength} of ${want} bytes`);
  return Array.from({ length: frames }, (_, frame) => {
    const values = new Float32Array(rows * columns);
    const from = start + length + frame * values.length * kind.bytes;
    for (let i = 0; i < values.length; i++) values[i] = kind.read(view, from + i * kind.bytes, order !== '>');
    return { rows, columns, values, ...(frames > 1 ? { frame } : {}) };
  });
}
