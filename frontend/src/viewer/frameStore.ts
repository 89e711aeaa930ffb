// The frames of one stack: fetched around those that are wanted and kept within a budget, the farthest dropped first.

import type { Stack } from '../lib/nouns';
import type { Holder } from './budget';
import type { Line } from './frames';
import type { Fetch, FullFrame } from './props';
import { decode, type Picture } from './samples';

interface Loading {
  stop: AbortController;
  done: Promise<Picture>;
  /** Somebody needs it wherever the panes are. */
  needed: boolean;
}

// A request for a frame further away than this from every pane is stopped where a wanted frame has to be fetched.
const reach = 24;

/** A pane that looks at a stack: which frame it wants, and which way it goes. */
export class Watcher {
  wanted = 0;
  heading = 1;

  constructor(
    readonly store: FrameStore,
    readonly onDrop: (position: number) => void,
  ) {}

  /**
   * Asks for a frame as the one to show. One that has to be fetched stops those that are far from it; its neighbours come after it.
   * Rejects with a sentence, or with an AbortError when another frame was wanted before this one came.
   */
  want(position: number): Promise<Picture> {
    if (position !== this.wanted) this.heading = position < this.wanted ? -1 : 1;
    this.wanted = position;
    return this.store.wantedAnew(position);
  }

  /** A frame that is held. */
  peek(position: number): Picture | undefined {
    return this.store.peek(position);
  }

  close(): void {
    this.store.leave(this);
  }
}

/**
 * FrameStore holds the decoded frames of a stack for all panes that look at it. Positions are those of stack.frames. A frame that
 * fails is tried again when it is wanted again; its neighbours are not held up by it.
 */
export class FrameStore implements Holder {
  private readonly kept = new Map<number, Picture>();
  private readonly loading = new Map<number, Loading>();
  private readonly failed = new Set<number>();
  private readonly watchers = new Set<Watcher>();
  private sum = 0;
  private closed = false;

  constructor(
    private stack: Stack,
    private readonly urlOf: (frame: FullFrame) => string,
    private readonly line: Line,
    private readonly fetcher: Fetch,
    /** How many frames around a wanted one are fetched ahead. */
    private readonly most = Number.POSITIVE_INFINITY,
  ) {
    line.budget.join(this);
  }

  get bytes(): number {
    return this.sum;
  }

  /** The same images told anew: what is held stays. */
  renew(stack: Stack): void {
    this.stack = stack;
  }

  watch(onDrop: (position: number) => void = () => {}): Watcher {
    const watcher = new Watcher(this, onDrop);
    this.watchers.add(watcher);
    return watcher;
  }

  leave(watcher: Watcher): void {
    this.watchers.delete(watcher);
    this.stopFar();
  }

  has(position: number): boolean {
    return this.kept.has(position);
  }

  /** How much of the stack is held. */
  held(): { frames: number; bytes: number; loading: number } {
    return { frames: this.kept.size, bytes: this.sum, loading: this.loading.size };
  }

  /** Whether a pane waits for the frame that it wants. */
  waits(): boolean {
    for (const { wanted } of this.watchers) if (this.loading.has(wanted) && !this.kept.has(wanted)) return true;
    return false;
  }

  /** A frame that is held. */
  peek(position: number): Picture | undefined {
    return this.kept.get(position);
  }

  /** For its watchers: one of them wants this frame now. */
  wantedAnew(position: number): Promise<Picture> {
    const kept = this.peek(position);
    if (!kept) this.stopFar(); // what is on its way to elsewhere would come first
    this.failed.delete(position);
    const got = kept ? Promise.resolve(kept) : this.load(position, false);
    const go = () => this.line.moved();
    got.then(go, go);
    return got;
  }

  /** A frame for somebody who needs every one of them: it comes wherever the panes are, and is kept no longer for that. */
  need(position: number): Promise<Picture> {
    const kept = this.peek(position);
    return kept ? Promise.resolve(kept) : this.load(position, true);
  }

  close(): void {
    this.closed = true;
    for (const { stop } of this.loading.values()) stop.abort();
    for (const at of [...this.kept.keys()]) this.drop(at);
    this.line.budget.leave(this);
  }

