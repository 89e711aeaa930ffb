// The frames of a stack as one volume, fetched when a plane across it is first wanted, and the planes as answers to requests for frames.

import type { Stack } from '../lib/nouns';
import type { Budget, Holder } from './budget';
import { acrossStack, cutOf, type Grid, gridOf, planeNames, resample, type Slab, type Voxels, voxelsOf } from './mpr';
import type { Fetch, FullFrame } from './props';
import { decode, type Picture } from './samples';

const scheme = 'across:';
const atOnce = 4;

/** Volume keeps every frame of a stack, and makes the planes across it. Nothing of it leaves the page. */
export class Volume implements Holder {
  bytes = 0;
  private readonly stop = new AbortController();
  private voxels: Promise<Voxels> | undefined;
  private readonly grid: Grid;

  /** Throws the reason in words where there can be none. */
  constructor(
    private readonly stack: Stack,
    private readonly urlOf: (image: string, n: number) => string,
    private readonly fetcher: Fetch,
    private readonly budget: Budget,
  ) {
    const grid = gridOf(stack);
    if (typeof grid === 'string') throw new Error(grid);
    this.grid = grid;
    budget.join(this);
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
    this.voxels ??= this.load();
    const voxels = await this.voxels;
    signal.throwIfAborted();
    const values = resample(voxels, cutOf(this.grid, name), Number(n), slab);
    const kind = values instanceof Float32Array ? 'float32' : values instanceof Int16Array ? 'int16' : 'uint16';
    return new Response(values.buffer as ArrayBuffer, { headers: { 'X-Plumbline-Samples': kind } });
  }

  private async load(): Promise<Voxels> {
    const { frames } = this.stack;
    const pictures: Picture[] = [];
    let next = 0;
    const some = async () => {
      for (let i = next++; i < frames.length; i = next++) {
        const frame = frames[i] as FullFrame;
        const response = await this.fetcher(this.urlOf(this.stack.image, frame.index), { signal: this.stop.signal });
        if (!response.ok) throw new Error(`frame ${i + 1} of the volume could not be had`);
        const picture = decode(frame, response.headers.get('X-Plumbline-Samples'), await response.arrayBuffer());
        pictures[i] = picture;
        this.bytes += picture.bytes;
        this.budget.trim();
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, some));
    } catch (trouble) {
      this.voxels = undefined; // tried again when it is wanted again
      throw trouble;
    }
    return voxelsOf(this.stack, this.grid, pictures);
  }

  /** The whole of it is wanted as long as it is open. */
  farthest(): undefined {
    return undefined;
  }

  dropFarthest(): void {}

  close(): void {
    this.stop.abort();
    this.budget.leave(this);
  }
}
