// The frames of one stack: fetched around the one that is wanted and kept within a budget, the farthest dropped first.

import type { Stack } from '../lib/nouns';
import type { Budget, Holder } from './budget';
import type { Fetch, FullFrame } from './props';
import { decode, type Picture } from './samples';

interface Loading {
  stop: AbortController;
  done: Promise<Picture>;
}

// A request for a frame further away than this is stopped; so many run at once beside the wanted one.
const reach = 24;
const atOnce = 2;

/**
 * FrameStore holds the decoded frames of a stack. Positions are those of stack.frames. A frame that fails is tried again when
 * it is wanted again; its neighbours are not held up by it.
 */
export class FrameStore implements Holder {
  private readonly kept = new Map<number, Picture>();
  private readonly loading = new Map<number, Loading>();
  private readonly failed = new Set<number>();
  private sum = 0;
  private wanted = 0;
  private heading = 1;
  private closed = false;

  constructor(
    private stack: Stack,
    private readonly urlOf: (frame: FullFrame) => string,
    private readonly budget: Budget,
    private readonly fetcher: Fetch,
    private readonly onDrop: (position: number) => void = () => {},
  ) {
    budget.join(this);
  }

  get bytes(): number {
    return this.sum;
  }

  /** The same images told anew: what is held stays. */
  renew(stack: Stack): void {
    this.stack = stack;
  }

  has(position: number): boolean {
    return this.kept.has(position);
  }

  /** How much of the stack is held, for tests and for the curious. */
  held(): { frames: number; bytes: number; loading: number } {
    return { frames: this.kept.size, bytes: this.sum, loading: this.loading.size };
  }

  /**
   * Asks for a frame as the one to show: frames far from it are no longer fetched, its neighbours are fetched after it.
   * Rejects with a sentence, or with an AbortError when another frame was wanted before this one came.
   */
  want(position: number): Promise<Picture> {
    if (position !== this.wanted) this.heading = position < this.wanted ? -1 : 1;
    this.wanted = position;
    for (const [at, { stop }] of this.loading) if (Math.abs(at - position) > reach) stop.abort();
    const kept = this.peek(position);
    this.failed.delete(position);
    const got = kept ? Promise.resolve(kept) : this.load(position);
    got.then(
      () => this.prefetch(),
      () => this.prefetch(),
    );
    return got;
  }

  /** A frame that is held. */
  peek(position: number): Picture | undefined {
    return this.kept.get(position);
  }

  close(): void {
    this.closed = true;
    for (const { stop } of this.loading.values()) stop.abort();
    for (const at of [...this.kept.keys()]) this.drop(at);
    this.budget.leave(this);
  }

  private load(position: number): Promise<Picture> {
    const under = this.loading.get(position);
    if (under && !under.stop.signal.aborted) return under.done;
    const stop = new AbortController();
    const done = this.fetch(position, stop.signal).finally(() => {
      if (this.loading.get(position)?.stop === stop) this.loading.delete(position);
    });
    this.loading.set(position, { stop, done });
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
    this.budget.trim();
  }

  farthest(): number | undefined {
    const at = this.spare();
    return at === undefined ? undefined : Math.abs(at - this.wanted);
  }

  dropFarthest(): void {
    const at = this.spare();
    if (at !== undefined) this.drop(at);
  }

  // The frame that lies farthest from the wanted one, which is never given up.
  private spare(): number | undefined {
    let far: number | undefined;
    for (const at of this.kept.keys()) {
      if (at === this.wanted) continue;
      if (far === undefined || Math.abs(at - this.wanted) > Math.abs(far - this.wanted)) far = at;
    }
    return far;
  }

  private drop(position: number): void {
    this.sum -= this.kept.get(position)?.bytes ?? 0;
    this.kept.delete(position);
    this.onDrop(position);
  }

  // Fetches what the reader will want next, nearest first, ahead before behind; never more than the budget can hold.
  private prefetch(): void {
    if (this.closed || (this.loading.has(this.wanted) && !this.kept.has(this.wanted))) return;
    const room = Math.floor(this.budget.share() / this.sizeOf(this.wanted)) - 1;
    for (const at of this.neighbours().slice(0, Math.max(0, room))) {
      if (this.loading.size >= atOnce) return;
      if (this.kept.has(at) || this.loading.has(at) || this.failed.has(at)) continue;
      this.load(at).then(
        () => this.prefetch(),
        (trouble) => {
          if (!isAbort(trouble)) this.failed.add(at);
          this.prefetch();
        },
      );
    }
  }

  // The bytes of a frame, before it comes by what its header says.
  private sizeOf(position: number): number {
    const { rows = 0, columns = 0, samples = 1, bits_allocated: bits = 16 } = this.stack.frames[position] ?? {};
    return this.kept.get(position)?.bytes ?? Math.max(1, rows * columns * samples * Math.max(1, bits / 8));
  }

  private neighbours(): number[] {
    const around: number[] = [];
    for (let d = 1; d < this.stack.frames.length; d++)
      around.push(this.wanted + d * this.heading, this.wanted - d * this.heading);
    return around.filter((at) => at >= 0 && at < this.stack.frames.length && !this.stack.frames[at]?.problem);
  }
}

export const isAbort = (trouble: unknown) => trouble instanceof Error && trouble.name === 'AbortError';

// What the server says, where it is a sentence; else the bare status.
async function refusal(response: Response): Promise<string> {
  const text = (await response.text()).trim();
  const sentence = text.length > 0 && text.length < 400 && !text.startsWith('<') ? text : '';
  return sentence || `the frame could not be had (status ${response.status})`;
}
