// Undo and redo of one thing, step by step.

/** Undo remembers what a thing was before each change. It holds values and changes nothing itself. */
export class Undo<T> {
  private past: T[] = [];
  private future: T[] = [];

  /** did: the thing was so before a change that is made now. */
  did(before: T): void {
    this.past.push(before);
    this.future = [];
  }

  /** back gives what the thing was before the last change, or undefined where there is none; now is what it is. */
  back(now: T): T | undefined {
    const before = this.past.pop();
    if (before !== undefined) this.future.push(now);
    return before;
  }

  /** forth gives what the thing was before the last back. */
  forth(now: T): T | undefined {
    const after = this.future.pop();
    if (after !== undefined) this.past.push(now);
    return after;
  }

  get canBack(): boolean {
    return this.past.length > 0;
  }

  get canForth(): boolean {
    return this.future.length > 0;
  }
}
