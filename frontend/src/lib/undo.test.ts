import { expect, it } from 'vitest';
import { Undo } from './undo';

it('goes back and forth, and forgets what was undone once something else is done', () => {
  const u = new Undo<number[]>();
  let now: number[] = [];
  const change = (to: number[]) => {
    u.did(now);
    now = to;
  };
  const go = (to: number[] | undefined) => {
    if (to) now = to;
    return now;
  };
  expect([u.canBack, u.back(now)]).toEqual([false, undefined]);
  change([1]);
  change([1, 2]);
  expect(go(u.back(now))).toEqual([1]);
  expect(go(u.back(now))).toEqual([]);
  expect([u.canBack, u.canForth]).toEqual([false, true]);
  expect(go(u.forth(now))).toEqual([1]);
  change([1, 3]);
  expect(u.canForth).toBe(false);
  expect(go(u.back(now))).toEqual([1]);
  expect(go(u.back(now))).toEqual([]);
});
