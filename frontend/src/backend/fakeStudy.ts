// A small invented study for tests and for looking at screens without the real desk. Not part of the product.
import type { Answer, Case, Frame, Option, Question, Stack, Step } from '../lib/nouns';

const option = (letter: string, text: string): Option => ({ letter, text });

export const stages = [
  { k: 1, name: 'Technique', categories: ['modality'] },
  { k: 2, name: 'Anatomy & location', categories: ['laterality'] },
  { k: 3, name: 'Findings', categories: ['presence'] },
  { k: 4, name: 'Impression', categories: ['diagnosis'] },
];

const questions = (): Question[] => [
  {
    id: 'q1',
    k: 1,
    stage: 'Technique',
    text: 'Which technique do the images show?',
    options: [option('A', 'CT, axial'), option('B', 'MR, axial'), option('C', 'Radiograph, frontal')],
    parents: [],
  },
  {
    id: 'q2',
    k: 2,
    stage: 'Anatomy & location',
    text: 'Where is the most conspicuous abnormality?',
    options: [
      option('A', 'right upper lobe'),
      option('B', 'right lower lobe'),
      option('C', 'left upper lobe'),
      option('D', 'left lower lobe'),
      option('E', 'no abnormality'),
    ],
    parents: [],
  },
  {
    id: 'q3',
    k: 3,
    stage: 'Findings',
    text: 'What is the finding?',
    options: [option('A', 'nodule'), option('B', 'effusion'), option('C', 'pneumothorax'), option('D', 'none')],
    parents: [],
  },
  {
    id: 'q4',
    k: 4,
    stage: 'Impression',
    text: 'What is the most likely explanation of the finding?',
    options: [],
    parents: [],
  },
];

const id = (i: number) => `C-${String(i + 1).padStart(2, '0')}`;

/** caseAt makes the i-th case of the study. The last one is a picture without questions. */
export const caseAt = (i: number, last: boolean): Case => ({
  schema: 'plumbline/case/1',
  id: id(i),
  patient: `P-${String(Math.floor(i / 2) + 1).padStart(2, '0')}`,
  images: [{ id: 'ct', path: `images/${id(i)}`, kind: 'volume', modality: i % 12 === 11 ? 'CR' : 'CT' }],
  frames_shown: [],
  context: last
    ? {}
    : {
        age: String(48 + (i % 30)),
        sex: i % 2 ? 'female' : 'male',
        history: 'Cough for six weeks. Former smoker, 30 pack years.',
      },
  language: 'en',
  source: {},
  questions: last ? [] : questions(),
});

const frame = (index: number): Frame => ({
  index,
  rows: 256,
  columns: 256,
  samples: 1,
  bits_allocated: 16,
  bits_stored: 16,
  signed: true,
  photometric: 'MONOCHROME2',
  transfer_syntax: '1.2.840.10008.1.2.1',
  lossy: false,
  slope: 1,
  intercept: 0,
  unit: 'HU',
  windows: [{ center: -600, width: 1500, explanation: 'LUNG' }],
  voi_function: 'LINEAR',
  window_computed: false,
  spacing_mm: [1.4, 1.4],
  spacing_source: 'PixelSpacing',
  position: [-180, -180, index * 5],
  orientation: [1, 0, 0, 0, 1, 0],
  padding: undefined,
  padding_limit: undefined,
  invert: false,
  duration_ms: 0,
  problem: '',
});

/** stackOf makes the one stack of a case. */
export const stackOf = (): Stack => ({
  image: 'ct',
  kind: 'volume',
  modality: 'CT',
  description: 'CT chest',
  series: '2.25.1',
  space: '2.25.2',
  synthetic: true,
  frames: Array.from({ length: 40 }, (_, n) => frame(n)),
  reasons: [],
});

/** stacksOf makes so many stacks of a case: the second is of the same series in thicker slices, the others are priors. */
export const stacksOf = (images: number): Stack[] =>
  Array.from({ length: images }, (_, i) => {
    const ct = stackOf();
    if (i === 0) return ct;
    const every = i === 1 ? 2 : 1;
    return {
      ...ct,
      image: `ct${i + 1}`,
      description: i === 1 ? 'CT chest 10 mm' : `CT prior ${i - 1}`,
      series: i === 1 ? ct.series : `${ct.series}.${i}`,
      space: i === 1 ? ct.space : `${ct.space}.${i}`,
      frames: ct.frames.filter((_, n) => n % every === 0).map((f) => ({ ...f })),
    };
  });

const step = (chain: string, k: number, text: string | undefined, at?: number[]): Step => ({
  id: `${chain}.s${k}`,
  text,
  claim_type: 'finding',
  regions: at ? [{ id: `${chain}.r${k}`, image: 'ct', frame: 17, shape: 'box', coords: at }] : [],
});

/** FakeChain is a recorded chain. */
export interface FakeChain {
  id: string;
  answers: Answer[];
}

/** chainsOf makes the recorded chains of a case, in reading order. */
export const chainsOf = (caseID: string): FakeChain[] =>
  ['x', 'y'].map((x) => {
    const chain = `${caseID}-${x}`;
    const steps: Step[][] = [
      [step(chain, 1, 'Axial chest CT, shown in a **lung window**.')],
      [step(chain, 2, 'The lesion lies in the left upper lobe.', [0.66, 0.34, 0.76, 0.44])],
      [
        step(chain, 3, 'There is a 14 mm spiculated solid nodule in the left upper lobe.', [0.66, 0.34, 0.76, 0.44]),
        step(chain, 4, 'No pleural effusion.'),
      ],
      [step(chain, 5, 'Spiculation makes malignancy most likely.'), step(chain, 6, undefined, [0.2, 0.5, 0.4, 0.7])],
    ];
    const answers = ['A', 'C', 'A', x === 'x' ? 'Primary lung cancer' : 'Granuloma <img src=x onerror=alert(1)>'];
    return {
      id: chain,
      answers: answers.map((answer, i) => ({ question: `q${i + 1}`, answer, parse: 'ok', steps: steps[i] ?? [] })),
    };
  });
