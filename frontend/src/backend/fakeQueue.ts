// The queue of unsure cases on the fake desk, the model to ask, and a model that looks again.
import type { Case, Comparison, Uncertain } from '../lib/nouns';
import type { ExperimentActs, QueueActs } from './experimentActs';

/** fakeQueue makes the acts of the queue over the chains that compare knows. */
export const fakeQueue = (
  ids: () => string[],
  caseOf: (id: string) => Case | undefined,
  compare: ExperimentActs['compareChains'],
): QueueActs => ({
  queue: async () => {
    const asked = ids().filter((id) => (caseOf(id)?.questions.length ?? 0) > 0);
    const cases = asked
      .flatMap((id, i) =>
        ['oracle-pixels', 'text-only'].map((model, m): Uncertain => {
          const disagreement = ((i * 7 + m * 3) % 5) / 4;
          const entropy = m ? undefined : ((i * 5) % 11) / 10;
          return {
            case: id,
            model,
            entropy,
            missing_mass: m ? undefined : 0.02,
            disagreement,
            score: Math.max(entropy ?? 0, disagreement),
            questions: 4,
            chain: `${id}/${model}/original`,
            again: `${id}/${model}/noop`,
          };
        }),
      )
      .sort((a, b) => b.score - a.score || a.case.localeCompare(b.case));
    const half = Math.floor(asked.length / 2);
    const clusters = Math.ceil(asked.length / 2);
    return {
      cases,
      triggers: [
        {
          model: 'oracle-pixels',
          auroc: 0.81,
          interval: [0.66, 0.93],
          cases: asked.length,
          wrong: 4,
          clusters,
          reason: '',
        },
        {
          model: 'text-only',
          auroc: 0.55,
          interval: [],
          cases: asked.length,
          wrong: half,
          clusters,
          reason: 'no interval: fewer than 20 clusters',
        },
      ],
    };
  },
  routeCase: async (id) => {
    const near = ids()
      .filter((v) => v !== id)
      .slice(0, 5);
    return {
      case: id,
      model: 'oracle-pixels',
      reason: `right in 18 of 20 answers on the nearest cases of other patients: ${near.join(', ')}`,
      neighbours: near.map((v, i) => ({
        case: v,
        image: 0.92 - i * 0.03,
        text: 0.71 - i * 0.06,
        score: 0.81 - i * 0.04,
      })),
      candidates: [
        { model: 'oracle-pixels', right: 18, of: 20 },
        { model: 'qwen-local', right: 12, of: 20 },
        { model: 'text-only', right: 7, of: 20 },
      ],
      pictures: [id, ...near].map((v) => ({ case: v, image: 'ct', frame: 20 })),
    };
  },
  emphasise: async (order): Promise<Comparison> => {
    const got = await compare(order.case, order.chain, order.chain);
    const [before] = got.arms;
    if (!before) throw { kind: 'not_found', op: 'point a model to something', of: order.chain, text: 'no such chain' };
    const after = { ...before, name: 'B', chain: `${order.chain}!`, condition: 'emphasis' };
    const questions = got.questions.map((q, i) => {
      const turned = order.question === q.question.id || (order.question === '' && i === 1);
      const other = q.question.options[1];
      const said = q.said[0];
      if (!turned || !other || !said) return q;
      return { ...q, changed: true, said: [said, { ...said, answer: other.letter, text: other.text, right: false }] };
    });
    return {
      ...got,
      arms: [before, after],
      differs: ['cue'],
      questions,
      changed: questions.filter((q) => q.changed).length,
    };
  },
});
