import { describe, expect, it } from 'vitest';
import type { Question } from './nouns';
import { noOwnAnswer, ownRows, ownValueOf, saidOwn, withOwn } from './ownAnswer';

const asked: Question = {
  id: 'q1',
  k: 1,
  stage: 'Findings',
  text: 'What is it?',
  options: [
    { letter: 'A', text: 'nodule' },
    { letter: 'B', text: 'vessel' },
  ],
  parents: [],
};

describe('a correction', () => {
  it('asks how sure only once something is said', () => {
    const none = noOwnAnswer('s1');
    expect(ownRows(none, asked).map((r) => r.id)).toEqual(['own-answer', 'own-text']);
    expect(ownRows(withOwn(none, 'own-text', 'A vessel.'), asked).map((r) => r.id)).toContain('own-confidence');
    expect(ownRows(none, { ...asked, options: [] })[0]?.kind).toBe('text');
  });

  it('is taken back as a whole with its last answer', () => {
    let own = withOwn(noOwnAnswer('s1'), 'own-answer', 'B');
    own = withOwn(own, 'own-confidence', '3');
    expect([own.answer, own.confidence, saidOwn(own)]).toEqual(['B', 3, true]);
    expect(withOwn(own, 'own-confidence', '3').confidence).toBe(0);
    expect(withOwn(own, 'own-answer', 'B')).toEqual(noOwnAnswer('s1'));
    const worded = withOwn(own, 'own-text', 'A vessel.');
    expect(ownValueOf(withOwn(worded, 'own-answer', 'B'), 'own-text')).toEqual(['A vessel.']);
  });
});
