// Saves wait here until the backend has answered: in order within a key, retried when they fail, never dropped by themselves.

/** Failure is why a save is still waiting. */
export interface Failure {
  key: string;
  text: string;
  /** again: tried again by itself; stuck: only the reader can decide. */
  kind: 'again' | 'stuck';
}

/** Waiting is a value that the backend has not confirmed yet. */
export interface Waiting {
  key: string;
  value: unknown;
}

interface Job extends Waiting {
  save: () => Promise<void>;
  settle: () => void;
}

/** Clock starts a timer; tests give their own. */
export type Clock = (ms: number, then: () => void) => void;

/** faultWords reads a rejected promise: what to say and whether trying again by itself can help. */
export type FaultWords = (reason: unknown) => { text: string; again: boolean };

const longest = 15_000;

/** SaveQueue holds what people said until it is safe. Its snapshot changes identity only when it changes. */
export class SaveQueue {
  private jobs: Job[] = [];
  private busy = new Set<string>();
  private failures = new Map<string, Failure>();
  private listeners = new Set<() => void>();
  private shot: { waiting: readonly Waiting[]; failures: readonly Failure[] } = { waiting: [], failures: [] };

  constructor(
    private words: FaultWords,
    private clock: Clock = (ms, then) => setTimeout(then, ms),
  ) {}

  /** add saves value under key, after everything added under it before. The promise settles once it is saved. */
  add(key: string, value: unknown, save: () => Promise<void>): Promise<void> {
    return new Promise((settle) => {
      this.jobs.push({ key, value, save, settle });
      this.changed();
      void this.work(key, 500);
    });
  }

  /** last is the newest value that waits under a key, or undefined. */
  last(key: string): unknown {
    return this.jobs.findLast((j) => j.key === key)?.value;
  }

  /** retry tries a key that is stuck again. */
  retry(key: string): void {
    this.failures.delete(key);
    this.changed();
    void this.work(key, 500);
  }

  /** takeBack drops what waits under a key: only on the reader's own word. */
  takeBack(key: string): void {
    const gone = this.jobs.filter((j) => j.key === key && !this.busy.has(key));
    this.jobs = this.jobs.filter((j) => !gone.includes(j));
    this.failures.delete(key);
    this.changed();
    for (const j of gone) j.settle();
  }

  /** snapshot is what waits and what failed; the same object until something changes. */
  snapshot = () => this.shot;

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** idle resolves when nothing under the prefix waits any more. */
  idle(prefix: string): Promise<void> {
    const clear = () => !this.jobs.some((j) => j.key.startsWith(prefix));
    if (clear()) return Promise.resolve();
    return new Promise((done) => {
      const stop = this.subscribe(() => {
        if (!clear()) return;
        stop();
        done();
      });
    });
  }

  private changed() {
    this.shot = {
      waiting: this.jobs.map(({ key, value }) => ({ key, value })),
      failures: [...this.failures.values()],
    };
    for (const l of this.listeners) l();
  }

  private async work(key: string, pause: number): Promise<void> {
    if (this.busy.has(key) || this.failures.has(key)) return;
    const job = this.jobs.find((j) => j.key === key);
    if (!job) return;
    this.busy.add(key);
    try {
      await job.save();
      this.jobs = this.jobs.filter((j) => j !== job);
      this.busy.delete(key);
      this.changed();
      job.settle();
      return this.work(key, 500);
    } catch (reason) {
      this.busy.delete(key);
      this.fail(key, reason, pause);
    }
  }

  private fail(key: string, reason: unknown, pause: number) {
    const { text, again } = this.words(reason);
    this.failures.set(key, { key, text, kind: again ? 'again' : 'stuck' });
    this.changed();
    if (!again) return;
    this.clock(pause, () => {
      if (this.failures.get(key)?.kind !== 'again') return;
      this.failures.delete(key);
      void this.work(key, Math.min(longest, pause * 2));
    });
  }
}
