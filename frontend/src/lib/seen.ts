// What was truly on the screen while a step was looked at, added up until it is handed to the desk.
import type { FileWindow, Seen } from './nouns';

/** Glance is one picture that was painted. */
export interface Glance {
  /** 0-based number of the frame in its image. */
  frame: number;
  window: FileWindow | undefined;
  /** CSS pixels per stored pixel. */
  zoom: number;
  /** Whether the cited region of the step was in it. */
  region: boolean;
}

/** Still is how long, in milliseconds, nothing may be done before time counts as idle. */
export const still = 30_000;

/** SeenRecord adds up frames, windows, zoom and time for one step. Times are those of one clock, in milliseconds. */
export class SeenRecord {
  private frames = new Set<number>();
  private windows = new Map<string, FileWindow>();
  private zoom = 0;
  private region = false;
  private dwell = 0;
  private idle = 0;
  private acted: number;
  private counted: number;

  constructor(now: number) {
    this.acted = now;
    this.counted = now;
  }

  /** act: the reader did something. */
  act(now: number) {
    this.count(now);
    this.acted = now;
  }

  /** glance: a picture was painted. */
  glance(g: Glance) {
    this.frames.add(g.frame);
    if (g.window) this.windows.set(`${g.window.center}/${g.window.width}`, g.window);
    this.zoom = Math.max(this.zoom, g.zoom);
    this.region ||= g.region;
  }

  /** take gives what was added up since the last time, and begins anew. */
  take(step: string, now: number, display: string): Seen {
    this.count(now);
    const seen: Seen = {
      step,
      frames: [...this.frames].sort((a, b) => a - b),
      windows: [...this.windows.values()],
      zoom: this.zoom,
      region_on_screen: this.region,
      dwell_ms: Math.round(this.dwell),
      idle_ms: Math.round(this.idle),
      display,
    };
    this.dwell = 0;
    this.idle = 0;
    return seen;
  }

  // Time up to `still` after the last act is looking; what comes later is idle.
  private count(now: number) {
    const until = Math.max(this.counted, Math.min(now, this.acted + still));
    this.dwell += until - this.counted;
    this.idle += Math.max(0, now - until);
    this.counted = Math.max(this.counted, now);
  }
}
