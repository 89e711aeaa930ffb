// A decision that is being made: what the adjudicator must still say, and the final value that comes of it. Nothing is chosen beforehand;
// what all reads say alike stands and is not asked.
import type {
  ChainRating,
  DisagreementView,
  FinalValue,
  Missed,
  Rating,
  Region,
  Rubric,
  UnnamedRead,
} from '../../lib/nouns';
import {
  type ChainRowId,
  chainRows,
  chainValueOf,
  type Row,
  type StepAsked,
  type StepName,
  type StepRowId,
  stepRows,
  stepValueOf,
  trimmed,
  unrated,
  unratedChain,
} from '../../lib/rubric';
import { t } from '../../lib/texts';

/** Draft is a decision that is not made yet. */
export interface Draft {
  answer: string; // of a question
  rating: Rating;
  chain: ChainRating;
  /** missed is what the chain misses in the end; undefined: not said. */
  missed: Missed[] | undefined;
  evidence: Region[];
  reason: string;
}

/** emptyDraft has nothing chosen. */
export const emptyDraft = (view: DisagreementView): Draft => ({
  answer: '',
  rating: unrated(view.part),
  chain: unratedChain(),
  missed: undefined,
  evidence: [],
  reason: '',
});

const unasked = ['confidence', 'note', 'cue_ack'];

/** saidOf gives what a read says of a field, as texts. */
export const saidOf = (read: UnnamedRead, field: string): string[] => {
  if (read.rating) return stepValueOf(read.rating, field as StepRowId);
  if (read.chain_rating) return chainValueOf(read.chain_rating, field as ChainRowId);
  return read.look?.answer ? [read.look.answer] : [];
};

/** agreed gives what all reads say alike of a field; none where one differs or says nothing. */
export const agreed = (view: DisagreementView, field: string): string[] => {
  const [first = [], ...others] = view.unnamed.map((read) => [...saidOf(read, field)].sort());
  return others.every((o) => o.join('\n') === first.join('\n')) ? first : [];
};

/** stepNames numbers the steps of the item's chain. */
export const stepNames = (view: DisagreementView): StepName[] =>
  view.answers.flatMap((a) => a.steps).map((step, i) => ({ id: step.id, number: i + 1 }));

/** askedOf is the step as the rubric sees it; undefined where the item is none. */
export const askedOf = (view: DisagreementView, rubric: Rubric): StepAsked | undefined => {
  const steps = view.answers.flatMap((a) => a.steps);
  const at = steps.findIndex((s) => s.id === view.part);
  const step = steps[at];
  return step && view.on === 'step'
    ? { rubric, step, later: at > 0, pictures: view.stacks.length > 0, cueRun: false }
    : undefined;
};

// The rating as decided so far, over a grade on which all agree.
const graded = (view: DisagreementView, draft: Draft): Rating => ({
  ...draft.rating,
  support: draft.rating.support || (agreed(view, 'support')[0] ?? ''),
  evidence: draft.evidence,
});

/** rowsOf lists what the adjudicator is asked, in order. */
export const rowsOf = (view: DisagreementView, rubric: Rubric, draft: Draft): Row[] => {
  const open = (row: Row) => !unasked.includes(row.id) && (row.kind === 'regions' || agreed(view, row.id).length === 0);
  if (view.on === 'question') {
    const question = view.of.questions.find((q) => q.id === view.part);
    const choices = (question?.options ?? []).map((o) => ({ value: o.letter, label: `${o.letter} ${o.text}` }));
    return [
      { id: 'answer', label: t.adjudication.answer, kind: 'one', choices, required: true },
      { id: 'evidence', label: t.rows.evidence, kind: 'regions', choices: [], required: false },
    ];
  }
  if (view.on === 'chain') {
    const disputed = view.fields.includes('missed');
    return chainRows(rubric, stepNames(view))
      .filter((row) => open(row) && (row.id !== 'missed' || disputed))
      .map((row) => (row.id === 'missed' ? { ...row, required: true } : row));
  }
  const asked = askedOf(view, rubric);
  return asked ? stepRows(graded(view, draft), asked).filter(open) : [];
};

/** valuesOf gives what a row holds now, as texts. */
export const valuesOf = (view: DisagreementView, draft: Draft, row: string): string[] => {
  if (row === 'evidence') return draft.evidence.map((r) => r.id);
  if (view.on === 'question') return draft.answer ? [draft.answer] : [];
  if (view.on === 'step') return stepValueOf(draft.rating, row as StepRowId);
  if (row === 'missed')
    return draft.missed && draft.missed.length === 0 ? ['none'] : (draft.missed ?? []).map((m) => m.text);
  return chainValueOf(draft.chain, row as ChainRowId);
};

/** needs names what is still to be said before the decision can be made. */
export const needs = (view: DisagreementView, rubric: Rubric, draft: Draft): string[] => [
  ...rowsOf(view, rubric, draft)
    .filter((row) => row.required && valuesOf(view, draft, row.id).length === 0)
    .map((row) => row.label),
  ...(draft.reason.trim() === '' ? [t.adjudication.aReason] : []),
];

/** finalOf is the final value; what all reads say alike is left for the desk to fill in. */
export const finalOf = (view: DisagreementView, rubric: Rubric, draft: Draft): FinalValue => {
  if (view.on === 'question') {
    return { look: { question: view.part, answer: draft.answer, confidence: 0, evidence: draft.evidence } };
  }
  if (view.on === 'chain') {
    // An absent list says that nothing was said of it, an empty one that nothing is missed.
    const { missed: _, ...rest } = draft.chain;
    return { chain_rating: { ...rest, ...(draft.missed ? { missed: draft.missed } : {}) } as ChainRating };
  }
  const asked = askedOf(view, rubric);
  const rating = graded(view, draft);
  return { rating: asked ? trimmed(rating, asked) : rating };
};

/** withEvidence adds regions under ids of their own; those that are there already are taken away again. */
export const withEvidence = (now: Region[], from: string, regions: Region[]): Region[] => {
  const named = regions.map((r, i) => ({ ...r, id: `${from}-${r.id || i + 1}`, source: undefined }));
  const fresh = named.filter((r) => !now.some((x) => x.id === r.id));
  return fresh.length > 0 ? [...now, ...fresh] : now.filter((x) => !named.some((r) => r.id === x.id));
};
