// Invented disagreements for tests and for looking at the screen without the real desk. Not part of the product.
import type {
  Adjudicated,
  ChainRating,
  Disagreement,
  Disagreements,
  DisagreementView,
  FinalValue,
  Rating,
  Region,
  UnnamedRead,
} from '../lib/nouns';
import { unrated } from '../lib/rubric';
import type { Backend, Trouble } from './client';
import { caseAt, chainsOf, stackOf, stages } from './fakeStudy';

const kinds = ['support', 'significance', 'place', 'origin', 'answer', 'omission', 'own_answer'];

type Made = Disagreement & { at: number; part: string; unnamed: UnnamedRead[] };

const box = (id: string, ...coords: number[]): Region => ({ id, image: 'ct', frame: 17, shape: 'box', coords });

const graded = (part: string, more: Partial<Rating>): Rating => ({ ...unrated(part), confidence: 2, ...more });

const whole = (more: Partial<ChainRating>): ChainRating => ({
  answer: 'correct',
  missed: [],
  first_bad_step: 'none',
  radpeer: '1',
  follows: 'yes',
  image_alone: 'yes',
  needs_more: ['none'],
  note: '',
  ...more,
});

// What each kind of item holds; several cases have the same.
const steps = (id: string): Omit<Made, 'id' | 'case' | 'at'>[] => [
  {
    ...line('step', ['support', 'significance'], ['support', 'error', 'builds_on_error', 'significance']),
    chain: 'A',
    step: 3,
    k: 3,
    stage: 'Findings',
    text: 'There is a 14 mm spiculated solid nodule in the left upper lobe.',
    part: `${id}-x.s3`,
    unnamed: [
      {
        number: 1,
        rating: graded('s3', {
          support: 'supported',
          model_place: 'correct',
          evidence: [box('m1', 0.645, 0.33, 0.755, 0.45)],
        }),
      },
      {
        number: 2,
        rating: graded('s3', {
          support: 'contradicted',
          model_place: 'correct',
          error: ['false_finding', 'wrong_severity_or_size'],
          builds_on_error: 'no',
          significance: 'b',
          evidence: [{ id: 'm1', image: 'ct', frame: 17, shape: 'ellipse', coords: [0.675, 0.355, 0.785, 0.475] }],
          note: 'vessel in cross-section, follows on slices 16 to 19',
        }),
      },
      {
        number: 3,
        rating: graded('s3', {
          support: 'unsupported',
          model_place: 'correct',
          error: ['false_finding'],
          builds_on_error: 'no',
          significance: 'a',
          evidence: [],
        }),
      },
    ],
  },
  {
    ...line('step', ['place'], ['model_place']),
    chain: 'B',
    step: 2,
    k: 2,
    stage: 'Anatomy & location',
    text: 'The lesion lies in the left upper lobe.',
    part: `${id}-y.s2`,
    unnamed: ['wrong_side', 'correct', 'correct'].map((model_place, i) => ({
      number: i + 1,
      rating: graded('s2', {
        support: 'partly',
        model_place,
        error: ['wrong_location'],
        builds_on_error: 'no',
        significance: 'a',
        evidence: [box('m1', 0.65 + i / 50, 0.35, 0.75 + i / 50, 0.45)],
      }),
    })),
  },
  {
    ...line('chain', ['answer', 'omission'], ['answer', 'missed', 'radpeer']),
    chain: 'A',
    part: '',
    unnamed: [
      { number: 1, chain_rating: whole({}) },
      {
        number: 2,
        chain_rating: whole({
          answer: 'incorrect',
          radpeer: '3b',
          missed: [
            { text: 'Small left pleural effusion', significance: 'b', region: box('missed-1', 0.6, 0.7, 0.8, 0.8) },
          ],
        }),
      },
      { number: 3, chain_rating: whole({}) },
    ],
  },
  {
    ...line('question', ['own_answer'], ['answer']),
    k: 3,
    stage: 'Findings',
    text: 'What is the finding?',
    part: 'q3',
    unnamed: ['A', 'B', 'A'].map((answer, i) => ({
      number: i + 1,
      look: { question: 'q3', answer, confidence: 2, evidence: i === 1 ? [] : [box('l1', 0.65, 0.34, 0.76, 0.45)] },
    })),
  },
];

const line = (on: string, ofKinds: string[], fields: string[]) => ({
  on,
  kinds: ofKinds,
  fields,
  chain: '',
  step: 0,
  k: 0,
  stage: '',
  text: '',
  reads: 3,
  state: 'open',
});

