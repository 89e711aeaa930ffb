import { describe, expect, test } from 'vitest';
import {
  agreementCSV,
  comparedAt,
  dimensionLabel,
  intervalText,
  stagesOf,
  twoWayText,
  withinReaders,
} from '../lib/agreement';
import type { Agreement } from '../lib/nouns';
import { fakeAgreement } from './fakeStudying';

const rows = fakeAgreement();
const support = rows[0] as Agreement;

describe('agreement', () => {
  test('names what was compared', () => {
    expect(['support', 'error.wrong_location', 'own_answer', 'shape.round'].map(dimensionLabel)).toEqual([
      'support',
      'what is wrong: location',
      'own answer, before any chain',
      'shape: round',
    ]);
  });
  test('keeps stages, readers with themselves and all the rest apart', () => {
    expect(stagesOf(rows).map((s) => s.k)).toEqual([1, 2, 3, 4]);
    expect(comparedAt(rows, 2).map((a) => a.dimension)).toEqual(['support']);
    expect(comparedAt(rows, 0).every((a) => a.k === 0 && a.reader === '')).toBe(true);
    expect(withinReaders(rows).map((a) => a.reader)).toEqual(['R1']);
    expect(comparedAt([{ ...support, n_ratings: 0 }], 0)).toEqual([]);
  });
  test('writes an interval as papers do', () => {
    expect(intervalText({ ...support, interval: [-0.2, 0.5] })).toBe('−.20 – .50');
    expect(intervalText({ ...support, interval: [] })).toBe('');
  });
});

describe('CSV', () => {
  test('has a line a row, numbers with a point and nothing where a number cannot be estimated', () => {
    const none = rows.find((a) => a.dimension === 'significance') as Agreement;
    const [head, first, second, end] = agreementCSV([support, none]).split('\r\n');
    const columns = head?.split(',') ?? [];
    expect(first?.split(',')[columns.indexOf('alpha')]).toBe('0.71');
    expect(second?.split(',')[columns.indexOf('alpha')]).toBe('');
    expect(end).toBe('');
  });
  test('is no formula, whatever a stage is called', () => {
    const odd = agreementCSV([{ ...support, stage: '=cmd|"x"', k: 1 }]);
    expect(odd).toContain(`"'=cmd|""x"""`);
  });
});

test('two-way analysis is told in words, also where it is none', () => {
  const two = rows[0]?.two_way;
  expect(two && twoWayText(two)).toContain('3 readers × 12 clusters: mean 2.31 (SE .14) · ICC(2,1) .69');
  expect(two && twoWayText({ ...two, icc: undefined, reason: 'no variation' })).toContain(
    'not estimable: no variation',
  );
});
