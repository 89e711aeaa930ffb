// Training on the fake desk: the first cases are for practice, and what was expected of them is the same for each.
import type { Feedback, TrainingStands, TrainingView } from '../lib/nouns';

const feedback: Feedback[] = [
  {
    question: 'q1',
    chain: '',
    step: '',
    own: 'A',
    expected: ['A'],
    right: true,
    counted: true,
    evidence: [],
    words: '',
  },
  {
    question: 'q2',
    chain: '',
    step: '',
    own: 'B',
    expected: ['C'],
    right: false,
    counted: true,
    evidence: [{ id: 'e', image: 'ct', frame: 17, shape: 'box', coords: [0.66, 0.34, 0.76, 0.44] }],
    words: 'The nodule lies in the apex, above the major fissure.',
  },
  {
    question: '',
    chain: 'C-01-x',
    step: 'C-01-x.s1',
    own: 'partly',
    expected: ['supported'],
    right: false,
    counted: true,
    evidence: [],
    words: '',
  },
];

/** fakeTraining answers for the first `count` cases; 0: there is no training. */
export const fakeTraining = (count: number) => {
  const stands = (signed: number): TrainingStands | undefined =>
    count === 0
      ? undefined
      : {
          attempt: 1,
          cases: count,
          signed: Math.min(signed, count),
          done: signed >= count,
          passed: signed >= count,
          right: signed >= count ? 1 : 0,
          expected: signed >= count ? 3 : 0,
          needed: 0,
        };
  return {
    stands,
    row: (at: number, over: boolean) => ({
      training: at < count,
      locked: at >= count && !over && count > 0 ? 'the training cases come first' : '',
    }),
    view: (at: number, signed: boolean): TrainingView | undefined =>
      at < count
        ? { stands: stands(signed ? at + 1 : at) as TrainingStands, feedback: signed ? feedback : [] }
        : undefined,
  };
};
