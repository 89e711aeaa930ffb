import { describe, expect, it } from 'vitest';
import { hashOf, routeOf } from './route';

describe('a place', () => {
  it.each([
    [{ at: 'library' } as const],
    [{ at: 'case', id: 'C-07' } as const],
    [{ at: 'case', id: 'a/b c#ü%' } as const],
    [{ at: 'report' } as const],
    [{ at: 'settings' } as const],
    [{ at: 'about' } as const],
  ])('%o comes back from its address', (route) => {
    expect(routeOf(hashOf(route))).toEqual(route);
  });

  it.each(['', '#', '#/', '#/nowhere', '#/case', '#/case/', '#/case/%'])('%s is the library', (hash) => {
    expect(routeOf(hash)).toEqual({ at: 'library' });
  });
});
