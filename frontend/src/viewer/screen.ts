// The picture on the screen: which frame, through which window, where it lies. No React; the component draws what it says.

import {
  type Camera,
  exifTurn,
  fitCamera,
  flipped,
  flippedDown,
  type Plane,
  panned,
  type ScreenPoint,
  type Size,
  screenPoint,
  toPixel,
  turned,
  type View,
  viewOf,
  visibleBox,
  zoomedAt,
} from '../lib/geometry';
import { aspectOf } from '../lib/geometryPatient';
import type { FileWindow, Region, Stack } from '../lib/nouns';
import { Budget } from './budget';
import { openPane, type Pane } from './cornerstone';
import { fitting } from './fitting';
import { type Followed, followed, followedChoice, told } from './following';
import { FrameStore, isAbort } from './frameStore';
import { Painter } from './painter';
import type { Fetch, FullFrame, SeenPicture } from './props';
import type { Picture } from './samples';
import {
  type Choice,
  dragged,
  dragLaw,
  fileWindows,
  firstOfFile,
  leastWidth,
  presetsOf,
  resolve,
  type Shown,
  spanning,
} from './windows';

/** What is on the canvas now. */
export interface Painted {
  position: number;
  frame: FullFrame;
  picture: Picture;
  shown: Shown;
  view: View;
  camera: Camera;
}

/** The state that the component draws; a new one for every change. */
export interface Snapshot {
  size: Size;
  wanted: number;
  painted: Painted | undefined;
  loading: boolean;
  trouble: string;
  inverted: boolean;
  smooth: boolean;
  cine: boolean;
  /** How many times as fast as the file says cine goes. */
  pace: number;
  /** Frames a second that were shown in the last second of cine. */
  shownRate: number;
}

export interface ScreenOptions {
  stack: Stack;
  urlOf: (frame: FullFrame) => string;
  budget: number | Budget;
  fetcher: Fetch;
  onFrame: (position: number) => void;
  onSeen: (seen: SeenPicture) => void;
  onLook: (change: Followed) => void;
}

// Zoom in CSS pixels per stored pixel.
const leastZoom = 0.02;
const mostZoom = 64;
// A clip without frame times runs at this pace, in ms a frame.
const cinePace = 100;

const planeOf = (frame: FullFrame): Plane => ({ columns: frame.columns, rows: frame.rows });

/** Screen runs one pane: it wants frames, keeps the camera and the window, and tells its listeners of every change. */
export class Screen {
  private snap: Snapshot;
  private camera: Camera | undefined;
  private cameraOf: FullFrame | undefined;
  private fitted = true;
  private choice: Choice = firstOfFile;
  private computed: Shown | undefined;
  private asked = 0;
  private canvas: HTMLCanvasElement | undefined;
  private closed = false;
  private due = 0;
  private drawn: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly painter = new Painter();
  private readonly store: FrameStore;
  private readonly pane: Pane;
  private stack: Stack;

