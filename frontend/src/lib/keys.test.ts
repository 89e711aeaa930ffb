import { describe, expect, it } from 'vitest';
import { actionOf, actions } from './actions';
import { bindingOf, boundKeys, collisions, keyFault, keyLabel, pressed, restoreRemap } from './keys';

const event = (key: string, code = key, mods: Partial<Record<'ctrlKey' | 'shiftKey' | 'altKey', boolean>> = {}) =>
  new KeyboardEvent('keydown', { key, code, ...mods });

describe('a key', () => {
  it.each([
    ['Digit1', event('1', 'Digit1'), true],
    ['Digit1', event('&', 'Digit1'), true], // AZERTY, unshifted
    ['Digit1', event('1', 'Numpad1'), false],
    ['Numpad1', event('1', 'Numpad1'), true],
    ['Control+Enter', event('Enter', 'Enter', { ctrlKey: true }), true],
    ['Control+Enter', event('Enter', 'Enter'), false],
    ['Enter', event('Enter', 'Enter', { ctrlKey: true }), false],
    ['[Shift]+?', event('?', 'Slash', { shiftKey: true }), true],
    ['[Shift]+?', event('?', 'KeyX'), true], // a layout with ? unshifted
    ['n', event('N', 'KeyN', { shiftKey: true }), false],
    ['n', event('N', 'KeyN'), true], // caps lock
  ])('%s', (key, e, want) => {
    expect(pressed(e, key)).toBe(want);
  });

  it('K04: chords of two plain keys are no keys: neither half of them does anything', () => {
    for (const chord of ['enter+a', 'enter+b']) {
      expect(keyFault(chord)).toContain('does not combine');
      expect(pressed(event('a', 'KeyA'), chord)).toBe(false);
      expect(pressed(event('Enter'), chord)).toBe(false);
    }
  });

  it.each([
    [event('k', 'KeyK', { ctrlKey: true, shiftKey: true }), 'Control+Shift+k'],
    [event('&', 'Digit1'), 'Digit1'],
    [event(' ', 'Space'), 'Space'],
    [event('?', 'Slash', { shiftKey: true }), '[Shift]+?'],
    [event('Control', 'ControlLeft', { ctrlKey: true }), ''],
    [event('F5'), 'F5'],
  ])('pressed to be bound is named so that it is heard again: %#', (e, want) => {
    expect(bindingOf(e)).toBe(want);
    if (want) expect(pressed(e, want)).toBe(true);
  });

  it('is written for people', () => {
    expect(['Control+Enter', 'Digit1', '[Shift]+?', 'ArrowUp', 'n', 'F8'].map(keyLabel)).toEqual([
      'Ctrl ↵',
      '1',
      '?',
      '↑',
      'N',
      'F8',
    ]);
  });
});

describe('the list of actions', () => {
  it('has no two actions that hear the same key at the same time', () => {
    expect(collisions(actions).map((c) => `${c.key}: ${c.one.id}, ${c.other.id}`)).toEqual([]);
  });

  it('names each action once, and every key is one', () => {
    expect(new Set(actions.map((a) => a.id)).size).toBe(actions.length);
    expect(actions.flatMap((a) => a.keys).filter((k) => keyFault(k.key) !== '')).toEqual([]);
  });

  it('K01: a key that another action has at the same time is refused with both owners named', () => {
    const found = collisions(actions, { evidence: [{ scope: 'reading', key: 'n' }] });
    expect(found).toHaveLength(1);
    expect([found[0]?.one.id, found[0]?.other.id].sort()).toEqual(['evidence', 'next-case']);
  });

  it('lets the same digit mean two things in two places', () => {
    expect(actionOf('answer-3').keys).toContainEqual({ scope: 'steps', key: 'Digit3' });
    expect(actionOf('preset-3').keys).toContainEqual({ scope: 'image', key: 'Digit3' });
  });
});

describe('a stored choice of keys', () => {
  it('K05: is taken over as it was stored', () => {
    const remap = restoreRemap({ commit: [{ scope: 'reading', key: 'Control+s' }] }, actions);
    expect(boundKeys(actionOf('commit'), remap)).toEqual([{ scope: 'reading', key: 'Control+s' }]);
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'n'],
    ['an action that is not there', { nothing: [{ scope: 'reading', key: 'x' }] }],
    ['a key that is none', { commit: [{ scope: 'reading', key: 'enter+a' }] }],
    ['a scope that is none', { commit: [{ scope: 'nowhere', key: 'x' }] }],
    ['a collision', { commit: [{ scope: 'reading', key: 'n' }] }],
  ])('leaves out %s', (_, stored) => {
    expect(restoreRemap(stored, actions)).toEqual({});
  });
});
