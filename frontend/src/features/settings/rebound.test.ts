import { describe, expect, it } from 'vitest';
import { actionOf, actions } from '../../lib/actions';
import { boundKeys, collisions } from '../../lib/keys';
import { rebound } from './rebound';

describe('a new key for an action', () => {
  it('is taken, and the keys of other scopes stay', () => {
    const result = rebound({}, actionOf('preset-1'), 'Control+F1');
    if ('why' in result) throw new Error(result.why);
    expect(boundKeys(actionOf('preset-1'), result.remap)).toEqual([
      { scope: 'reading', key: 'Control+F1' },
      { scope: 'image', key: 'Digit1' },
    ]);
    expect(collisions(actions, result.remap)).toEqual([]);
  });

  it('K01: is refused in words, with its owner named, when another action has it', () => {
    const result = rebound({}, actionOf('next-case'), 'e');
    expect(result).toEqual({ why: 'E already belongs to “Draw a box as evidence”. Choose another key.' });
  });

  it('may be one that another action has given up', () => {
    const remap = { evidence: [{ scope: 'reading' as const, key: 'b' }] };
    expect('remap' in rebound(remap, actionOf('next-case'), 'e')).toBe(true);
  });
});
