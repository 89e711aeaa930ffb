// The order in which a chain is read: its steps numbered through, then the chain as a whole.
import type { ChainView, Question, Rating, Rubric, Step } from '../lib/nouns';
import { type StepAsked, unrated } from '../lib/rubric';

/** Numbered is a step with its place in the chain. */
export interface Numbered extends StepAsked {
  number: number; // from 1
  question: string;
}

/** whole is the part that stands for the chain as a whole. */
export const whole = 'chain';

/** stepsOf numbers the steps of a chain and says what the rubric needs to know of each. */
export const stepsOf = (chain: ChainView, rubric: Rubric, pictures: boolean): Numbered[] =>
  chain.answers
    .flatMap((a) => a.steps.map((step) => ({ step, question: a.question })))
    .map(({ step, question }, i) => ({
      rubric,
      step,
      question,
      number: i + 1,
      later: i > 0,
      pictures,
      cueRun: chain.cue_ack,
    }));

/** ratingOf gives the rating of a step, blank while there is none. */
export const ratingOf = (chain: ChainView, step: Step): Rating =>
  chain.ratings.find((r) => r.step === step.id) ?? unrated(step.id);

/** partsOf lists the parts of a chain in reading order. */
export const partsOf = (chain: ChainView): string[] => [
  ...chain.answers.flatMap((a) => a.steps.map((step) => step.id)),
  whole,
];

/** answerText writes an answer for people: "C left upper lobe", or the words where there are no options. */
export const answerText = (answer: string, question: Question | undefined): string => {
  const option = question?.options.find((o) => o.letter === answer);
  return option ? `${option.letter} ${option.text}` : answer;
};

/** frameNumber is the 1-based frame that a region lies on, as people count; undefined: the whole image or stack. */
export const frameNumber = (region: { frame?: number | null; from?: number | null }): number | undefined => {
  const at = region.frame ?? region.from;
  return at === undefined || at === null ? undefined : at + 1;
};
