// The drawings of layers, fetched when they are wanted and kept within a budget. No React.

import { type Drawing, drawsOver, type Layer } from './layers';

/** What is there of a drawing: itself, or why it is not there; undefined: it is on its way. */
export type Drawn = { drawing: Drawing } | { trouble: string } | undefined;

// Bytes of drawings: some hundred masks of a CT, beside the frames.
const most = 64 * 1024 * 1024;
const atOnce = 4;

const keyOf = (layer: Layer, frame: number) => `${layer.id}\n${layer.every ? 'every' : frame}`;

interface Wanted {
  key: string;
  load: (signal: AbortSignal) => Promise<Drawing>;
}

/** Drawings is shared by the panes of a screen. */
export class Drawings {
  private readonly kept = new Map<string, Drawn>(); // the longest unused first
  private readonly wants = new Map<unknown, readonly Wanted[]>();
  private readonly coming = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();
  private bytes = 0;
  private changes = 0;

  constructor(private readonly budget = most) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Another number whenever something came. */
  readonly version = (): number => this.changes;

  /** What a layer draws over a frame, as far as it is there. */
  of(layer: Layer, frame: number): Drawn {
    const key = keyOf(layer, frame);
    const found = this.kept.get(key);
    if (found) {
      this.kept.delete(key);
      this.kept.set(key, found);
    }
    return found;
  }

  /** A pane wants the drawings of these layers over its frame; of the frames beside it too, once those are there. What nobody wants any more is given up. */
  want(pane: unknown, layers: readonly Layer[], frame: number): void {
    const near = [frame, frame + 1, frame - 1].flatMap((n) =>
      layers
        .filter((layer) => drawsOver(layer, n))
        .map((layer) => ({
          key: keyOf(layer, n),
          load: (signal: AbortSignal) => layer.load?.(n, signal) ?? Promise.reject(new Error('nothing is drawn')),
        })),
    );
    if (near.length > 0) this.wants.set(pane, near);
    else this.wants.delete(pane);
    const wanted = new Set([...this.wants.values()].flatMap((list) => list.map((w) => w.key)));
    for (const [key, abort] of this.coming) if (!wanted.has(key)) abort.abort();
    this.fetch();
  }

  private fetch(): void {
    for (const wanted of [...this.wants.values()].flat()) {
      if (this.coming.size >= atOnce) return;
      if (this.kept.has(wanted.key) || this.coming.has(wanted.key)) continue;
      const abort = new AbortController();
      this.coming.set(wanted.key, abort);
      wanted
        .load(abort.signal)
        .then((drawing) => ({ drawing }))
        .catch((reason: unknown) => ({ trouble: reason instanceof Error ? reason.message : String(reason) }))
        .then((got) => {
          this.coming.delete(wanted.key);
          if (!abort.signal.aborted) this.keep(wanted.key, got);
          this.fetch();
        });
    }
  }

  private keep(key: string, got: NonNullable<Drawn>): void {
    this.kept.set(key, got);
    this.bytes += sizeOf(got);
    for (const [old, drawn] of this.kept) {
      if (this.bytes <= this.budget || old === key) break;
      this.kept.delete(old);
      this.bytes -= sizeOf(drawn);
    }
    this.changes++;
    for (const listener of this.listeners) listener();
  }
}

const sizeOf = (drawn: Drawn): number => (drawn && 'drawing' in drawn ? drawn.drawing.data.byteLength : 0);
