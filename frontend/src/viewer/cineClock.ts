// The pace of a clip. No React.

// A clip without frame times runs at this pace, in ms a frame.
const usual = 100;

/** How often a second the frames of a clip change, by the time that the file gives a frame, and whether the file gave one. */
export function rateOf(durationMS: number, pace: number): { rate: number; ofFile: boolean } {
  return { rate: (1000 / (durationMS > 0 ? durationMS : usual)) * pace, ofFile: durationMS > 0 };
}

/** CineClock says when the next frame is due. Every frame is shown, none is skipped; one that comes late delays those after it. */
export class CineClock {
  private due = 0;
  private drawn: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly next: () => void) {}

  /** Begins to count anew. */
  begin(): void {
    this.drawn = [];
    this.now();
  }

  /** The next frame is counted from now. */
  now(): void {
    this.due = performance.now();
  }

  /** Has the next frame come when it is due, at so many a second. */
  schedule(rate: number): void {
    this.stop();
    const now = performance.now();
    this.due = Math.max(now, this.due + 1000 / rate);
    this.timer = setTimeout(this.next, this.due - now);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Counts a frame that came on the screen; how many there were a second in the last one, or undefined after the first. */
  count(): number | undefined {
    const now = performance.now();
    this.drawn = [...this.drawn.filter((at) => now - at <= 1000), now];
    const [first] = this.drawn;
    if (first === undefined || this.drawn.length < 2) return undefined;
    return ((this.drawn.length - 1) * 1000) / (now - first);
  }
}
