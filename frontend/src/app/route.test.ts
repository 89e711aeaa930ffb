import { describe, expect, it } from 'vitest';
import { compareAddress } from '../lib/places';
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

it('two chains have an address, and half of one is none', () => {
  const both = { at: 'compare', id: 'case/1', before: 'ch a', after: 'b/c' } as const;
  expect(routeOf(hashOf(both))).toEqual(both);
  expect(hashOf(both)).toBe(compareAddress('case/1', 'ch a', 'b/c'));
  expect(hashOf({ at: 'compare', id: 'c' })).toBe('#/compare/c');
  expect(routeOf('#/compare/%E0%A4%A')).toEqual({ at: 'compare' });
  expect(routeOf('#/experiment')).toEqual({ at: 'experiment' });
});
