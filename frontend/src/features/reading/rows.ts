// The rows of the part that has the focus: what they hold, and how one is answered.
import { whole } from '../../chain/outline';
import type { Rating } from '../../lib/nouns';
import { isOwnRow, ownRows, ownValueOf, withOwn } from '../../lib/ownAnswer';
import {
  type ChainRowId,
  chainRows,
  chainValueOf,
  type Row,
  type StepRowId,
  stepRows,
  stepValueOf,
  withChainChoice,
  withChoice,
} from '../../lib/rubric';
import { t } from '../../lib/texts';
import type { Case, Said } from './said';
import { stepNames } from './state';

/** rowsOf gives the rows in order; digits answer the one named by s.row. */
export const rowsOf = ({ s, rubric }: Case, said: Said) => {
  const {
    question,
    draft,
    setDraft,
    chain,
    steps,
    step,
    rating,
    setRating,
    chainRating,
    setChainRating,
    own,
    asksOwn,
    setOwn,
  } = said;
  const rows: Row[] = (() => {
    if (s.shown === 'look' && question) {
      const choices = question.options.map((o) => ({ value: o.letter, label: o.text }));
      return [
        { id: 'answer', label: t.rows.lookAnswer, kind: choices.length > 0 ? 'one' : 'text', choices, required: true },
        {
          id: 'confidence',
          label: t.rows.confidence,
          kind: 'one',
          choices: ['1', '2', '3'].map((v) => ({ value: v, label: v })),
          required: true,
        },
        { id: 'evidence', label: t.rows.evidence, kind: 'regions', choices: [], required: false },
      ];
    }
    if (s.shown !== 'judge' || !chain) return [];
    if (s.part === whole) return chainRows(rubric, stepNames(steps));
    return step && rating ? [...stepRows(rating, step), ...(s.own ? ownRows(own, asksOwn) : [])] : [];
  })();

  const valuesOf = (row: string): string[] => {
    if (s.shown === 'look') {
      if (row === 'answer') return draft.answer ? [draft.answer] : [];
      if (row === 'confidence') return draft.confidence ? [String(draft.confidence)] : [];
      return draft.evidence.map((r) => r.id);
    }
    if (s.part === whole) return chainValueOf(chainRating, row as ChainRowId);
    if (isOwnRow(row)) return ownValueOf(own, row);
    return rating ? stepValueOf(rating, row as StepRowId) : [];
  };

  const choose = (row: string, value: string) => {
    if (s.shown === 'look') {
      if (row === 'answer') setDraft({ ...draft, answer: value });
      if (row === 'confidence') setDraft({ ...draft, confidence: Number(value) });
    } else if (s.part === whole) setChainRating((now) => withChainChoice(now, row as ChainRowId, value));
    else if (isOwnRow(row)) setOwn((now) => withOwn(now, row, value));
    else if (step) setRating((now) => ({ ...withChoice(now, row as StepRowId, value, step), ...unseen(row, now) }));
  };
  // What is graded before its frame is there is known for it.
  const unseen = (row: string, now: Rating) => ({
    not_shown: row === 'support' ? s.unshown !== '' || undefined : now.not_shown,
  });

  return { rows, valuesOf, choose };
};
