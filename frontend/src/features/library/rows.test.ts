import { describe, expect, it } from 'vitest';
import type { CaseRow } from '../../lib/nouns';
import { filtered, kindsOf, noFilters } from './rows';

const row = (id: string, over: Partial<CaseRow> = {}): CaseRow => ({
  id,
  assignment: `R1/${id}`,
  patient: 'P-1',
  training: false,
  locked: '',
  modality: 'CT',
  images: 1,
  questions: 4,
  chains: 2,
  state: 'new',
  done: 0,
  required: 10,
  problems: 0,
  stages: ['Findings'],
  language: 'en',
  ...over,
});
const rows = [
  row('C-01'),
  row('C-02', { state: 'signed', patient: 'Q-7' }),
  row('C-10', { modality: 'MR', stages: [] }),
];

describe('the case table', () => {
  it.each([
    [{}, ['C-01', 'C-02', 'C-10']],
    [{ text: ' c-0 ' }, ['C-01', 'C-02']],
    [{ text: 'q-7' }, ['C-02']],
    [{ state: 'signed' }, ['C-02']],
    [{ modality: 'MR' }, ['C-10']],
    [{ stage: 'Findings', state: 'new' }, ['C-01']],
    [{ text: 'nothing' }, []],
  ])('filtered by %o', (over, want) => {
    expect(filtered(rows, { ...noFilters, ...over }).map((r) => r.id)).toEqual(want);
  });

  it('makes no new list when nothing is asked', () => {
    expect(filtered(rows, noFilters)).toBe(rows);
  });

  it('lists the kinds of a column once, numbers in their order', () => {
    expect(
      kindsOf(
        [
          row('a', { modality: 'T10' }),
          row('b', { modality: 'T9' }),
          row('c', { modality: '' }),
          row('d', { modality: 'T9' }),
        ],
        (r) => r.modality,
      ),
    ).toEqual(['T9', 'T10']);
  });
});
