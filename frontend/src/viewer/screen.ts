// The picture on the screen: which frame, through which window, where it lies. No React; the component draws what it says.

import {
  type Camera,
  flipped,
  flippedDown,
  type ScreenPoint,
  type Size,
  screenPoint,
  turned,
  type View,
  visibleBox,
} from '../lib/geometry';
import type { FileWindow, Region, Stack } from '../lib/nouns';
import { CineClock, rateOf } from './cineClock';
import { openPane, type Pane } from './cornerstone';
import { fitting } from './fitting';
import { type Followed, followedChoice } from './following';
import { isAbort, type Watcher } from './frameStore';
import { Frames } from './frames';
import { Laying } from './laying';
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

/** The state before anything is wanted. */
export const before: Snapshot = {
  size: { width: 0, height: 0 },
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

export interface ScreenOptions {
  stack: Stack;
  urlOf: (frame: FullFrame) => string;
  /** Frames shared with other panes, or the bytes that this one may keep. */
  frames: number | Frames;
  /** How many frames are fetched ahead; left out: all that there is room for. */
  ahead?: number;
  fetcher: Fetch;
  onFrame: (position: number) => void;
  onSeen: (seen: SeenPicture) => void;
  onLook: (change: Followed) => void;
}

const middleOf = (size: Size) => screenPoint(size.width / 2, size.height / 2);

/** Screen runs one pane: it wants frames, keeps the camera and the window, and tells its listeners of every change. */
export class Screen {
  private snap: Snapshot;
  private choice: Choice = firstOfFile;
  private computed: Shown | undefined;
  private asked = 0;
  private canvas: HTMLCanvasElement | undefined;
  private closed = false;
  private readonly laying = new Laying();
  private readonly cine = new CineClock(() => this.cineStep());
  private readonly listeners = new Set<() => void>();
  private readonly painter = new Painter();
  private readonly frames: Frames;
  private readonly watcher: Watcher;
  private readonly pane: Pane;
  private stack: Stack;

  constructor(
    element: HTMLDivElement,
    private readonly options: ScreenOptions,
  ) {
    this.stack = options.stack;
    this.snap = { ...before, size: { width: element.clientWidth, height: element.clientHeight } };
    const { frames, urlOf, fetcher, ahead } = options;
    this.frames = typeof frames === 'number' ? new Frames(frames) : frames;
    const store = this.frames.open(options.stack, urlOf, fetcher, ahead);
    this.watcher = store.watch((at) => this.pane.forget(at));
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
    this.watcher.store.renew(stack);
  }

  close(): void {
    this.closed = true;
    this.cine.stop();
    this.watcher.close();
    this.frames.close(this.watcher.store);
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
    this.watcher
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
    this.laying.reset();
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

  flip = () => this.lay((p, size) => this.laying.turn(p.frame, size, flipped, false));
  flipDown = () => this.lay((p, size) => this.laying.turn(p.frame, size, flippedDown, false));
  rotate = () => this.lay((p, size) => this.laying.turn(p.frame, size, turned, true));
  fit = () => this.lay((p, size) => this.laying.fit(p.frame, size));

  /** One pixel of the image on one of the display. */
  oneToOne = () => this.lay((p, size) => this.laying.zoom(p.view, 1 / (window.devicePixelRatio || 1), middleOf(size)));

  zoomBy(factor: number, at?: ScreenPoint): void {
    this.lay((p, size) => this.laying.zoom(p.view, p.view.zoom * factor, at ?? middleOf(size)));
  }

  panBy(dx: number, dy: number): void {
    this.lay((p) => this.laying.pan(p.view, dx, dy));
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
      this.laying.follow(painted.frame, painted.camera, size, change, oneSpace);
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
    if (painted) this.options.onLook(this.laying.told(painted.frame, painted.camera, size));
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
    this.cine.begin();
    this.scheduleCine();
  }

  /** So many times as fast as now; without a factor as the file says. */
  setPace(factor?: number): void {
    const { rate } = this.rate();
    const pace = factor === undefined ? 1 : this.snap.pace * factor;
    const at = (rate / this.snap.pace) * pace;
    if (at >= 0.2 && at <= 120) this.change({ pace });
    this.cine.now();
    this.scheduleCine();
  }

  /** Frames a second that cine goes for, and whether the file asks for them. */
  rate(): { rate: number; ofFile: boolean } {
    return rateOf(this.frame(Math.max(0, this.snap.wanted))?.duration_ms ?? 0, this.snap.pace);
  }

  private scheduleCine(): void {
    if (this.snap.cine) this.cine.schedule(this.rate().rate);
    else this.cine.stop();
  }

  private cineStep(): void {
    this.asked = (this.snap.wanted + 1) % this.stack.frames.length;
    this.options.onFrame(this.asked);
  }

  private async loaded(position: number): Promise<Picture> {
    return this.watcher.peek(position) ?? this.watcher.want(position);
  }

  // Lays the picture that is on the screen otherwise.
  private lay(how: (painted: Painted, size: Size) => void): void {
    const { painted, size } = this.snap;
    if (!painted) return;
    how(painted, size);
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
    const laid = this.laying.of(frame, this.snap.size);
    return { position, frame, picture, ...laid, shown: this.windowFor(frame, picture) };
  }

  private windowFor(frame: FullFrame, picture: Picture): Shown {
    const shown = resolve(frame, picture, this.choice);
    if (!shown.computed || picture.color) return shown;
    this.computed = this.computed ? spanning(this.computed, shown) : shown;
    return this.computed;
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
    const shownRate = this.snap.cine ? this.cine.count() : undefined;
    if (shownRate) this.change({ shownRate });
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