  private distance(position: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { wanted } of this.watchers) least = Math.min(least, Math.abs(position - wanted));
    return least;
  }

  private stopFar(): void {
    for (const [at, { stop, needed }] of this.loading) if (!needed && this.distance(at) > reach) stop.abort();
  }

  private load(position: number, needed: boolean): Promise<Picture> {
    const under = this.loading.get(position);
    if (under && !under.stop.signal.aborted) {
      under.needed ||= needed;
      return under.done;
    }
    const stop = new AbortController();
    const done = this.fetch(position, stop.signal).finally(() => {
      if (this.loading.get(position)?.stop === stop) this.loading.delete(position);
    });
    this.loading.set(position, { stop, done, needed });
    return done;
  }

  private async fetch(position: number, signal: AbortSignal): Promise<Picture> {
    const frame = this.stack.frames[position] as FullFrame | undefined;
    if (!frame) throw new Error(`there is no frame ${position + 1}`);
    if (frame.problem) throw new Error(frame.problem);
    const response = await this.fetcher(this.urlOf(frame), { signal });
    if (!response.ok) throw new Error(await refusal(response));
    const kind = response.headers.get('X-Plumbline-Samples');
    const picture = decode(frame, kind, await response.arrayBuffer());
    signal.throwIfAborted();
    this.keep(position, picture);
    return picture;
  }

  private keep(position: number, picture: Picture): void {
    if (this.closed) return;
    this.sum -= this.kept.get(position)?.bytes ?? 0;
    this.kept.set(position, picture);
    this.sum += picture.bytes;
    this.line.budget.trim();
  }

  farthest(): number | undefined {
    const at = this.spare();
    return at === undefined ? undefined : this.distance(at);
  }

  dropFarthest(): void {
    const at = this.spare();
    if (at !== undefined) this.drop(at);
  }

  // The frame that lies farthest from every wanted one; those are never given up.
  private spare(): number | undefined {
    let far: number | undefined;
    let most = 0;
    for (const at of this.kept.keys()) {
      const distance = this.distance(at);
      if (distance > most) [far, most] = [at, distance];
    }
    return far;
  }

  private drop(position: number): void {
    this.sum -= this.kept.get(position)?.bytes ?? 0;
    this.kept.delete(position);
    for (const { onDrop } of this.watchers) onDrop(position);
  }

  /** Fetches the frame that a reader will want next, if there is one and the budget can hold it; whether it did. */
  ahead(): boolean {
    if (this.closed) return false;
    const at = this.next();
    if (at === undefined) return false;
    const go = () => this.line.moved();
    this.load(at, false).then(go, (trouble) => {
      if (!isAbort(trouble)) this.failed.add(at);
      go();
    });
    return true;
  }

  // The next frame that is not there yet: two ahead for one behind.
  private next(): number | undefined {
    const { frames } = this.stack;
    const [first] = this.watchers;
    if (!first) return undefined;
    const room = Math.floor(this.line.budget.share() / this.sizeOf(first.wanted)) - this.watchers.size;
    let left = Math.min(this.most, room);
    for (let d = 1; d < 2 * frames.length && left > 0; d++) {
      for (const { wanted, heading } of this.watchers) {
        for (const at of [wanted + d * heading, d % 2 ? undefined : wanted - (d / 2) * heading]) {
          const frame = at === undefined ? undefined : frames[at];
          if (!frame || at === undefined || frame.problem || left-- <= 0) continue;
          if (!this.kept.has(at) && !this.loading.has(at) && !this.failed.has(at)) return at;
        }
      }
    }
    return undefined;
  }

  // The bytes of a frame, before it comes by what its header says.
  private sizeOf(position: number): number {
    const { rows = 0, columns = 0, samples = 1, bits_allocated: bits = 16 } = this.stack.frames[position] ?? {};
    return this.kept.get(position)?.bytes ?? Math.max(1, rows * columns * samples * Math.max(1, bits / 8));
  }
}

export const isAbort = (trouble: unknown) => trouble instanceof Error && trouble.name === 'AbortError';

// What the server says, where it is a sentence; else the bare status.
async function refusal(response: Response): Promise<string> {
  const text = (await response.text()).trim();
  const sentence = text.length > 0 && text.length < 400 && !text.startsWith('<') ? text : '';
  return sentence || `the frame could not be had (status ${response.status})`;
}
