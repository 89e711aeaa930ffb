// What goes into the viewer and what comes out.

import type { PixelPoint } from '../lib/geometry';
import type { FileWindow, Frame, Region, Stack } from '../lib/nouns';
import type { PlaneInSpace } from '../lib/space';
import type { Drawings } from './drawings';
import type { Followed } from './following';
import type { Frames } from './frames';
import type { Layer, LayerLook } from './layers';
import type { Measure } from './measures';

/** How the samples of a frame are asked for: fetch, or something that has them already. */
export type Fetch = (url: string, init: { signal: AbortSignal }) => Promise<Response>;

/** standardBudget is how many bytes of samples the viewer keeps unless told otherwise. */
export const standardBudget = 384 * 1024 * 1024;

/** What the left mouse button does on the picture. */
export type Tool =
  | 'window'
  | 'pan'
  | 'zoom'
  | 'measure'
  | 'angle'
  | 'roi-box'
  | 'roi-ellipse'
  | 'point'
  | 'box'
  | 'ellipse'
  | 'polygon';

/** The tools that make a region of evidence. */
export const drawing: readonly Tool[] = ['point', 'box', 'ellipse', 'polygon'];

/** The tools that measure: what they make is kept beside the picture and is never evidence. */
export const measuring: readonly Tool[] = ['measure', 'angle', 'roi-box', 'roi-ellipse'];

/** A region to draw: the model's dashed cyan, the reader's solid amber. */
export interface ViewerRegion {
  region: Region;
  owner: 'model' | 'mine';
  /** Said beside it; by default "mine", or "model". */
  label?: string;
  /** Drawn thicker: the step card under the pointer points here. */
  highlighted?: boolean;
  /** Whose of several readers, from 1: signs of a shape of their own stand at its corners. */
  reader?: number;
  /** An area rather than a region that somebody drew: filled, without an outline. */
  area?: boolean;
  /** Shows its handles; the reader's own can then be moved, reshaped and deleted. Left out: the viewer keeps what was clicked. */
  selected?: boolean;
}

/** What the reader truly had on the screen: told once per frame painted under a window and a zoom. */
export interface SeenPicture {
  image: string;
  /** 0-based number of the frame in its image. */
  frame: number;
  window: FileWindow | undefined;
  /** CSS pixels per stored pixel (its shorter side). */
  zoom: number;
  /** The part of the image within the picture area: x0,y0,x1,y1 in fractions. */
  visible: readonly [number, number, number, number];
  /** Whether the window is fit for a region of this frame. */
  fits: (region: Region) => boolean;
}

/** Whether a region was on the screen: on its frame, and with at least half of the box around it. */
export function showed(seen: SeenPicture, region: Region): boolean {
  if (!shownOn(region, seen.image, seen.frame)) return false;
  const share = [0, 1].map((axis) => {
    const along = region.coords.filter((_, i) => i % 2 === axis);
    const low = Math.min(...along);
    const high = Math.max(...along);
    const [from, to] = [seen.visible[axis as 0 | 1], seen.visible[(axis + 2) as 2 | 3]];
    if (along.length === 0) return to > from ? 1 : 0;
    if (high === low) return low >= from && low <= to ? 1 : 0;
    return Math.max(0, Math.min(high, to) - Math.max(low, from)) / (high - low);
  });
  return (share[0] ?? 0) * (share[1] ?? 0) >= 0.5 - 1e-9;
}

/** The state of the picture as the screen around it may show it. */
export interface ViewerState {
  /** Position in stack.frames of the frame that is on the screen, or undefined while there is none. */
  painted: number | undefined;
  /** Why the wanted frame is not on the screen: still loading, or a sentence of trouble. */
  loading: boolean;
  trouble: string;
  window: FileWindow | undefined;
  inverted: boolean;
  zoom: number;
  cine: boolean;
  /** Frames a second that cine goes for, and whether the file asks for them. */
  rate: number;
  rateOfFile: boolean;
  smooth: boolean;
  /** Whether the magnifier is on. */
  lens: boolean;
  canWindow: boolean;
  /** The windows to choose from, F1 first: presets of CT in HU, else none. */
  presets: readonly FileWindow[];
  /** What the file itself offers, by its explanation. */
  fileWindows: readonly string[];
}

