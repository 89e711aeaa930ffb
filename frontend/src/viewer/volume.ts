// The frames of a stack as one volume, fetched when a plane across it is first wanted, and the planes as answers to requests for frames.

import type { Stack } from '../lib/nouns';
import type { Holder } from './budget';
import type { FrameStore } from './frameStore';
import type { Frames } from './frames';
import { acrossStack, cutOf, type Grid, gridOf, outside, planeNames, type Slab, uniform } from './mpr';
import type { Made, Said } from './planes.worker';
import type { Fetch, FullFrame } from './props';
import { modality, type Picture, type SampleArray } from './samples';

const scheme = 'across:';
const atOnce = 3;

interface Wish {
  said: Extract<Said, { kind: 'plane' }>;
  signal: AbortSignal;
  done: (made: Made) => void;
  stop: (why: unknown) => void;
}

/** Volume keeps every frame of a stack in a worker, which makes the planes across it. Nothing of it leaves the page. */
export class Volume implements Holder {
  bytes = 0;
  private here = 0;
  private readonly listeners = new Set<() => void>();
  private readonly grid: Grid;
  private readonly store: FrameStore;
  private readonly worker = new Worker(new URL('./planes.worker.ts', import.meta.url), { type: 'module' });
  private loaded: Promise<void> | undefined;
  private wishes: Wish[] = [];
  private making: Wish | undefined;
  private closed = false;

  /** Throws the reason in words where there can be none. */
  constructor(
    private readonly stack: Stack,
    urlOf: (image: string, n: number) => string,
    fetcher: Fetch,
    private readonly frames: Frames,
  ) {
    const grid = gridOf(stack);
    if (typeof grid === 'string') throw new Error(grid);
    this.grid = grid;
    this.store = frames.open(stack, (frame) => urlOf(stack.image, frame.index), fetcher);
    frames.budget.join(this);
    this.worker.onmessage = ({ data }: MessageEvent<Made>) => this.made(data);
    this.worker.onerror = (e) => this.made({ trouble: e.message || 'the planes could not be made' });
  }

  /** The planes of every name as stacks; that along the frames themselves, which is there already, comes last. */
  stacks(slab: Slab): Stack[] {
    const cuts = planeNames.map((name) => cutOf(this.grid, name));
    const along = (k: number) => Number(cuts[k]?.through.axis === 2);
    return [0, 1, 2]
      .sort((a, b) => along(a) - along(b))
      .map((k) => acrossStack(this.stack, this.grid, cuts[k] as (typeof cuts)[number], slab));
  }

  /** The address of a plane, for a viewer that shows one of the stacks. */
  static urlOf(image: string, n: number): string {
    return `${scheme}${n}/${image}`;
  }

  static owns(url: string): boolean {
    return url.startsWith(scheme);
  }

  /** Answers for the nth plane of a stack that it made. */
  async fetch(url: string, slab: Slab, signal: AbortSignal): Promise<Response> {
    const [, n, image = ''] = /^across:(\d+)\/(.*)$/.exec(url) ?? [];
    const name = planeNames.find((p) => image.includes(` · ${p}`));
    if (n === undefined || !name) throw new Error(`there is no plane ${url}`);
    this.loaded ??= this.load();
    await this.loaded;
    signal.throwIfAborted();
    const made = await this.wish({ kind: 'plane', cut: cutOf(this.grid, name), n: Number(n), slab }, signal);
    if ('trouble' in made) throw new Error(made.trouble);
    const { values } = made;
    const kind = values instanceof Float32Array ? 'float32' : values instanceof Int16Array ? 'int16' : 'uint16';
    return new Response(values.buffer as ArrayBuffer, { headers: { 'X-Plumbline-Samples': kind } });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** How many frames of the stack are not there yet. */
  readonly missing = (): number => this.stack.frames.length - this.here;

  get count(): number {
    return this.stack.frames.length;
  }

  // The latest wish is made first: it is what the reader looks at. One that is given up before its turn is never made.
  private wish(said: Wish['said'], signal: AbortSignal): Promise<Made> {
    return new Promise((done, stop) => {
      this.wishes.push({ said, signal, done, stop });
      this.next();
    });
  }

  private next(): void {
    while (!this.making && this.wishes.length > 0) {
      const wish = this.wishes.pop() as Wish;
      if (wish.signal.aborted) wish.stop(wish.signal.reason);
      else {
        this.making = wish;
        this.tell(wish.said);
      }
    }
  }

  private made(made: Made): void {
    this.making?.done(made);
    this.making = undefined;
    this.next();
  }

  private tell(said: Said): void {
    this.worker.postMessage(said);
  }

  private async load(): Promise<void> {
    const frames = this.stack.frames as FullFrame[];
    const same = uniform(this.stack);
    let whole = same;
    let next = 0;
    this.bytes = 0;
    this.here = 0;
    const some = async () => {
      for (let i = next++; i < frames.length; i = next++) {
        const picture = await this.store.need(i);
        if (this.closed) throw new DOMException('closed', 'AbortError');
        const samples = same ? picture.samples : inUnits(frames[i] as FullFrame, picture);
        whole &&= picture.whole;
        this.bytes += samples.byteLength;
        this.here++;
        for (const listener of this.listeners) listener();
        this.tell({ kind: 'frame', at: i, samples });
        this.frames.budget.trim();
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, some));
    } catch (trouble) {
      this.loaded = undefined; // tried again when it is wanted again
      throw trouble;
    }
    const [first] = frames as [FullFrame];
    this.tell({
      kind: 'volume',
      volume: { grid: this.grid, whole, padding: this.padding(first), outside: outside(this.stack) },
    });
  }

  // What is no image: the padding of the file, and where the volume is tilted what stands beside its frames.
  private padding({ padding, padding_limit: limit }: FullFrame): [number, number] | undefined {
    const none = outside(this.stack);
    if (!uniform(this.stack)) return this.grid.tilt > 0 ? [none, none] : undefined;
    if (padding === undefined || padding === null) return this.grid.tilt > 0 ? [none, none] : undefined;
    return [Math.min(padding, limit ?? padding), Math.max(padding, limit ?? padding)];
  }

  /** The whole of it is wanted as long as it is open. */
  farthest(): undefined {
    return undefined;
  }

  dropFarthest(): void {}

  close(): void {
    this.closed = true;
    this.worker.terminate();
    for (const wish of [...this.wishes, ...(this.making ? [this.making] : [])])
      wish.stop(new DOMException('closed', 'AbortError'));
    this.wishes = [];
    this.frames.close(this.store);
    this.frames.budget.leave(this);
  }
}

/** The values of a frame in the unit of the file, where frames are scaled apart. */
function inUnits(frame: FullFrame, picture: Picture): SampleArray {
  return Float32Array.from(picture.samples, modality(frame));
}