const items = (): Made[] =>
  [0, 1, 2].flatMap((at) => {
    const of = caseAt(at, false);
    return steps(of.id).map((item, n) => ({
      ...item,
      id: `d-${at}${n}`,
      case: of.id,
      at,
      state: at === 2 && n === 0 ? 'waiting' : 'open',
    }));
  });

/** FakeAdjudication is the part of the desk that adjudicates. */
export type FakeAdjudication = Pick<
  Backend,
  'disagreements' | 'openDisagreement' | 'decide' | 'adoptUnanimous' | 'overturns'
>;

/** fakeAdjudication makes the acts; may tells whether an adjudicator sits here. */
export const fakeAdjudication = (may: () => boolean): FakeAdjudication => {
  const all = items();
  const finals = new Map<string, { value: FinalValue; reason: string; revisions: number }>();
  let unanimous = 164;
  let adopted = 0;
  const refused = (text: string): Trouble => ({ kind: 'refused', op: 'decide', of: '', text });
  const stateOf = (item: Made) => (finals.has(item.id) ? 'decided' : item.state);
  const count = (state: string, of: Made[]) => of.filter((x) => stateOf(x) === state).length;
  const found = (id: string) => {
    const item = all.find((x) => x.id === id);
    if (!item) throw { kind: 'not_found', op: 'open disagreement', of: id, text: 'there is no such disagreement' };
    if (!may()) throw refused('an adjudicator decides');
    if (item.state === 'waiting') throw refused(`not every assigned read of case ${item.case} is signed`);
    return item;
  };
  const shown = ({ at: _, part: __, unnamed: ___, ...item }: Made): Disagreement => ({
    ...item,
    state: stateOf({ ...item, at: 0, part: '', unnamed: [] }),
  });
  return {
    disagreements: async (): Promise<Disagreements> => ({
      items: all.map(shown),
      counts: kinds.map((kind) => {
        const of = all.filter((x) => x.kinds.includes(kind));
        return {
          kind,
          open: count('open', of),
          waiting: count('waiting', of),
          barred: 0,
          decided: count('decided', of),
        };
      }),
      open: count('open', all),
      waiting: count('waiting', all),
      barred: 0,
      decided: count('decided', all),
      unanimous,
      adopted,
      may: may(),
    }),
    openDisagreement: async (id): Promise<DisagreementView> => {
      const item = found(id);
      const of = caseAt(item.at, false);
      const chain = chainsOf(of.id)[item.chain === 'B' ? 1 : 0];
      const final = finals.get(id);
      return {
        ...shown(item),
        of,
        stages,
        stacks: [stackOf()],
        part: item.part,
        answers: item.on === 'question' ? [] : (chain?.answers ?? []),
        unnamed: item.unnamed,
        pairs: item.on === 'step' ? [{ a: 1, b: 2, iou: 0.46 }] : [],
        consensus: item.on === 'step' ? [box('c1', 0.66, 0.34, 0.76, 0.46)] : [],
        final: final?.value,
        reason: final?.reason ?? '',
        revisions: final?.revisions ?? 0,
        problems: [],
      };
    },
    decide: async (id, value, reason) => {
      found(id);
      if (reason.trim() === '') throw { kind: 'invalid', op: 'decide', of: 'reason', text: 'a reason expected' };
      const revision = (finals.get(id)?.revisions ?? 0) + 1;
      finals.set(id, { value, reason, revisions: revision });
      return {
        event: crypto.randomUUID(),
        at: '2026-01-01T14:00:00Z',
        revision,
        open: count('open', all),
        decided: finals.size,
      };
    },
    adoptUnanimous: async () => {
      if (!may()) throw refused('an adjudicator decides');
      const now = unanimous;
      adopted += now;
      unanimous = 0;
      return now;
    },
    overturns: async (): Promise<Adjudicated> => ({
      decided: 41,
      open: count('open', all),
      waiting: count('waiting', all),
      adopted,
      unanimous,
      overturns: (
        [
          ['support', '', 27, 6, 9],
          ['support', 'R1', 36, 11, 0],
          ['support', 'R2', 36, 19, 0],
          ['support', 'R3', 34, 9, 0],
          ['answer', '', 5, 1, 0],
          ['answer', 'R1', 5, 2, 0],
        ] as const
      ).map(([dimension, reader, n_items, overturned, no_majority]) => ({
        dimension,
        reader,
        n_items,
        overturned,
        no_majority,
        clusters: 14,
        rate: overturned / n_items,
        interval: n_items > 9 ? [0.8 * (overturned / n_items), Math.min(1, 1.3 * (overturned / n_items))] : [],
        method: 't on clustered standard error, few clusters',
        reason: n_items > 9 ? '' : 'no interval: at least 10 clusters needed, found 5',
      })),
    }),
  };
};
