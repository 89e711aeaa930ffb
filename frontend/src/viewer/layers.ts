// What lies over the picture and is nobody's answer: drawings of files (60xx, SEG, RTSTRUCT, SR) and heatmaps. No React.

import type { Region } from '../lib/nouns';

export type Colour = readonly [red: number, green: number, blue: number];

/** A drawing over one frame: one byte a pixel, row by row, 0 for nothing to 255 for all. It lies over the whole frame, whatever its size. */
export interface LayerPlane {
  /** 0-based number of the frame in its image; left out: every frame. */
  frame?: number;
  rows: number;
  columns: number;
  data: Uint8Array;
}

/** Values over one frame, row by row; it lies over the whole frame, whatever its size. */
export interface LayerHeat {
  frame?: number;
  rows: number;
  columns: number;
  values: Float32Array;
}

/** Something to show and hide as one. */
export interface Layer {
  id: string;
  label: string;
  image: string;
  /** As the file wants it; left out: one of our own. */
  colour?: Colour;
  regions?: readonly Region[];
  planes?: readonly LayerPlane[];
  heat?: readonly LayerHeat[];
}

/** How a layer is looked at. */
export interface LayerLook {
  shown: boolean;
  /** 0–1. */
  opacity: number;
  /** Of a heatmap: the part of its range, 0–1, below which nothing is drawn. */
  threshold: number;
}

export const firstLook: LayerLook = { shown: true, opacity: 0.5, threshold: 0.3 };

// Apart from each other, from the model's cyan and the reader's amber, and seen on every grey (after Okabe and Ito).
const own: readonly Colour[] = [
  [204, 121, 167],
  [0, 158, 115],
  [213, 94, 0],
  [120, 150, 255],
  [240, 228, 66],
];

/** The colour of the nth layer. */
export const colourOf = (layer: Layer, n: number): Colour => layer.colour ?? (own[n % own.length] as Colour);

const little = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
const word = (r: number, g: number, b: number, a: number) =>
  (little ? (a << 24) | (b << 16) | (g << 8) | r : (r << 24) | (g << 16) | (b << 8) | a) >>> 0;

/** Writes a drawing in a colour, one RGBA word a pixel. */
export function paintPlane(plane: LayerPlane, [r, g, b]: Colour, out: Uint32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = word(r, g, b, plane.data[i] ?? 0);
}

/** The least and greatest value of a layer's heatmaps, all frames together, so that one colour means one value. */
export function heatRange(heat: readonly LayerHeat[]): { min: number; max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { values } of heat) {
    for (const v of values) {
      if (v < min) min = v;
      if (v > max) max = v;
    }
  }
  return min <= max ? { min, max } : { min: 0, max: 0 };
}

// From dark red over orange to white: its lightness rises evenly, so that it can be read without telling colours apart.
const stops: readonly Colour[] = [
  [70, 0, 20],
  [150, 10, 30],
  [220, 70, 20],
  [250, 150, 30],
  [255, 220, 90],
  [255, 255, 230],
];

/** The colour of a part, 0–1, of the range of a heatmap. */
export function heatColour(part: number): Colour {
  const at = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  const [a, b] = [stops[i] as Colour, stops[i + 1] as Colour];
  const mix = (k: 0 | 1 | 2) => Math.round(a[k] + (b[k] - a[k]) * (at - i));
  return [mix(0), mix(1), mix(2)];
}

/** Writes a heatmap, one RGBA word a pixel; what lies below the threshold, or is no number, is left clear. */
export function paintHeat(
  heat: LayerHeat,
  range: { min: number; max: number },
  threshold: number,
  out: Uint32Array,
): void {
  const span = range.max - range.min;
  for (let i = 0; i < out.length; i++) {
    const part = span > 0 ? ((heat.values[i] ?? Number.NaN) - range.min) / span : Number.NaN;
    out[i] = part >= threshold ? word(...heatColour(part), 255) : 0;
  }
}

/** What of a list of drawings lies over a frame. */
export const over = <T extends { frame?: number }>(list: readonly T[] | undefined, index: number): T[] =>
  (list ?? []).filter((x) => x.frame === undefined || x.frame === index);
