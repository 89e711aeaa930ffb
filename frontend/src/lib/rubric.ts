// The rubric as the desk gives it (GRD v1, measurement.md): which rows a step or a chain is asked, and when. The desk checks by
// the same data and has the last word: Sign names what is missing.
import type { ChainRating, Field, Rating, Rubric, Step } from './nouns';
import { t } from './texts';

/** Choice is one answer of a row. */
export interface Choice {
  value: string;
  label: string;
  /** key is one that the rubric gives it, beside the digit of its place. */
  key?: string;
}

/** Row is one line of a card. one: a single choice; many: any number; regions: evidence; text: words. */
export interface Row<Id extends string = string> {
  id: Id;
  label: string;
  kind: 'one' | 'many' | 'regions' | 'text';
  choices: Choice[];
  required: boolean;
}

/** Grade is a support with the letter-shape that stands for it beside its colour. */
export interface Grade extends Choice {
  shape: string;
  help: string;
}

const shapes = {
  supported: '●',
  partly: '◐',
  unsupported: '○',
  contradicted: '✕',
  not_visual: '–',
  cannot_assess: '?',
};

/** gradeOf gives the look of a support; none while it is not given. */
export const gradeOf = (support: string): Grade | undefined => {
  if (!(support in shapes)) return undefined;
  const value = support as keyof typeof shapes;
  return { value, shape: shapes[value], ...t.grades[value] };
};

export type StepRowId = Exclude<keyof Rating, 'step' | 'not_shown'>;
export type ChainRowId = keyof ChainRating;

/** StepAsked is what decides which rows a step shows. */
export interface StepAsked {
  rubric: Rubric;
  step: Step;
  later: boolean; // not the first of its chain
  pictures: boolean; // the case has images, on which evidence can be marked
  cueRun: boolean; // second pass over a chain that was given a cue
}

const latent = (step: Step) => step.text === null || step.text === undefined;

const asked = (f: Field, support: string, a: StepAsked): boolean =>
  (!latent(a.step) || f.asked.latent) &&
  (!f.asked.region || a.step.regions.length > 0) &&
  (!f.asked.later || a.later) &&
  (!f.asked.cue_run || a.cueRun) &&
  (f.asked.support.length === 0 || f.asked.support.includes(support)) &&
  (f.name !== 'evidence' || a.pictures);

const must = (f: Field, support: string) => f.required.includes('*') || f.required.includes(support);

const kinds: Record<string, Row['kind']> = { choices: 'many', regions: 'regions', missed: 'regions', text: 'text' };
const labels: Record<string, Record<string, string>> = t.options;
const rowLabels: Record<string, string> = t.rows;

const rowOf = <Id extends string>(f: Field, required: boolean): Row<Id> => ({
  id: f.name as Id,
  label: f.label || (rowLabels[f.name] ?? f.name),
  kind: kinds[f.kind] ?? 'one',
  choices: f.kind === 'missed' ? [] : f.options.map((value) => choiceOf(f, value)),
  required,
});

const choiceOf = (f: Field, value: string): Choice => {
  const own = labels[f.name]?.[value] ?? (f.name === 'support' ? gradeOf(value)?.label : undefined) ?? value;
  const key = f.keys?.[value];
  return { value, label: f.labels?.[value] ?? own, ...(key ? { key } : {}) };
};

/** stepRows lists the rows that apply to a step as rated so far, in order. Nothing but the grade is asked before the grade. */
export const stepRows = (rating: Rating, a: StepAsked): Row<StepRowId>[] =>
  a.rubric.step
    .filter((f) => f.name === 'support' || (rating.support !== '' && asked(f, rating.support, a)))
    .map((f) => rowOf<StepRowId>(f, must(f, rating.support)));

/** stepValueOf gives what a row holds now, as texts. */
export const stepValueOf = (rating: Rating, id: StepRowId): string[] => {
  if (id === 'evidence') return rating.evidence.map((r) => r.id);
  if (id === 'confidence') return rating.confidence ? [String(rating.confidence)] : [];
  const v = rating[id];
  if (Array.isArray(v)) return v;
  return v === '' ? [] : [v];
};

/** unrated is a step's rating before anything is said. */
export const unrated = (step: string): Rating => ({
  step,
  support: '',
  reason: '',
  evidence: [],
  model_place: '',
  error: [],
  builds_on_error: '',
  significance: '',
  confidence: 0,
  cue_ack: '',
  note: '',
});

