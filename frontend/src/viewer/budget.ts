// The bytes that the frames of all viewers may take together.

/** What keeps frames within a budget. */
export interface Holder {
  /** The bytes it keeps. */
  readonly bytes: number;
  /** How far the frame that it can best do without lies from those on its screens; undefined: it can do without none. */
  farthest(): number | undefined;
  dropFarthest(): void;
}

/** Budget is shared by the panes of a screen: what lies farthest from what is looked at goes first, whosever it is. */
export class Budget {
  private readonly holders = new Set<Holder>();

  constructor(readonly bytes: number) {}

  join(holder: Holder): void {
    this.holders.add(holder);
  }

  leave(holder: Holder): void {
    this.holders.delete(holder);
  }

  /** The bytes that are kept by all. */
  used(): number {
    let sum = 0;
    for (const h of this.holders) sum += h.bytes;
    return sum;
  }

  /** What one of the holders may fetch ahead without taking from the others. */
  share(): number {
    return this.bytes / Math.max(1, this.holders.size);
  }

  /** Drops frames until the rest fits, as far as there are any to do without. */
  trim(): void {
    while (this.used() > this.bytes) {
      let worst: Holder | undefined;
      let most = -1;
      for (const h of this.holders) {
        const far = h.farthest();
        if (far !== undefined && far > most) [worst, most] = [h, far];
      }
      if (!worst) return;
      worst.dropFarthest();
    }
  }
}
