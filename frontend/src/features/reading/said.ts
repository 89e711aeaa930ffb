// What was said of the part that is open, and the ways to say something else.
import type { useReadingActs } from '../../backend/saves';
import { ratingOf, stepsOf } from '../../chain/outline';
import type { CaseView, ChainRating, OwnAnswer, Rating, Rubric } from '../../lib/nouns';
import { noOwnAnswer } from '../../lib/ownAnswer';
import { trimmed, unratedChain } from '../../lib/rubric';
import { keepDraft } from './drafts';
import { type Draft, emptyDraft, type Move, openQuestion, type ReadingState, readOnly } from './state';

/** Case is an open case: what the backend says of it, what the screen is doing, and what can be done. */
export interface Case {
  view: CaseView;
  s: ReadingState;
  move: (m: Move) => void;
  acts: ReturnType<typeof useReadingActs>;
  rubric: Rubric;
}

/** saidOf gives what was said of the open question or part. */
export const saidOf = ({ view, s, move, acts, rubric }: Case) => {
  const question = openQuestion(view);
  const draft = (question && s.drafts[question.id]) ?? emptyDraft;
  const chain = view.chains.find((c) => c.id === s.chain);
  const pictures = view.stacks.length > 0;
  const steps = chain ? stepsOf(chain, rubric, pictures) : [];
  const step = steps.find((x) => x.step.id === s.part);
  const rating = chain && step ? ratingOf(chain, step.step) : undefined;
  const chainRating: ChainRating = chain?.rating ?? unratedChain();
  const fixed = readOnly(view, s);

  const setDraft = (next: Draft) => {
    if (!question) return;
    keepDraft(view.assignment, question.id, next);
    move({ do: 'draft', question: question.id, draft: next });
  };
  // A change is made to what was said last, not to what was last drawn: two quick clicks both count.
  const setRating = (change: (now: Rating) => Rating) => {
    if (!chain || !step || fixed) return;
    const now = acts.ratingNow(view.assignment, chain.id, step.step.id) ?? ratingOf(chain, step.step);
    void acts.rate(view.assignment, chain.id, trimmed(change(now), step), s.correcting);
  };
  const setChainRating = (change: (now: ChainRating) => ChainRating) => {
    if (!chain || fixed) return;
    const now = acts.chainRatingNow(view.assignment, chain.id) ?? chainRating;
    void acts.rateChain(view.assignment, chain.id, change(now), s.correcting);
  };

  const own: OwnAnswer = (step && chain?.own_answers.find((o) => o.step === step.step.id)) ?? noOwnAnswer(s.part);
  const asksOwn = view.case.questions.find((q) => q.id === step?.question);
  const setOwn = (change: (now: OwnAnswer) => OwnAnswer) => {
    if (!chain || !step || fixed) return;
    const now = acts.ownAnswerNow(view.assignment, chain.id, step.step.id) ?? noOwnAnswer(step.step.id);
    const next = { ...change(now), question: step.question };
    void acts.ownAnswer(view.assignment, chain.id, next, s.correcting);
  };

  return {
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
    fixed,
    own,
    asksOwn,
    setOwn,
  };
};

export type Said = ReturnType<typeof saidOf>;
