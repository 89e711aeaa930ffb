// An invented report for looking at the screen.
import type { Count, Figure, ReportDocument, ReportModel } from '../lib/report';
import { fakeAgreement } from './fakeStudying';

const figure = (value: number | null, half: number, n = 24): Figure => ({
  value,
  n,
  patients: 12,
  images: 24,
  variants: 2,
  clusters: 12,
  deff: 1.8,
  n_eff: n / 1.8,
  interval: value === null ? null : [Math.max(0, value - half), Math.min(1, value + half)],
  method: 't on clustered standard error, few clusters',
  estimable: value !== null,
  reason: value === null ? 'no signed reading' : undefined,
});

const names = ['Technique', 'Anatomy & location', 'Findings', 'Impression'];
const supports = ['supported', 'partly', 'unsupported', 'contradicted', 'not_visual', 'cannot_assess'];
const counts = (labels: string[], n: number[]): Count[] => labels.map((label, i) => ({ label, n: n[i] ?? 0 }));

const model = (
  name: string,
  stages: number[],
  prefix: number[],
  grounding: number[],
  support: number[],
): ReportModel => ({
  model: name,
  condition: 'original',
  chains: 24,
  accuracy: {
    stages: stages.map((v, i) => ({ ...figure(v, 0.12), k: i + 1, name: names[i] ?? '' })),
    prefix: prefix.map((v, i) => ({ ...figure(v, 0.12), k: i + 1, name: names[i] ?? '' })),
    chain: figure(prefix.at(-1) ?? null, 0.16),
    final_right_wrong_chain: figure(0.21, 0.1, 19),
  },
  grounding_human: {
    strict: figure((grounding[3] ?? 0) - 0.1, 0.14, 96),
    lenient: figure(grounding[3] ?? 0, 0.12, 96),
    stages: grounding.map((v, i) => ({
      k: i + 1,
      name: names[i] ?? '',
      strict: figure(v - 0.1, 0.12),
      lenient: figure(v, 0.12),
    })),
    rwr_human: name === 'text-only' ? figure(0.58, 0.2, 12) : figure(0.05, 0.06, 19),
    ratings: 96,
    steps: 96,
    of: 120,
    readers: 2,
  },
  labels: {
    support: counts(supports, support),
    error: [],
    step_ratings: 96,
    chain_ratings: 24,
  },
  grounding_causal: { estimable: false, reason: 'no interventions were run' },
});

/** fakeReport makes it. */
export const fakeReport = (): ReportDocument => ({
  name: 'Sample study',
  at: '2026-01-02T03:04:05Z',
  synthetic: true,
  seed: 7,
  resamples: 2000,
  models: [
    model('oracle-pixels', [1, 0.94, 0.88, 0.83], [1, 0.94, 0.86, 0.79], [1, 0.92, 0.9, 0.88], [70, 12, 6, 3, 4, 1]),
    model(
      'text-only',
      [0.96, 0.54, 0.42, 0.71],
      [0.96, 0.5, 0.21, 0.17],
      [0.9, 0.41, 0.3, 0.33],
      [18, 12, 30, 24, 11, 1],
    ),
  ],
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
