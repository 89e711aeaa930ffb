// Chains beside each other on the fake desk: what an arm saw and said is told by its name, CASE/MODEL/CONDITION.
import type { Arm, Case, CheckedCondition, ComparedSaid, Comparison, ContinueOrder } from '../lib/nouns';
import { conditionNames } from './fakeConditions';
import { chainsOf, stacksOf } from './fakeStudy';

const partsOf = (name: string) => new Set(name.split('+').filter((p) => p !== 'original'));

/** differences lists the fields in which two conditions differ: a name each, right for those that the fake desk has chains of. */
export const differences = (a: string, b: string): string[] => {
  const [x, y] = [partsOf(a), partsOf(b)];
  const factor = (name: string) =>
    conditionNames.find((n) => n.name === name.replace(/[/@].*$/, '') || n.name.startsWith(`${name.split(':')[0]}:`))
      ?.factor ?? '';
  return [
    ...new Set(
      [...x]
        .filter((p) => !y.has(p))
        .concat([...y].filter((p) => !x.has(p)))
        .map(factor),
    ),
  ];
};

/** checked says which conditions can be compared. */
export const checked = (asked: string[]): CheckedCondition[] =>
  asked.map((name) => {
    const parts = [...partsOf(name)];
    const unknown = parts.find(
      (p) =>
        !conditionNames.some((n) => n.name === p.replace(/[/@].*$/, '') || n.name.startsWith(`${p.split(':')[0]}:`)),
    );
    const near = asked.filter((other) => other !== name && differences(name, other).length === 1);
    const lonely = !unknown && near.length === 0 && asked.length > 1 && parts.length > 0;
    return {
      asked: name,
      name: unknown ? '' : name,
      trouble: unknown ? `"${unknown}" is no condition; see the list of conditions` : '',
      changes: differences('original', name),
      with: near.map((other) => ({ name: other, field: differences(name, other)[0] ?? '' })),
      alone: lonely
        ? 'it differs from every other chosen condition in more than one field; a comparison changes one'
        : '',
      add: lonely ? parts.map((p) => parts.filter((v) => v !== p).join('+') || 'original') : [],
    };
  });

const changedFrames = [15, 16, 17, 18, 19];

const armOf = (id: string, chain: string, at: number, hidden: boolean): Arm => {
  const [, model = '', rest = ''] = chain.split('/');
  const condition = rest.split('>')[0] ?? '';
  const image = rest.includes('>') ? 'original' : (condition.split('+')[0] ?? 'original');
  const answers = chainsOf(id)[0]?.answers ?? [];
  const moved = model === 'oracle-pixels' && ['occ', 'none'].includes(image);
  const recipe = {
    image,
    fill: image === 'occ' ? 'tissue' : '',
    regions: [],
    questions: answers.map((a) => a.question),
    frames: image === 'occ' || image === 'ctl' ? changedFrames : [],
    seed: 1,
    digest: 'sha256:00',
  };
  const questions = answers.map((a) => a.question);
  const pictured =
    image === 'original' || hidden
      ? []
      : [
          {
            questions,
            recipe,
            stacks: image === 'none' ? [] : stacksOf(1),
            sent: [],
            changed: [recipe.frames],
            reason: '',
          },
        ];
  return {
    chain,
    name: String.fromCharCode(65 + at),
    model: hidden ? '' : model,
    condition: hidden ? '' : rest.includes('>') ? 'expert' : condition,
    origin: hidden
      ? undefined
      : ({
          schema: 'plumbline/origin/1',
          chain,
          model: { name: model, provider: 'built-in', revision: '1', profile: 'control' },
          condition: { image, given: rest.includes('>') ? 'expert' : 'own' },
          seed: 1,
          temperature: 0,
          prompt_digest: 'sha256:00',
          run: 'run-1',
          parent: rest.includes('>') ? chain.slice(0, chain.lastIndexOf('>')) : undefined,
        } as unknown as Arm['origin']),
    answers: moved ? answers.map((a, i) => (i === 2 ? { ...a, answer: 'D' } : a)) : answers,
    pictures: pictured as unknown as Arm['pictures'],
  } as Arm;
};

/** comparison sets two chains of a case beside each other; those that go on from a correction are told by what they are corrected with. */
export const comparison = (
  of: Case | undefined,
  before: string,
  after: string,
  hidden: boolean,
  corrected: ReadonlyMap<string, { order: ContinueOrder; of: string }>,
): Comparison => {
  if (!of) throw { kind: 'not_found', op: 'compare chains', of: '', text: 'the case has no such chain' };
  const arms = [before, after].map((chain, i) => armOf(of.id, chain, i, hidden));
  const own = corrected.get(after)?.order.own[0];
  const at = of.questions.findIndex((q) => q.id === own?.question);
  const questions = of.questions.map((question, i) => {
    const said = arms.map((arm, nth): ComparedSaid => {
      const a = arm.answers.find((v) => v.question === question.id);
      const told = nth === 1 && at >= 0 && i <= at;
      const answer =
        told && i === at
          ? own?.answer
          : nth === 1 && at >= 0 && i > at
            ? (question.options[1]?.letter ?? 'Granuloma')
            : a?.answer;
      return {
        answer,
        text: question.options.find((v) => v.letter === answer)?.text ?? '',
        parse: told ? '' : 'ok',
        corrected: told && i === at,
        told,
        target: '',
        right: hidden ? undefined : answer === (question.options[0]?.letter ?? ''),
      };
    });
    return { question, said, changed: said[0]?.answer !== said[1]?.answer, overlap: i === 1 ? 0.62 : undefined };
  });
  const image = (i: number) => arms[i]?.origin?.condition.image;
  return {
    case: of.id,
    hidden,
    arms,
    differs: hidden || image(0) === image(1) ? [] : ['image'],
    unfair: '',
    questions,
    stacks: stacksOf(1),
    changed: questions.filter((q) => q.changed).length,
  };
};