/** What keys, buttons and menus do to the picture. Frames here are positions in stack.frames. */
export interface ViewerHandle {
  /** The picture as first shown: window of the file, fitted, upright, not inverted. The frame stays. */
  reset(): void;
  invert(): void;
  flip(): void;
  flipDown(): void;
  rotate(): void;
  /** The nth preset, from 1. Nothing happens where there is none. */
  preset(n: number): void;
  /** The nth window of the file, from 0. */
  fileWindow(n: number): void;
  /** The window of the file after the one in force; from a window of the reader's own, the first. */
  nextFileWindow(): void;
  window(center: number, width: number): void;
  /** Steps of the window: width and centre in steps of the mouse. */
  nudge(width: number, center: number): void;
  fit(): void;
  /** One pixel of the image on one pixel of the display. */
  oneToOne(): void;
  zoomBy(factor: number): void;
  panBy(dx: number, dy: number): void;
  step(by: number): void;
  cine(on?: boolean): void;
  /** Makes cine so many times as fast; without a factor it goes as the file says. */
  pace(factor?: number): void;
  smooth(on?: boolean): void;
  /** The magnifier, which follows the pointer. */
  lens(on?: boolean): void;
  /** What was changed in another pane, taken over as far as it can be; oneSpace: places in the patient mean the same in both. */
  follow(change: Followed, oneSpace: boolean): void;
  /** Keyboard drawing: a crosshair that arrows move; Enter sets its corners, Esc leaves. */
  crosshair(on?: boolean): void;
  /** Takes away every measurement of this image. */
  clearMeasures(): void;
  focus(): void;
  state(): ViewerState;
}

export interface ViewerProps {
  caseId: string;
  stack: Stack;
  /** Where the samples of a frame are: `n` is its 0-based number in the image (Frame.index). */
  frameURL: (image: string, n: number) => string;
  /** The wanted frame, as a position in stack.frames. */
  frame: number;
  /** The wheel, the keys of the handle or cine want another one. */
  onFrame: (frame: number) => void;
  regions: readonly ViewerRegion[];
  /** Left out: true. With the model's regions everything is hidden that lies over the picture and is not the reader's own. */
  showModelRegions?: boolean;
  /** Drawings of files and heatmaps, how each is looked at, and where they are kept. */
  layers?: readonly Layer[];
  layerLooks?: Readonly<Record<string, LayerLook>>;
  drawings?: Drawings;
  tool: Tool;
  /** A region was drawn. Its id is "": the screen that keeps it names it. */
  onRegion?: (region: Region) => void;
  /** The reader moved or reshaped an own region, or wants it gone. */
  onRegionChange?: (region: Region) => void;
  onRegionDelete?: (region: Region) => void;
  onRegionSelect?: (region: Region | undefined) => void;
  onRegionHover?: (region: Region | undefined) => void;
  onSeen?: (seen: SeenPicture) => void;
  onState?: (state: ViewerState) => void;
  /** The right button was pressed and let go without a movement, here on the page (clientX, clientY). */
  onMenu?: (at: { x: number; y: number }) => void;
  /** How frames are fetched; by default with fetch. */
  fetcher?: Fetch;
  /** Frames shared with other viewers, or how many bytes of samples this one may keep; standardBudget by default. */
  frames?: number | Frames;
  /** How many frames around the wanted one are fetched ahead; left out: all that there is room for. */
  ahead?: number;
  /** What was measured, on any image; left out: the viewer keeps it. */
  measures?: readonly Measure[];
  onMeasures?: (measures: readonly Measure[]) => void;
  /** The reader changed the window, the zoom or the place of the picture, for other panes to follow. */
  onLook?: (change: Followed) => void;
  /** Planes of other pictures, whose lines through this one are drawn. */
  cuts?: readonly PlaneInSpace[];
  /** The picture was clicked at this pixel point, and nothing else was meant by it. */
  onPlace?: (at: PixelPoint, position: number) => void;
  /** The picture was clicked twice; left out: it is fitted. */
  onTwice?: () => void;
  ref?: React.Ref<ViewerHandle>;
}

/** A frame with what only few files have; the generated types may not list it. */
export interface LUT {
  first: number;
  bits: number;
  data: number[];
  explanation?: string;
}
export type FullFrame = Frame & {
  modality_lut?: LUT;
  voi_luts?: LUT[];
  pixel_aspect?: number[] | null;
  patient_orientation?: string[] | null;
  exif_orientation?: number;
};

/** Whether a region is to be drawn on the frame with this 0-based number in its image. */
export function shownOn(region: Region, image: string, index: number): boolean {
  if (region.image !== image) return false;
  if (region.frame !== undefined && region.frame !== null) return region.frame === index;
  if (region.from !== undefined && region.from !== null) {
    return index >= region.from && index <= (region.to ?? region.from);
  }
  return true;
}

/** The position in stack.frames to jump to for a region: its frame, or the one nearest to the middle of its range; undefined: nowhere special. */
export function frameOf(region: Region, stack: Stack): number | undefined {
  if (region.image !== stack.image) return undefined;
  const from = region.frame ?? region.from ?? undefined;
  if (from === undefined) return undefined;
  const to = region.frame ?? region.to ?? from;
  const far = (at: number) => Math.abs((stack.frames[at]?.index ?? 0) - Math.floor((from + to) / 2));
  let best: number | undefined;
  stack.frames.forEach((f, at) => {
    if (f.index >= from && f.index <= to && (best === undefined || far(at) < far(best))) best = at;
  });
  return best;
}
