// A correction: what the reader would have said in place of a step (the desk's OwnAnswer), as rows like those of a rating.
import type { OwnAnswer, Question } from './nouns';
import type { Row } from './rubric';
import { t } from './texts';

export type OwnRowId = 'own-answer' | 'own-text' | 'own-confidence';

/** isOwnRow tells whether a row belongs to a correction. */
export const isOwnRow = (id: string): id is OwnRowId => id.startsWith('own-');

/** noOwnAnswer is a correction before anything is said. */
export const noOwnAnswer = (step: string): OwnAnswer => ({
  question: '',
  step,
  answer: '',
  text: '',
  confidence: 0,
  evidence: [],
});

/** saidOwn tells whether a correction says something. */
export const saidOwn = (own: OwnAnswer): boolean => own.answer.trim() !== '' || own.text.trim() !== '';

/** ownRows lists what is asked: an answer and words; how sure, once there is something to be sure of. */
export const ownRows = (own: OwnAnswer, question: Question | undefined): Row<OwnRowId>[] => {
  const choices = (question?.options ?? []).map((o) => ({ value: o.letter, label: `${o.letter} ${o.text}` }));
  const sure = ['1', '2', '3'].map((v) => ({ value: v, label: v }));
  return [
    {
      id: 'own-answer',
      label: t.own.answer,
      kind: choices.length > 0 ? 'one' : 'text',
      choices,
      required: false,
    },
    { id: 'own-text', label: t.own.text, kind: 'text', choices: [], required: false },
    ...(saidOwn(own)
      ? [{ id: 'own-confidence', label: t.rows.confidence, kind: 'one', choices: sure, required: false } as const]
      : []),
  ];
};

/** ownValueOf gives what a row holds now, as texts. */
export const ownValueOf = (own: OwnAnswer, id: OwnRowId): string[] => {
  if (id === 'own-confidence') return own.confidence ? [String(own.confidence)] : [];
  const v = id === 'own-answer' ? own.answer : own.text;
  return v === '' ? [] : [v];
};

/** withOwn answers a row; the same choice again takes it back, and with the last answer everything is taken back. */
export const withOwn = (own: OwnAnswer, id: OwnRowId, value: string): OwnAnswer => {
  const same = ownValueOf(own, id)[0] === value;
  const next =
    id === 'own-confidence'
      ? { ...own, confidence: same ? 0 : Number(value) }
      : id === 'own-answer'
        ? { ...own, answer: same ? '' : value }
        : { ...own, text: value };
  return saidOwn(next) ? next : noOwnAnswer(own.step);
};
