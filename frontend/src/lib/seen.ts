// What was truly on the screen while a step was looked at, added up until it is handed to the desk.
import type { FileWindow, Seen } from './nouns';

/** Glance is one picture that was painted. */
export interface Glance {
  image: string;
  /** 0-based number of the frame in its image. */
  frame: number;
  window: FileWindow | undefined;
  /** CSS pixels per stored pixel. */
  zoom: number;
  /** Whether the cited region of the step was in it. */
  region: boolean;
  /** Whether the window was fit for that region then. */
  fitting: boolean;
}

/** What was seen of one image. */
interface Sight {
  frames: Set<number>;
  windows: Map<string, FileWindow>;
  zoom: number;
}

/**
 * SeenRecord adds up frames, windows, zoom and time for one step. Times are those of one clock, in milliseconds.
 *
 * A gap between two acts of the reader is active time as a whole, or idle time as a whole and a break where it is longer than the limit: 40 s
 * of work, ten minutes away and 20 s of work are 60 s active and 600 s idle. While a gap is open it counts as nothing yet.
 */
export class SeenRecord {
  private images = new Map<string, Sight>();
  private region = false;
  private fitting = false;
  private dwell = 0;
  private idle = 0;
  private breaks = 0;
  private acted: number;
  private counted: number;
  private away = false;

  /** now is when the step came into view, first the same as the time of day; limit is how long a gap may be to count as active. */
  constructor(
    now: number,
    private readonly first: string,
    private readonly limit: number,
  ) {
    this.acted = now;
    this.counted = now;
  }

  /** active is the time, in milliseconds, that counts as active since the last take. */
  get active(): number {
    return this.dwell;
  }

  /** act: the reader did something. */
  act(now: number) {
    this.count(now);
    if (!this.away) this.dwell += Math.max(0, now - this.counted);
    this.away = false;
    this.acted = now;
    this.counted = now;
  }

  /** glance: a picture was painted. */
  glance(g: Glance) {
    const sight = this.images.get(g.image) ?? { frames: new Set(), windows: new Map(), zoom: 0 };
    this.images.set(g.image, sight);
    sight.frames.add(g.frame);
    if (g.window) sight.windows.set(`${g.window.center}/${g.window.width}`, g.window);
    sight.zoom = Math.max(sight.zoom, g.zoom);
    this.region ||= g.region;
    this.fitting ||= g.region && g.fitting;
  }

  /** take gives what was added up since the last time, and begins anew. To turn to something else is an act: call act before. */
  take(step: string, now: number, display: string): Seen {
    this.count(now);
    const all = [...this.images.values()];
    const ascending = (frames: Iterable<number>) => [...new Set(frames)].sort((a, b) => a - b);
    const seen: Seen = {
      step,
      frames: ascending(all.flatMap((m) => [...m.frames])),
      windows: [...new Map(all.flatMap((m) => [...m.windows])).values()],
      zoom: Math.max(0, ...all.map((m) => m.zoom)),
      images: [...this.images].map(([image, { frames, windows, zoom }]) => ({
        image,
        frames: ascending(frames),
        windows: [...windows.values()],
        zoom,
      })),
      region_on_screen: this.region,
      region_fitting: this.fitting,
      dwell_ms: Math.round(this.dwell),
      idle_ms: Math.round(this.idle),
      breaks: this.breaks,
      first_at: this.first,
      order: 0, // the desk knows it
      display,
    };
    this.dwell = 0;
    this.idle = 0;
    this.breaks = 0;
    return seen;
  }

  // A gap that is longer than the limit is idle from its beginning, and goes on to be.
  private count(now: number) {
    if (now - this.acted <= this.limit) return;
    if (!this.away) this.breaks++;
    this.away = true;
    this.idle += Math.max(0, now - this.counted);
    this.counted = Math.max(this.counted, now);
  }
}
