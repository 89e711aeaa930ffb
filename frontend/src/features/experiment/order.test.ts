import { describe, expect, test } from 'vitest';
import type { CheckedCondition, ModelRow, PastRun } from '../../lib/nouns';
import {
  composed,
  draftOf,
  durationOf,
  emptyDraft,
  joined,
  lacksValue,
  orderOf,
  sizeOf,
  toggled,
  whyNot,
} from './order';

const part = (name: string, more = {}) => ({ name, value: '', stage: '', fill: '', ...more });
const factors = ['image', 'given', 'cue', 'paraphrase'];

test('what is composed reads as the desk reads it, and what is untouched is left out', () => {
  expect(composed(factors, {})).toBe('');
  expect(composed(factors, { image: part('') })).toBe('');
  expect(composed(factors, { image: part('occ', { fill: 'tissue' }) })).toBe('occ/tissue');
  expect(composed(factors, { cue: part('suggest-right', { stage: 'S4' }), image: part('none') })).toBe(
    'none+suggest-right@S4',
  );
  expect(composed(factors, { given: part('given:<condition>', { value: ' occ ' }) })).toBe('given:occ');
});

test('a name that takes a value is not ready without one', () => {
  expect(lacksValue({ paraphrase: part('word:<n>') })).toBe(true);
  expect(lacksValue({ paraphrase: part('word:<n>', { value: '2' }) })).toBe(false);
  expect(lacksValue({ image: part('occ') })).toBe(false);
});

test('names are put in once and taken out', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  expect(joined(['a'], ['b', 'a', 'b'])).toEqual(['a', 'b']);
});

test('a run is set up again with the next seed, and with its own cases where they were not all', () => {
  const run = { models: ['m'], conditions: ['occ'], only: ['c-1'], seed: 7 } as PastRun;
  expect(draftOf(run)).toMatchObject({ models: ['m'], conditions: ['occ'], cases: ['c-1'], seed: 8 });
  expect(draftOf({ ...run, only: [] }).cases).toBeUndefined();
  expect(orderOf({ ...emptyDraft(), budget: 5 })).toMatchObject({ cases: [], budget: 5, resume: false });
});

describe('what an order lacks', () => {
  const model = (name: string, why = '') => ({ name, why }) as ModelRow;
  const condition = (asked: string, trouble = '') => ({ asked, trouble }) as CheckedCondition;
  const full = { ...emptyDraft(), models: ['m'], conditions: ['occ'] };
  test.each([
    ['nothing', full, [model('m')], [condition('occ')], false, ''],
    ['a model', { ...full, models: [] }, [model('m')], [], false, 'choose a model'],
    ['a consent', full, [model('m', 'a public host')], [], false, 'm: a public host'],
    ['a condition', { ...full, conditions: [] }, [model('m')], [], false, 'choose a condition'],
    ['one that can be read', full, [model('m')], [condition('occ', 'no')], false, 'occ cannot be read'],
    ['a case', { ...full, cases: [] }, [model('m')], [], false, 'take a case'],
    ['an end of another run', full, [model('m')], [], true, 'a run is under way'],
  ])('%s', (_, draft, models, checked, running, want) => {
    expect(whyNot(draft, models, checked, running)).toBe(want);
  });
});

test.each([
  [0.2, 'under 1 s'],
  [59.6, '1 min 00 s'],
  [59, '59 s'],
  [125, '2 min 05 s'],
  [7322, '2 h 02 min'],
  [-3, 'under 1 s'],
])('%d seconds are %s', (seconds, words) => expect(durationOf(seconds)).toBe(words));

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [123_456_789, '123 MB'],
  [309e9, '309 GB'],
  [4.2e15, '4,200 TB'],
])('%d bytes are %s', (bytes, words) => expect(sizeOf(bytes)).toBe(words));