/** trimmed empties the answers of rows that no longer apply, so that none is stored that the reader cannot see. */
export const trimmed = (rating: Rating, a: StepAsked): Rating => {
  const live = new Set(stepRows(rating, a).map((r) => r.id));
  const blank = unrated(rating.step);
  const keep = <K extends StepRowId>(id: K) => (live.has(id) ? rating[id] : blank[id]);
  return {
    step: rating.step,
    support: rating.support,
    reason: keep('reason'),
    evidence: keep('evidence'),
    model_place: keep('model_place'),
    error: keep('error'),
    builds_on_error: keep('builds_on_error'),
    significance: keep('significance'),
    confidence: keep('confidence'),
    cue_ack: keep('cue_ack'),
    note: keep('note'),
    ...(rating.not_shown ? { not_shown: true } : {}),
  };
};

/** withChoice answers a row; the same choice again takes it back. */
export const withChoice = (rating: Rating, id: StepRowId, value: string, a: StepAsked): Rating => {
  const has = stepValueOf(rating, id).includes(value);
  if (id === 'error') {
    return { ...rating, error: has ? rating.error.filter((e) => e !== value) : [...rating.error, value] };
  }
  if (id === 'confidence') return { ...rating, confidence: has ? 0 : Number(value) };
  if (id === 'evidence' || id === 'note') return rating;
  return trimmed({ ...rating, [id]: has ? '' : value }, a);
};

/** complete tells whether every required row of a step is answered. */
export const complete = (rating: Rating, a: StepAsked): boolean =>
  stepRows(rating, a).every((r) => !r.required || stepValueOf(rating, r.id).length > 0);

/** unratedChain is a chain's rating before anything is said. */
export const unratedChain = (): ChainRating => ({
  answer: '',
  missed: [],
  first_bad_step: '',
  radpeer: '',
  follows: '',
  image_alone: '',
  needs_more: [],
  note: '',
});

/** StepName is a step's id with its number on the screen. */
export interface StepName {
  id: string;
  number: number;
}

/** chainRows lists the questions about a whole chain. */
export const chainRows = (rubric: Rubric, steps: StepName[]): Row<ChainRowId>[] =>
  rubric.chain.map((f) => {
    const row = rowOf<ChainRowId>(f, f.required.length > 0);
    if (f.name !== 'first_bad_step') return row;
    const choices = [{ value: 'none', label: t.none }, ...steps.map((s) => ({ value: s.id, label: String(s.number) }))];
    return { ...row, choices };
  });

/** chainValueOf gives what a row of the chain's questions holds now, as texts. */
export const chainValueOf = (rating: ChainRating, id: ChainRowId): string[] => {
  if (id === 'missed') return rating.missed.map((m) => m.text);
  const v = rating[id];
  if (Array.isArray(v)) return v;
  return v === '' ? [] : [v];
};

/** withChainChoice answers a row; "none" and the other needs exclude each other. */
export const withChainChoice = (rating: ChainRating, id: ChainRowId, value: string): ChainRating => {
  const has = chainValueOf(rating, id).includes(value);
  if (id === 'missed' || id === 'note') return rating;
  if (id !== 'needs_more') return { ...rating, [id]: has ? '' : value };
  if (has) return { ...rating, needs_more: rating.needs_more.filter((n) => n !== value) };
  const others = value === 'none' ? [] : rating.needs_more.filter((n) => n !== 'none');
  return { ...rating, needs_more: [...others, value] };
};

/** chainComplete tells whether every required question about a chain is answered. */
export const chainComplete = (rubric: Rubric, rating: ChainRating): boolean =>
  chainRows(rubric, []).every((r) => !r.required || chainValueOf(rating, r.id).length > 0);

/**
 * firstBad derives the first bad step: the first with support ≤ 1 (unsupported, contradicted) or significance b.
 * '' while an earlier step is not graded yet; 'none' when every step is graded and none is bad.
 */
export const firstBad = (ratings: Rating[]): string => {
  for (const r of ratings) {
    if (r.support === '') return '';
    if (r.support === 'unsupported' || r.support === 'contradicted' || r.significance === 'b') return r.step;
  }
  return 'none';
};
