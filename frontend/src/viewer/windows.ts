// Which window a frame is shown through, and how the mouse changes it.

import type { FileWindow } from '../lib/nouns';
import type { Grading } from './grey';
import type { FullFrame } from './props';
import { modality, type Picture } from './samples';

/** F1–F8: width and centre in HU. */
export const ctPresets: readonly FileWindow[] = [
  { explanation: 'brain', width: 80, center: 40 },
  { explanation: 'subdural', width: 200, center: 75 },
  { explanation: 'stroke', width: 40, center: 40 },
  { explanation: 'lung', width: 1500, center: -600 },
  { explanation: 'mediastinum', width: 400, center: 40 },
  { explanation: 'abdomen', width: 350, center: 50 },
  { explanation: 'liver', width: 150, center: 90 },
  { explanation: 'bone', width: 2000, center: 500 },
];

/** The presets of a frame: those of CT, and only where its values are HU. */
export const presetsOf = (modalityName: string, frame: FullFrame | undefined): readonly FileWindow[] =>
  modalityName === 'CT' && frame?.unit === 'HU' && frame.samples === 1 ? ctPresets : [];

/** What the reader chose: a window of the file, which may differ from frame to frame, or one of their own, which does not. */
export type Choice = { kind: 'file'; index: number } | { kind: 'own'; center: number; width: number; name: string };

export const firstOfFile: Choice = { kind: 'file', index: 0 };

/** The window in force on a frame. */
export interface Shown extends FileWindow {
  grading: Grading;
  /** Neither file nor reader gave it: it spans the values of the picture. */
  computed: boolean;
}

const voiOf = (frame: FullFrame) =>
  frame.voi_function === 'SIGMOID' || frame.voi_function === 'LINEAR_EXACT' ? frame.voi_function : 'LINEAR';

/** What the file offers, in order of choice: its windows, then its tables. */
export function fileWindows(frame: FullFrame): string[] {
  const windows = frame.windows.map((w) => w.explanation || `W ${w.width} L ${w.center}`);
  const luts = (frame.voi_luts ?? []).map((l, i) => l.explanation || `table ${i + 1}`);
  return frame.window_computed ? luts : [...windows, ...luts];
}

/** The window of a frame under a choice. A file window that this frame lacks falls back to its first, then to its values. */
export function resolve(frame: FullFrame, picture: Picture, choice: Choice): Shown {
  const voi = voiOf(frame);
  if (choice.kind === 'own') {
    const { center, width, name } = choice;
    return { center, width, explanation: name, computed: false, grading: { kind: 'window', center, width, voi } };
  }
  const { windows } = frame;
  const luts = frame.voi_luts ?? [];
  const lut = luts[choice.index - windows.length] ?? (windows.length === 0 ? luts[0] : undefined);
  const window = windows[choice.index];
  if (!window && lut) {
    const width = lut.data.length;
    const center = lut.first + width / 2;
    return {
      center,
      width,
      explanation: lut.explanation || 'table of the file',
      computed: false,
      grading: { kind: 'lut', lut },
    };
  }
  const given = window ?? windows[0];
  if (given && given.width > 0) {
    const { center, width, explanation } = given;
    return {
      center,
      width,
      explanation,
      computed: frame.window_computed,
      grading: { kind: 'window', center, width, voi },
    };
  }
  return computed(frame, picture);
}

// From black at the least value to white at the greatest.
function computed(frame: FullFrame, picture: Picture): Shown {
  const { min, max } = valueRange(frame, picture);
  const width = max - min + 1;
  const center = (max + min + 1) / 2;
  return { center, width, explanation: '', computed: true, grading: { kind: 'window', center, width, voi: 'LINEAR' } };
}

/**
 * Two computed windows as one that spans both: the frames of a stack keep one brightness while the reader scrolls, and a first
 * frame without contrast does not spoil the rest.
 */
export function spanning(a: Shown, b: Shown): Shown {
  const low = Math.min(a.center - a.width / 2, b.center - b.width / 2);
  const high = Math.max(a.center + a.width / 2, b.center + b.width / 2);
  const center = (low + high) / 2;
  const width = high - low;
  return { ...b, center, width, grading: { kind: 'window', center, width, voi: 'LINEAR' } };
}

/** The least and greatest modality value of the picture. */
export function valueRange(frame: FullFrame, picture: Picture): { min: number; max: number } {
  const value = modality(frame);
  const a = value(picture.min);
  const b = value(picture.max);
  return { min: Math.min(a, b), max: Math.max(a, b) };
}

/**
 * The least width a reader can drag to: 1 where values are whole numbers, so that polarity never turns; a thousandth of the
 * range where they are fractions.
 */
export function leastWidth(frame: FullFrame, picture: Picture): number {
  const whole = picture.whole && Number.isInteger(frame.slope) && Number.isInteger(frame.intercept);
  if (whole) return 1;
  const { min, max } = valueRange(frame, picture);
  return Math.min(1, Math.max((max - min) / 1000, Number.EPSILON));
}

/** How a drag changes the window of a picture. */
export interface DragLaw {
  /** Modality units per CSS pixel: by the width at the start, within bounds given by the values there are. */
  rate: number;
  /** Widths, and centres, that a drag stays within: beyond them there is nothing to see. */
  width: readonly [number, number];
  center: readonly [number, number];
}

export function dragLaw(frame: FullFrame, picture: Picture, start: FileWindow): DragLaw {
  const { min, max } = valueRange(frame, picture);
  const least = leastWidth(frame, picture);
  const range = Math.max(max - min, least);
  return {
    rate: Math.min(Math.max(start.width / 250, range / 4000), range / 200),
    width: [least, Math.max(start.width, 2 * range)],
    center: [Math.min(start.center, min - range / 2), Math.max(start.center, max + range / 2)],
  };
}

/** The window after a drag from `start`: right widens, down raises the centre (darkens). */
export function dragged(start: FileWindow, law: DragLaw, dx: number, dy: number): Choice & { kind: 'own' } {
  const { rate } = law;
  const digits = rate >= 0.2 ? 0 : Math.min(12, Math.ceil(-Math.log10(rate)) + 1);
  const within = ([low, high]: readonly [number, number], n: number) =>
    Math.min(high, Math.max(low, Number(n.toFixed(digits))));
  return {
    kind: 'own',
    center: within(law.center, start.center + dy * rate),
    width: within(law.width, start.width + dx * rate),
    name: '',
  };
}

/** "W 1500 L −600 lung". */
export function windowText(w: FileWindow & { computed?: boolean }): string {
  const n = (v: number) => String(Number(v.toPrecision(6))).replace('-', '−');
  const name = w.computed ? 'window computed' : w.explanation;
  return `W ${n(w.width)} L ${n(w.center)}${name ? ` ${name}` : ''}`;
}
