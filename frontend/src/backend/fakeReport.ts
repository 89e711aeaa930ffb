// An invented report for looking at the screen.
import type {
  Comparison,
  Count,
  Cross,
  Effects,
  Fact,
  Figure,
  Grounding,
  ReportDocument,
  ReportFilter,
  ReportModel,
  StageFigure,
} from '../lib/report';
import { everything } from '../lib/report';
import type { Backend } from './client';
import { fakeAgreement } from './fakeStudying';

const figure = (value: number | null, half = 0.1, n = 24): Figure => ({
  value,
  n,
  patients: 12,
  images: 24,
  variants: 2,
  clusters: 12,
  deff: 1.8,
  n_eff: n / 1.8,
  interval: value === null ? null : [Math.max(-1, value - half), Math.min(1, value + half)],
  method: 't on clustered standard error, few clusters',
  estimable: value !== null,
  reason: value === null ? 'missing run: mirror' : undefined,
});

const names = ['Technique', 'Anatomy & location', 'Findings', 'Impression'];
const supports = ['supported', 'partly', 'unsupported', 'contradicted', 'not_visual', 'cannot_assess'];
const counts = (labels: string[], n: number[]): Count[] => labels.map((label, i) => ({ label, n: n[i] ?? 0 }));
const staged = (list: number[], half = 0.12): StageFigure[] =>
  list.map((v, i) => ({ ...figure(v, half), k: i + 1, name: names[i] ?? '' }));
const cross = (rows: string, columns: string, n: number[][]): Cross => ({ rows, columns, n, kappa: 0.31 });
const effects = (te: number, nde: number): Effects => ({
  te: figure(te),
  nde: figure(nde),
  nie: figure(te - nde),
  pnie: figure(0),
  tnde: figure(nde),
  int: figure(0),
});
const origins = ['correct', 'correct_despite_wrong_earlier', 'new', 'inherited', 'wrong_both', 'undetermined'];
const classes = ['image_grounded', 'chain_mediated', 'both', 'neither', 'undetermined'];

const grounding = (list: number[], rwr: number): Grounding => ({
  strict: figure((list[3] ?? 0) - 0.1, 0.14, 96),
  lenient: figure(list[3] ?? 0, 0.12, 96),
  stages: list.map((v, i) => ({ k: i + 1, name: names[i] ?? '', strict: figure(v - 0.1), lenient: figure(v) })),
  rwr_human: figure(rwr, 0.06, 19),
  ratings: 96,
  steps: 96,
  of: 120,
  readers: 2,
});

interface Ways {
  stages: number[];
  prefix: number[];
  read: number[];
  support: number[];
  image: number;
  follow: number;
  wrong: number[];
}

