// The texts of the queue of unsure cases, of routing and of prompt emphasis: a part of the catalogue (texts.ts).
import { n } from './counted';

const count = (x: number) => x.toLocaleString('en');
const two = (x: number) => x.toFixed(2);

export const uncertainTexts = {
  uncertain: {
    title: 'Cases of which models are unsure',
    note: 'Entropy over the options, and disagreement when the same is asked again (noop). The greater of the two orders the queue.',
    none: 'Nothing to go by yet. Run “original” with probabilities (a server) or together with “noop” (any model).',
    model: 'Model',
    everyModel: 'every model',
    columns: { case: 'case', model: 'model', score: 'unsure', entropy: 'entropy', disagreement: 'disagree' },
    unknown: '–',
    scoreIs: (score: number) => `unsure ${two(score)} of 1`,
    missing: (mass: number) => `${two(mass)} of the probability lay outside the options`,
    trigger: 'How good a sign is it?',
    triggerNote: 'AUROC: the chance that a case with a wrong answer stands above one without. 0.50 is no sign at all.',
    auroc: (value: number, interval: readonly number[] | null) =>
      `AUROC ${two(value)}${interval ? ` [${two(interval[0] ?? 0)}, ${two(interval[1] ?? 0)}]` : ''}`,
    triggerOf: (wrong: number, cases: number, clusters: number) =>
      `wrong somewhere in ${count(wrong)} of ${n(cases, 'case')}, ${n(clusters, 'cluster')}`,
    noFigure: 'no figure',
    order: 'Readers read',
    orders: { random: 'in random order', uncertain: 'the most unsure first' } as Record<'random' | 'uncertain', string>,
    orderNote:
      'Kept in the protocol, for what is assigned from now on. A reader who knows of it learns something of the models from the order.',
    noProtocol: 'The study has no protocol yet that could keep it.',
    toStudy: 'Write one in Study',
    ordering: 'Saving…',
    pick: 'Choose a case: its picture, the model to ask, and what to point to appear here.',
    more: (c: number) => `${count(c)} more: choose a model to narrow the list.`,
    compareNoop: 'Asked again, in Compare',
    open: 'In Compare',
    tabs: { point: 'Point to something', which: 'Which model?' },
    loading: 'Looking for cases like it…',
    best: (model: string) => `Ask ${model}`,
    right: (right: number, of: number) => `${count(right)} of ${count(of)} right`,
    onLike: 'On the nearest cases of other patients',
    nearest: 'Nearest cases',
    thisCase: 'this case',
    alike: (text: number, image: number | null) =>
      `text ${two(text)}${image === null ? ', no picture' : `, picture ${two(image)}`}`,
    alikeNote: 'Words by TF-IDF, the middle picture by perceptual hash; 1 is alike.',
    setUp: (model: string) => `Set up a run of this case with ${model}`,
    emphasis: 'Prompt emphasis',
    emphasisNote:
      'Words are named in the prompt and places boxed in the picture. No weight and no probability inside the model is touched: this is no classifier-free guidance (CFG).',
    about: 'Question',
    everyQuestion: 'every question',
    said: (answer: string) => `said: ${answer}`,
    words: 'Words to point to',
    wordsNote: 'Press words of the question, or write others, parted by commas.',
    others: 'Other words',
    places: 'Places',
    noPlaces: 'None drawn.',
    draw: 'Draw a box',
    drawing: 'Draw a box by mouse, or move the cross with the arrows and set two corners with Enter. Esc leaves.',
    place: (i: number, frame: number | undefined) => `box ${i}${frame === undefined ? '' : ` on frame ${frame}`}`,
    dropPlace: (i: number) => `Take box ${i} away`,
    ask: 'Ask',
    sameModel: (name: string) => `${name}, which made it`,
    again: 'Ask again',
    asking: 'Asking…',
    why: 'name words or draw a place',
    before: 'before',
    after: 'with emphasis',
    changed: (c: number, of: number) =>
      c === 0 ? `No answer of ${of} changed.` : `${c} of ${n(of, 'answer')} changed.`,
    beside: 'Both, with their pictures',
    image: 'Image',
  },
};
