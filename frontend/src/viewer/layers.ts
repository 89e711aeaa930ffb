// What lies over the picture and is nobody's answer: drawings of files (60xx, SEG, RTSTRUCT, SR) and heatmaps. No React.

import type { Region } from '../lib/nouns';

export type Colour = readonly [red: number, green: number, blue: number];

/**
 * What a layer draws over one frame, row by row; it lies over the whole frame, whatever its size. Bytes are how much of the layer's colour there
 * is, 0 for nothing to 255 for all; floats are values of a heatmap.
 */
export interface Drawing {
  rows: number;
  columns: number;
  data: Uint8Array | Float32Array;
}

/** Something to show and hide as one. */
export interface Layer {
  id: string;
  label: string;
  image: string;
  /** What it is, in a word or two. */
  kind: string;
  /** What is to be known of it, in words. */
  notes?: readonly string[];
  /** As the file wants it; left out: one of our own. */
  colour?: Colour;
  regions?: readonly Region[];
  /** 0-based numbers, in the image, of the frames that have a drawing. */
  frames?: readonly number[];
  /** The one drawing lies over all of these frames. */
  every?: boolean;
  /** The range of values of a heatmap, all frames together, so that one colour means one value. */
  heat?: { low: number; high: number };
  /** Drawings are pictures in place of the greys, bytes of grey or RGB; they lie under all other layers. */
  picture?: boolean;
  /** Gives the drawing over a frame; rejects with a sentence. */
  load?: (frame: number, signal: AbortSignal) => Promise<Drawing>;
}

/** How a layer is looked at. */
export interface LayerLook {
  shown: boolean;
  /** 0–1. */
  opacity: number;
  /** Of a heatmap: the part of its range, 0–1, below which nothing is drawn. */
  threshold: number;
}

/** At first nothing lies over the picture. */
export const firstLook: LayerLook = { shown: false, opacity: 0.4, threshold: 0.3 };

/** How a layer is looked at now. */
export const lookOf = (layer: Layer, looks: Readonly<Record<string, LayerLook>>): LayerLook =>
  looks[layer.id] ?? (layer.picture ? { ...firstLook, opacity: 1 } : firstLook);

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
export function paintPlane(drawing: Drawing, [r, g, b]: Colour, out: Uint32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = word(r, g, b, drawing.data[i] ?? 0);
}

/** Writes a picture of greys, or of RGB, one RGBA word a pixel. */
export function paintPicture({ data }: Drawing, out: Uint32Array): void {
  const per = data.length >= 3 * out.length ? 3 : 1;
  for (let i = 0; i < out.length; i++) {
    const r = data[per * i] ?? 0;
    out[i] = word(r, per === 3 ? (data[per * i + 1] ?? 0) : r, per === 3 ? (data[per * i + 2] ?? 0) : r, 255);
  }
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

/** The colours of a heatmap from left to right, as CSS; what lies below the threshold is left clear. */
export const heatScale = (threshold = 0): string => {
  const at = Math.round(threshold * 100);
  const colours = Array.from({ length: 11 }, (_, i) => threshold + ((1 - threshold) * i) / 10).map(
    (part) => `rgb(${heatColour(part).join(' ')}) ${Math.round(part * 100)}%`,
  );
  return `linear-gradient(90deg, transparent ${at}%, ${colours.join(', ')})`;
};

/** Greys from left to right, as CSS: the sign of a picture. */
export const greys = 'linear-gradient(90deg, #000, #fff)';

/** Writes a heatmap, one RGBA word a pixel; what lies below the threshold, or is no number, is left clear. */
export function paintHeat(
  drawing: Drawing,
  range: { low: number; high: number },
  threshold: number,
  out: Uint32Array,
): void {
  const span = range.high - range.low;
  for (let i = 0; i < out.length; i++) {
    const part = span > 0 ? ((drawing.data[i] ?? Number.NaN) - range.low) / span : Number.NaN;
    out[i] = part >= threshold ? word(...heatColour(part), 255) : 0;
  }
}

/** Whether a layer draws pixels over a frame. */
export const drawsOver = (layer: Layer, frame: number): boolean =>
  layer.load !== undefined && (layer.frames?.includes(frame) ?? false);

/** Whether it draws anything over a frame: pixels or outlines. */
export const liesOver = (layer: Layer, frame: number): boolean =>
  drawsOver(layer, frame) || (layer.regions?.some((r) => r.frame === frame) ?? false);

/** The numbers, ascending, of the frames over which a layer lies. */
export const framesOf = (layer: Layer): number[] =>
  [...new Set([...(layer.frames ?? []), ...(layer.regions ?? []).flatMap((r) => r.frame ?? [])])].sort((a, b) => a - b);