const model = (name: string, w: Ways): ReportModel => ({
  key: `${name} · r1 · original`,
  model: name,
  run: 'run-b59623d8bdaa',
  condition: 'original',
  chains: 24,
  accuracy: {
    stages: staged(w.stages),
    prefix: staged(w.prefix),
    chain: figure(w.prefix.at(-1) ?? null, 0.16),
    first_error: staged(w.prefix.map((v, i) => (i === 0 ? 1 : (w.prefix[i - 1] ?? 1)) - v)),
    final_right_wrong_chain: figure(0.21, 0.1, 19),
  },
  grounding_human: grounding(w.read, 1 - w.image > 0.5 ? 0.58 : 0.05),
  grounding_final: { ...grounding(w.read, 0.05), steps: 0 },
  labels: { support: counts(supports, w.support), error: [], step_ratings: 96, chain_ratings: 24 },
  conditions: ['suggest-wrong', 'none', 'occ/remove'].map((condition, i) => ({
    condition,
    changes: [i === 0 ? 'cue' : 'image'],
    chain: figure(w.image / 2),
    difference: { ...figure(-w.image / 2), p: 0.004, p_holm: 0.012, mcnemar_exact: null },
  })),
  origin: {
    estimable: true,
    counts: counts(origins, w.wrong),
    stages: names.map((n, i) => ({
      k: i + 1,
      name: n,
      counts: counts(
        origins,
        w.wrong.map((x) => Math.round((x * (i + 1)) / 10)),
      ),
    })),
    inherited: figure(0.42),
    gold_gain: figure(0.18),
    corrupt_follow: figure(1 - w.image),
    resistance: figure(w.image),
    recovery: figure(0.2),
  },
  grounding_causal: {
    estimable: true,
    share: figure(w.image, 0.08, 63),
    stages: staged([0, w.image, w.image, w.image]).slice(1),
    counts: counts(['grounded', 'not_grounded', 'undetermined', 'not_testable'], [28, 34, 1, 67]),
    rwr_causal: figure(1 - w.image, 0.1, 62),
    right_grounded: cross('right', 'grounded by intervention', [
      [Math.round(62 * w.image), Math.round(62 * (1 - w.image))],
      [1, 4],
    ]),
    right_human: cross('right', 'grounded by readers', [
      [54, 6],
      [3, 5],
    ]),
    human: cross('grounded by intervention', 'grounded by readers', [
      [26, 3],
      [9, 8],
    ]),
  },
  image_reliance: {
    estimable: true,
    testable: {
      n: 63,
      of: 130,
      not: [
        { label: 'gold asserts nothing present', n: 58 },
        { label: 'no control region', n: 9 },
      ],
    },
    noise: figure(0, 0.02),
    net_necessity: figure(w.image, 0.1, 63),
    net_necessity_total: figure(Math.min(1, w.image + 0.05), 0.1, 63),
    carried: figure(0.05, 0.05, 63),
    net_sufficiency: figure(w.image / 2),
    blank_rate: figure(1 - w.image),
    image_gain: figure(w.image * 0.7),
    swap_follow: figure(w.image),
    mirror_follow: figure(null),
    insert_follow: figure(null),
    by_stage: names
      .slice(1)
      .map((n, i) => ({ k: i + 2, name: n, net_necessity: figure(w.image), net_necessity_total: figure(w.image) })),
    by_fill: [{ fill: 'remove', net_necessity: figure(w.image) }],
  },
  mediation: {
    estimable: true,
    ...effects(w.image, w.image * 0.8),
    classes: counts(classes, [20, 8, 6, 12, 3]),
    stages: names.slice(1).map((n, i) => ({
      k: i + 2,
      name: n,
      ...effects(w.image, w.image * 0.6),
      classes: counts(classes, [7, 3, 2, 4, 1]),
    })),
  },
  cues: {
    estimable: true,
    guess: figure(0.3),
    rows: ['suggest-wrong', 'suggest-right', 'box-wrong', 'authority_based'].map((cue) => ({
      cue,
      condition: cue,
      follow: figure(w.follow),
      harm: figure(w.follow * 0.8),
      help: figure(cue === 'suggest-right' ? 0.2 : null),
      flip: figure(w.follow * 0.9),
      correction: figure(0.1),
      acknowledged: figure(0.12),
    })),
  },
  consistency: {
    estimable: true,
    quadrants: counts(['ideal', 'fragile', 'dangerous', 'worst'], [30, 9, Math.round(40 * (1 - w.image)), 5]),
    dangerous: figure(0.8 * (1 - w.image)),
    levels: ['language', 'sentence', 'word'].map((level) => ({
      level,
      language: '',
      groups: 40,
      all_same: figure(0.8),
      set_accuracy: figure(0.7),
    })),
  },
  text: {
    estimable: true,
    early: [1, 2].map((k) => ({ ...figure(0.5 + 0.2 * k), k, name: `after ${k}` })),
    aoc: figure(0.3),
    flips: [
      { ...figure(0.2), name: 'mistake' },
      { ...figure(0.1), name: 'filler' },
    ],
    length: figure(28),
    confident: [{ condition: 'confident:90', length: figure(0.6), ended: figure(0.5), accuracy: figure(-0.02) }],
  },
  context: {
    estimable: false,
    reason: 'no run with the card off or one field of it changed',
    rows: [],
    monotonicity: [],
  },
  localisation: {
    estimable: true,
    iou: figure(0.61),
    miou: figure(0.58),
    acc_half: figure(0.7),
    pointing: figure(0.82),
    precision: figure(0.74),
    entailed: figure(0.76),
    wrong_side: figure(0.03),
    frames: figure(0.66),
    cited: 80,
    of: 94,
  },
  calibration: {
    estimable: true,
    brier: figure(0.14),
    ece: figure(0.08),
    auroc: figure(0.77),
    aurc: figure(0.11),
    defer: figure(0.02),
    bins: [0.5, 0.6, 0.7, 0.8, 0.9].map((low) => ({
      low,
      high: low + 0.1,
      n: 20,
      confidence: low + 0.05,
      accuracy: low - 0.02,
    })),
    curve: [0.1, 0.3, 0.5, 0.7, 0.9, 1].map((coverage) => ({ coverage, risk: coverage * 0.22 })),
  },
});

