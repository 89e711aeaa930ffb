// What one reader said of a case on the fake desk, as the page sees it.
import type { ChainRating, ChainView, Look, Missing, OwnAnswer, Rating } from '../lib/nouns';
import { chainRows, chainValueOf, stepRows, stepValueOf, unrated, unratedChain } from '../lib/rubric';
import { fakeRubric } from './fakeRubric';
import type { FakeChain } from './fakeStudy';

/** Reading is what one reader said of one case. */
export interface Reading {
  looks: Look[];
  ratings: Map<string, Rating>;
  chains: Map<string, ChainRating>;
  own: Map<string, OwnAnswer>;
  signed: boolean;
  revisions: number;
  at: string;
}

/** chainView is a chain with what was said of it. */
export const chainView = (chain: FakeChain, i: number, r: Reading): ChainView => {
  const steps = chain.answers.flatMap((a) => a.steps);
  const ratings = steps.flatMap((s) => r.ratings.get(`${chain.id}/${s.id}`) ?? []);
  const low = steps.find((s) =>
    ['unsupported', 'contradicted'].includes(r.ratings.get(`${chain.id}/${s.id}`)?.support ?? ''),
  );
  return {
    id: chain.id,
    name: String.fromCharCode(65 + i),
    answers: chain.answers,
    ratings,
    own_answers: steps.flatMap((s) => r.own.get(`${chain.id}/${s.id}`) ?? []),
    rating: r.chains.get(chain.id),
    cue_ack: i === 1,
    first_bad_step: ratings.length < steps.length ? '' : (low?.id ?? 'none'),
  };
};

/** missingIn lists what a chain still lacks before its case can be signed. */
export const missingIn = (chain: FakeChain, i: number, r: Reading): Missing[] => {
  const steps = chain.answers.flatMap((a) => a.steps);
  const name = String.fromCharCode(65 + i);
  const inSteps = steps.flatMap((step, at) => {
    const rating = r.ratings.get(`${chain.id}/${step.id}`) ?? unrated(step.id);
    return stepRows(rating, { rubric: fakeRubric, step, later: at > 0, pictures: true, cueRun: i === 1 })
      .filter((row) => row.required && stepValueOf(rating, row.id).length === 0)
      .map((row) => ({
        chain: chain.id,
        part: step.id,
        field: row.id,
        text: `chain ${name}, step ${at + 1}: ${row.label}`,
      }));
  });
  const rating = r.chains.get(chain.id) ?? unratedChain();
  const inChain = chainRows(fakeRubric, [])
    .filter((row) => row.required && chainValueOf(rating, row.id).length === 0)
    .map((row) => ({ chain: chain.id, part: 'chain', field: row.id, text: `chain ${name} as a whole: ${row.label}` }));
  return [...inSteps, ...inChain];
};
