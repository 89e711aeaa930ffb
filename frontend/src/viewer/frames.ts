// What the panes of a screen share: each image fetched and held once, one budget, and one line in which requests wait.

import type { Stack } from '../lib/nouns';
import { Budget } from './budget';
import { FrameStore } from './frameStore';
import type { Fetch, FullFrame } from './props';

// So many frames are fetched ahead at once, by all panes together. Measured in the real window: two to four fill the way between
// desk and page (75 to 83 MB/s, one alone 28), and the wanted frame shares that way with those that are on it.
const lanes = 3;

interface Open {
  store: FrameStore;
  panes: number;
}

/** How a store asks before it fetches ahead, and tells that it has done so. */
export interface Line {
  readonly budget: Budget;
  /** Whether a frame may be fetched ahead now: nobody waits for a wanted one, and a lane is free. */
  free(): boolean;
  /** Something came or was given up: others may go on. */
  moved(): void;
}

/** Frames holds the stores of the images that are open in any pane. */
export class Frames implements Line {
  readonly budget: Budget;
  private readonly stores = new Map<string, Open>();

  constructor(bytes: number) {
    this.budget = new Budget(bytes);
  }

  /** The store of an image, made when its first pane opens; every open is to be closed. */
  open(stack: Stack, urlOf: (frame: FullFrame) => string, fetcher: Fetch, ahead?: number): FrameStore {
    const is = this.stores.get(stack.image);
    if (is) {
      is.panes++;
      is.store.renew(stack);
      return is.store;
    }
    const store = new FrameStore(stack, urlOf, this, fetcher, ahead);
    this.stores.set(stack.image, { store, panes: 1 });
    return store;
  }

  close(store: FrameStore): void {
    for (const [image, is] of this.stores) {
      if (is.store !== store || --is.panes > 0) continue;
      this.stores.delete(image);
      store.close();
    }
  }

  free(): boolean {
    let under = 0;
    for (const { store } of this.stores.values()) {
      if (store.waits()) return false;
      under += store.held().loading;
    }
    return under < lanes;
  }

  /** Every store in turn starts one frame ahead, until none can. */
  moved(): void {
    let more = true;
    while (more) {
      more = false;
      for (const { store } of this.stores.values()) if (this.free()) more = store.ahead() || more;
    }
  }
}