const models = () => [
  model('oracle-pixels', {
    stages: [1, 0.94, 0.88, 0.83],
    prefix: [1, 0.94, 0.86, 0.79],
    read: [1, 0.92, 0.9, 0.88],
    support: [70, 12, 6, 3, 4, 1],
    image: 0.92,
    follow: 0.04,
    wrong: [100, 2, 6, 5, 2, 1],
  }),
  model('text-only', {
    stages: [0.96, 0.54, 0.42, 0.71],
    prefix: [0.96, 0.5, 0.21, 0.17],
    read: [0.9, 0.41, 0.3, 0.33],
    support: [18, 12, 30, 24, 11, 1],
    image: 0.05,
    follow: 0.54,
    wrong: [50, 12, 22, 18, 14, 4],
  }),
];

const choices: ReportFilter = {
  stages: [1, 2, 3, 4],
  categories: ['laterality', 'size'],
  modalities: ['CT', 'DX'],
  languages: ['en'],
  models: ['oracle-pixels', 'text-only'],
  conditions: ['original', 'none', 'occ/remove', 'suggest-wrong'],
  readers: ['R1', 'R2'],
};

const facts = (): Fact[] =>
  Array.from({ length: 48 }, (_, i) => ({
    case: `C-${String(1 + Math.floor(i / 4)).padStart(2, '0')}`,
    question: `q${(i % 4) + 1}`,
    k: (i % 4) + 1,
    stage: names[i % 4] ?? '',
    category: 'size',
    text: ['Which modality is this?', 'On which side?', 'How large is it?', 'What is the impression?'][i % 4] ?? '',
    gold: 'A',
    own: i % 3 === 0 ? 'B' : 'A',
    noop: i % 3 === 0 ? 'B' : 'A',
    occ: i % 5 === 0 ? 'A' : 'C',
    ctl: i % 3 === 0 ? 'B' : 'A',
    none: 'C',
    answer: i % 3 === 0 ? 'wrong' : 'right',
    first_error: i % 3 === 0,
    origin: i % 3 === 0 ? (i % 2 ? 'inherited' : 'new') : 'correct',
    grounded: i % 5 === 0 ? 'not_grounded' : 'grounded',
    readers: i % 7 === 0 ? 'not_grounded' : 'grounded',
    mediation: classes[i % 5] ?? '',
    quadrant: i % 4 === 0 ? 'dangerous' : 'ideal',
    cues: i % 3 === 1 ? ['suggest-wrong'] : [],
    support: ['supported', 'partly'],
    confidence: 0.8,
  }));

const compared = (a: string, b: string): Comparison[] =>
  ['stage accuracy, all questions', 'chain accuracy', ...names.map((n, i) => `accuracy at S${i + 1} ${n}`)].map(
    (what, i) => ({
      ...figure(0.1 * i, 0.12),
      a,
      b,
      what,
      p: 0.01 * i,
      p_holm: 0.03 * i,
      mcnemar_exact: null,
    }),
  );

/** fakeReport makes it. */
export const fakeReport = (filter: ReportFilter = everything): ReportDocument => ({
  name: 'Sample study',
  at: '2026-01-02T03:04:05Z',
  synthetic: true,
  seed: 7,
  resamples: 2000,
  filter,
  choices,
  models: models().filter((m) => filter.models.length === 0 || filter.models.includes(m.model)),
  comparisons: [],
  agreement: fakeAgreement(),
  readers: ['R1', 'R2'].map((reader) => ({
    reader,
    assigned: 24,
    signed: reader === 'R1' ? 24 : 21,
    looks: 96,
    ratings: 96,
    chain_ratings: 24,
    revisions: 3,
    look_accuracy: figure(0.91, 0.06, 96),
    support: counts(supports, [70, 12, 6, 3, 4, 1]),
  })),
  data: { cases: 24, patients: 12, images: 26, variants: 2, clusters: 12, signed: 45, unsigned: 3 },
  notes: ['3 readings begun and not signed; only signed readings count.'],
  methods: ['Accuracy and grounding are two things and are nowhere blended.'],
});

/** fakeReporting is the report's part of the fake desk; may says who may see it. */
export const fakeReporting = (
  may: () => void,
): Pick<Backend, 'report' | 'reportOf' | 'compareReport' | 'behindReport' | 'saveFigure'> => ({
  report: async () => {
    may();
    return fakeReport();
  },
  reportOf: async (filter) => {
    may();
    return fakeReport(filter);
  },
  compareReport: async (_, pair) => compared(pair.a, pair.b),
  behindReport: async () => facts(),
  saveFigure: async (_, name) => `/home/reader/${name}`,
});