  constructor(
    element: HTMLDivElement,
    private readonly options: ScreenOptions,
  ) {
    this.stack = options.stack;
    this.snap = {
      size: { width: element.clientWidth, height: element.clientHeight },
      wanted: -1,
      painted: undefined,
      loading: true,
      trouble: '',
      inverted: false,
      smooth: true,
      cine: false,
      pace: 1,
      shownRate: 0,
    };
    const budget = typeof options.budget === 'number' ? new Budget(options.budget) : options.budget;
    this.store = new FrameStore(options.stack, options.urlOf, budget, options.fetcher, (at) => this.pane.forget(at));
    this.pane = openPane(element, {
      count: options.stack.frames.length,
      modality: options.stack.modality,
      frame: (at) => this.frame(at),
      load: (at) => this.loaded(at),
      draw: (canvas, at, picture) => this.draw(canvas, at, picture),
    });
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly snapshot = (): Snapshot => this.snap;

  /** The stack told anew by the backend: same images, same frames. */
  renew(stack: Stack): void {
    this.stack = stack;
    this.store.renew(stack);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.store.close();
    this.pane.close();
  }

  frame(position: number): FullFrame | undefined {
    return this.stack.frames[position] as FullFrame | undefined;
  }

  /** Wants a frame on the screen. */
  show(position: number): void {
    this.asked = position;
    if (position === this.snap.wanted && !this.snap.trouble) return;
    this.change({ wanted: position, loading: true, trouble: '' });
    this.store
      .want(position)
      .then(() => (this.wants(position) ? this.pane.show(position) : undefined))
      .then(() => {
        // Back on the frame that never left the canvas: nothing new is drawn unless asked for.
        if (this.wants(position)) this.pane.redraw();
      })
      .catch((trouble: unknown) => {
        if (!this.wants(position) || isAbort(trouble)) return;
        this.change({ loading: false, trouble: trouble instanceof Error ? trouble.message : String(trouble) });
        this.scheduleCine();
      });
  }

  private wants(position: number): boolean {
    return !this.closed && position === this.snap.wanted;
  }

  /** Asks for the frame so many further; several steps before the next picture add up. */
  step(by: number): void {
    const to = Math.min(this.stack.frames.length - 1, Math.max(0, this.asked + by));
    if (to === this.asked) return;
    this.asked = to;
    this.options.onFrame(to);
  }

  resize(size: Size): void {
    if (size.width < 1 || size.height < 1) return;
    this.change({ size });
    this.pane.resize();
    // Cornerstone clears the canvas: it is drawn before the browser shows it.
    const { painted } = this.snap;
    if (painted && this.canvas) this.draw(this.canvas, painted.position, painted.picture);
  }

  reset(): void {
    this.choice = firstOfFile;
    this.computed = undefined;
    this.camera = undefined;
    this.fitted = true;
    this.change({ inverted: false });
    this.settle();
    this.tellWindow();
    this.tellCamera();
  }

  invert(): void {
    if (!this.canWindow()) return;
    this.change({ inverted: !this.snap.inverted });
    this.settle();
  }

  flip = () => this.lay((c) => ({ ...c, turn: flipped(c.turn) }), false);
  flipDown = () => this.lay((c) => ({ ...c, turn: flippedDown(c.turn) }), false);
  rotate = () => this.lay((c) => ({ ...c, turn: turned(c.turn) }), true);

  fit(): void {
    this.fitted = true;
    this.lay((c) => c, true);
  }

  oneToOne(): void {
    const { painted, size } = this.snap;
    if (!painted) return;
    this.zoomTo(1 / (window.devicePixelRatio || 1), screenPoint(size.width / 2, size.height / 2));
  }

  zoomBy(factor: number, at?: ScreenPoint): void {
    const { painted, size } = this.snap;
    if (painted) this.zoomTo(painted.view.zoom * factor, at ?? screenPoint(size.width / 2, size.height / 2));
  }

  panBy(dx: number, dy: number): void {
    const { painted } = this.snap;
    if (!painted) return;
    this.fitted = false;
    this.lay((c) => panned(painted.view, c, dx, dy), false);
  }

  /** Whether there is a window at all: colour has none. */
  canWindow(): boolean {
    return this.snap.painted !== undefined && !this.snap.painted.picture.color;
  }

  choose(choice: Choice): void {
    if (!this.canWindow()) return;
    this.choice = choice;
    this.settle();
    this.tellWindow();
  }

  /** Takes over what was changed in another pane; oneSpace: places in the patient mean the same there and here. */
  follow(change: Followed, oneSpace: boolean): void {
    const { painted, size } = this.snap;
    if (!painted) return;
    if (change.kind === 'window') {
      const choice = this.canWindow() ? followedChoice(change, this.stack.modality, painted.frame.unit) : undefined;
      if (!choice) return;
      this.choice = choice;
    } else {
      this.fitted = change.fitted;
      this.camera = followed(painted.frame, painted.camera, size, change, oneSpace);
    }
    this.settle();
  }

  private tellWindow(): void {
    const { painted } = this.snap;
    if (!painted) return;
    const { modality } = this.stack;
    this.options.onLook({ kind: 'window', choice: this.choice, modality, unit: painted.frame.unit });
  }

  private tellCamera(): void {
    const { painted, size } = this.snap;
    if (painted) this.options.onLook(told(painted.frame, painted.camera, size, this.fitted));
  }

  nextFileWindow(): void {
    const { painted } = this.snap;
    const count = painted ? fileWindows(painted.frame).length : 0;
    if (count === 0) return;
    this.choose({ kind: 'file', index: this.choice.kind === 'file' ? (this.choice.index + 1) % count : 0 });
  }

  setWindow(center: number, width: number, name = ''): void {
    const { painted } = this.snap;
    if (!painted || !Number.isFinite(center) || !Number.isFinite(width)) return;
    const least = leastWidth(painted.frame, painted.picture);
    this.choose({ kind: 'own', center, width: Math.max(least, width), name });
  }

  preset(n: number): void {
    const preset = presetsOf(this.stack.modality, this.snap.painted?.frame)[n - 1];
    if (preset) this.setWindow(preset.center, preset.width, preset.explanation);
  }

  /** Drags the window by CSS pixels from where it was at the start of the drag. */
  dragWindow(start: FileWindow, dx: number, dy: number): void {
    const { painted } = this.snap;
    if (!painted || !this.canWindow()) return;
    const { frame, picture } = painted;
    this.choose(dragged(start, dragLaw(frame, picture, start), dx, dy));
  }

  setSmooth(on: boolean): void {
    this.change({ smooth: on });
    this.settle();
  }

  setCine(on: boolean): void {
    this.change({ cine: on && this.stack.frames.length > 1, shownRate: 0 });
    this.due = performance.now();
    this.drawn = [];
    this.scheduleCine();
  }

  /** So many times as fast as now; without a factor as the file says. */
  setPace(factor?: number): void {
    const { rate } = this.rate();
    const pace = factor === undefined ? 1 : this.snap.pace * factor;
    const at = (rate / this.snap.pace) * pace;
    if (at >= 0.2 && at <= 120) this.change({ pace });
    this.due = performance.now();
    this.scheduleCine();
  }

  /** Frames a second that cine goes for, and whether the file asks for them. */
  rate(): { rate: number; ofFile: boolean } {
    const ms = this.frame(Math.max(0, this.snap.wanted))?.duration_ms ?? 0;
    return { rate: (1000 / (ms > 0 ? ms : cinePace)) * this.snap.pace, ofFile: ms > 0 };
  }

  // Every frame is shown, none is skipped. One that comes late delays those after it, and the rate that is shown says so.
  private scheduleCine(): void {
    clearTimeout(this.timer);
    if (!this.snap.cine) return;
    const now = performance.now();
    this.due = Math.max(now, this.due + 1000 / this.rate().rate);
    this.timer = setTimeout(() => {
      this.asked = (this.snap.wanted + 1) % this.stack.frames.length;
      this.options.onFrame(this.asked);
    }, this.due - now);
  }

  // Counts a frame of cine that came on the screen.
  private countCine(): void {
    const now = performance.now();
    this.drawn = [...this.drawn.filter((at) => now - at <= 1000), now];
    const [first] = this.drawn;
    if (first === undefined || this.drawn.length < 2) return;
    this.change({ shownRate: ((this.drawn.length - 1) * 1000) / (now - first) });
  }

  private async loaded(position: number): Promise<Picture> {
    return this.store.peek(position) ?? this.store.want(position);
  }

  private zoomTo(zoom: number, at: ScreenPoint): void {
    const { painted } = this.snap;
    if (!painted) return;
    this.fitted = false;
    const within = Math.min(mostZoom, Math.max(leastZoom, zoom));
    this.lay((c) => zoomedAt(painted.view, c, within, at), false);
  }

  // Changes the camera; `refit` fits it again where the picture was fitted.
  private lay(change: (camera: Camera) => Camera, refit: boolean): void {
    const { painted, size } = this.snap;
    if (!painted || !this.camera) return;
    const camera = change(this.camera);
    this.camera =
      refit && this.fitted ? fitCamera(planeOf(painted.frame), aspectOf(painted.frame), camera.turn, size) : camera;
    this.settle();
    this.tellCamera();
  }

  // Brings the overlay in line at once and has the canvas follow at the next animation frame.
  private settle(): void {
    const { painted } = this.snap;
    if (painted) this.change({ painted: this.compose(painted.position, painted.frame, painted.picture) });
    this.pane.redraw();
  }

  private compose(position: number, frame: FullFrame, picture: Picture): Painted {
    const camera = this.cameraFor(frame);
    const view = viewOf(planeOf(frame), aspectOf(frame), camera, this.snap.size);
    return { position, frame, picture, camera, view, shown: this.windowFor(frame, picture) };
  }

  private windowFor(frame: FullFrame, picture: Picture): Shown {
    const shown = resolve(frame, picture, this.choice);
    if (!shown.computed || picture.color) return shown;
    this.computed = this.computed ? spanning(this.computed, shown) : shown;
    return this.computed;
  }

  // Frames of one shape share the camera; another shape is fitted anew, with the turn kept.
  private cameraFor(frame: FullFrame): Camera {
    const before = this.cameraOf;
    const { x, y } = aspectOf(frame);
    const same =
      before &&
      before.rows === frame.rows &&
      before.columns === frame.columns &&
      before.exif_orientation === frame.exif_orientation &&
      aspectOf(before).x === x &&
      aspectOf(before).y === y;
    if (!this.camera || !same || this.fitted) {
      const turn = this.camera && same ? this.camera.turn : exifTurn(frame.exif_orientation);
      this.camera = fitCamera(planeOf(frame), { x, y }, turn, this.snap.size);
      this.fitted = true;
      this.cameraOf = frame;
    }
    return this.camera;
  }

  private draw(canvas: HTMLCanvasElement, position: number, picture: Picture): void {
    const frame = this.frame(position);
    if (!frame) return;
    this.canvas = canvas;
    const painted = this.compose(position, frame, picture);
    const { shown, view } = painted;
    const { inverted, smooth, wanted } = this.snap;
    this.painter.draw(canvas, frame, picture, { view, grading: shown.grading, inverted, smooth });
    const arrived = position === wanted;
    const fresh = arrived && this.snap.loading;
    this.change({ painted, loading: this.snap.loading && !arrived });
    const { center, width, explanation } = shown;
    const window = picture.color ? undefined : { center, width, explanation };
    const visible = visibleBox(view, this.snap.size);
    const fits = (region: Region) => fitting(frame, picture, window, region);
    this.options.onSeen({ image: this.stack.image, frame: frame.index, window, zoom: view.zoom, visible, fits });
    if (!fresh) return;
    if (this.snap.cine) this.countCine();
    this.scheduleCine();
  }

  /** Draws what lies around a point of the screen, enlarged, onto another canvas. */
  magnify(canvas: HTMLCanvasElement, at: ScreenPoint, times: number): void {
    const { painted, inverted, smooth } = this.snap;
    if (!painted) return;
    const look = { view: painted.view, grading: painted.shown.grading, inverted, smooth };
    this.painter.magnify(canvas, painted.frame, painted.picture, look, at, times);
  }

  private change(part: Partial<Snapshot>): void {
    this.snap = { ...this.snap, ...part };
    for (const listener of this.listeners) listener();
  }
}

/** The pixel under a point of the screen, and its value. */
export function probe(
  painted: Painted,
  at: ScreenPoint,
): { column: number; row: number; samples: number[] } | undefined {
  const p = toPixel(painted.view, at);
  const column = Math.floor(p.x);
  const row = Math.floor(p.y);
  const { picture } = painted;
  if (column < 0 || row < 0 || column >= picture.columns || row >= picture.rows) return undefined;
  const per = picture.color ? 3 : 1;
  const first = (row * picture.columns + column) * per;
  return { column, row, samples: [...picture.samples.subarray(first, first + per)] };
}
