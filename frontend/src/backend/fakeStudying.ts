// The coordinator's part of the fake desk: a protocol that is checked a little, three readers, and an invented agreement.
import type { Agreement, Problem, ReaderStands, RubricName, Rules, Standing } from '../lib/nouns';
import { type Protocol, protocolText } from '../lib/protocol';
import type { Backend, Trouble } from './client';
import { stages } from './fakeStudy';

type Acts = Pick<
  Backend,
  | 'rules'
  | 'checkProtocol'
  | 'setProtocol'
  | 'checkRubric'
  | 'addRubric'
  | 'assign'
  | 'progress'
  | 'agreement'
  | 'loadText'
  | 'saveText'
>;

const atFirst = (): Protocol => ({
  schema: 'plumbline/protocol/1',
  name: 'Chest CT, three readers',
  readers: [
    { code: 'R1', role: 'reader', specialty: 'thoracic radiology', years: 12 },
    { code: 'R2', role: 'reader', specialty: 'general radiology', years: 6 },
    { code: 'R3', role: 'reader', specialty: 'radiology resident', years: 2 },
    { code: 'A1', role: 'adjudicator', specialty: 'thoracic radiology', years: 21 },
  ],
  design: 'crossed',
  reads_per_case: 0,
  sessions: 1,
  washout_days: 0,
  seed: 20260101,
  chains_per_case: 'all',
  repeats: { share: 0.1, min_distance: 5 },
  look: { first: true, questions: 'all' },
  training: ['C-01', 'C-02'],
  training_pass: 0.8,
  idle_seconds: 60,
  rubric: { name: 'GRD', version: '1' },
  hidden_until: 'patient_signed',
  closed: false,
});

const problemsOf = (p: Protocol): Problem[] => {
  const readers = p.readers.filter((r) => r.role === 'reader').length;
  const found = p.readers.flatMap((r, i) =>
    /^[\w.-]{1,64}$/.test(r.code)
      ? []
      : [{ file: '', line: 4 + i, field: `readers[${i}].code`, text: 'a reader code has 1 to 64 letters or digits' }],
  );
  if (readers === 0) found.push({ file: '', line: 4, field: 'readers', text: 'at least one with the role reader' });
  if (p.design === 'split' && (p.reads_per_case < 1 || p.reads_per_case > readers)) {
    const text = `1 to the number of readers (${readers}) expected, found ${p.reads_per_case}`;
    found.push({ file: '', line: 9, field: 'reads_per_case', text });
  }
  return found;
};

const stands = (reader: string, done: number, started: number, extra: number): ReaderStands => ({
  reader,
  role: 'reader',
  assigned: 26,
  done,
  started,
  answers: done * 18 + started * 7,
  required: 26 * 18,
  extra,
  last: done ? '2026-01-02T14:03:05Z' : '',
  active_ms: done * 142_000,
  idle_ms: done * 9_000,
  unblinded: 0,
  training: undefined,
});

const row = (dimension: string, alpha: number | undefined, more: Partial<Agreement> = {}): Agreement => ({
  dimension,
  stage: '',
  k: 0,
  reader: '',
  scale: 'nominal',
  levels: ['no', 'yes'],
  n_items: 288,
  n_paired: 276,
  n_readers: 3,
  n_ratings: 840,
  clusters: 12,
  left_out: 0,
  percent: alpha === undefined ? 1 : 0.5 + alpha / 2,
  alpha,
  alpha_nominal: alpha,
  ac1: alpha === undefined ? 1 : Math.min(1, alpha + 0.12),
  fleiss: alpha === undefined ? undefined : alpha - 0.01,
  estimable: alpha !== undefined,
  reason: alpha === undefined ? 'no variation: every reader always gave the same answer' : '',
  interval: alpha === undefined ? [] : [alpha - 0.14, Math.min(1, alpha + 0.11)],
  method: alpha === undefined ? '' : 't, few clusters',
  resamples: 2000,
  seed: 20260101,
  reasons: {
    kappa: 'two readers needed, found 3',
    kappa_linear: 'the levels have no order',
    kappa_quadratic: 'the levels have no order',
  },
  ...more,
});

const support = ['contradicted', 'unsupported', 'partly', 'supported'];
/** fakeAgreement is invented. */
export const fakeAgreement = (): Agreement[] => [
  row('support', 0.71, {
    scale: 'ordinal',
    levels: support,
    left_out: 12,
    alpha_ordinal: 0.71,
    alpha_interval: 0.69,
    two_way: {
      readers: 3,
      clusters: 12,
      mean: 2.31,
      se: 0.14,
      var_reader: 0.02,
      var_case: 0.18,
      var_error: 0.06,
      icc: 0.69,
      reason: '',
    },
  }),
  ...stages.map((s, i) =>
    row('support', [0.88, 0.76, 0.64, 0.52][i], {
      scale: 'ordinal',
      levels: support,
      stage: s.name,
      k: s.k,
      n_items: 72,
      n_paired: 69,
      n_ratings: 210,
    }),
  ),
  row('support', 0.83, {
    scale: 'ordinal',
    levels: support,
    reader: 'R1',
    n_items: 36,
    n_paired: 36,
    n_readers: 1,
    kappa: 0.82,
  }),
  row('model_place', 0.58, { levels: ['correct', 'imprecise', 'wrong_site', 'wrong_side', 'none_given'] }),
  row('error.false_finding', 0.49),
  row('error.wrong_location', -0.04, { percent: 0.91, ac1: 0.89 }),
  row('builds_on_error', 0.33),
  row('significance', undefined),
  row('confidence', 0.21, { scale: 'ordinal', levels: ['1', '2', '3'] }),
  row('answer', 0.8),
  row('radpeer', 0.41),
  row('own_answer', 0.77),
  row('evidence', undefined, {
    scale: 'region',
    levels: [],
    iou: 0.54,
    percent: undefined,
    ac1: undefined,
    estimable: true,
    reason: '',
    interval: [0.46, 0.63],
    method: 't, few clusters',
  }),
];

/** fakeStudying makes the acts; only the coordinator may. */
export const fakeStudying = (may: () => boolean, cases: number): Acts => {
  let protocol = atFirst();
  let set = false;
  let added = 0;
  const rubrics: RubricName[] = [{ name: 'GRD', version: '1' }];
  const only = (op: string) => {
    const refused: Trouble = { kind: 'refused', op, of: '', text: `${op}: the protocol is the coordinator’s` };
    if (!may()) throw refused;
  };
  const rules = (): Rules => ({ protocol: protocolText(protocol), set, rubrics: [...rubrics] });
  const standing = (fresh: number): Standing => ({
    cases,
    added: fresh,
    readers: [stands('R1', 26, 0, 0), stands('R2', 21, 2, 1), stands('R3', 0, 0, 0)],
  });
  return {
    rules: async () => {
      only('show protocol');
      return rules();
    },
    checkProtocol: async (text) => {
      try {
        const p: Protocol = { ...atFirst(), ...JSON.parse(text) };
        return { text: protocolText(p), problems: problemsOf(p) };
      } catch (e) {
        return { text: '', problems: [{ file: '', line: 0, field: '', text: `not valid JSON: ${e}` }] };
      }
    },
    setProtocol: async (text) => {
      only('set protocol');
      protocol = { ...atFirst(), ...JSON.parse(text) };
      set = true;
      return rules();
    },
    checkRubric: async (text) => ({ text, problems: [] }),
    addRubric: async () => {
      const made = { name: 'GRD', version: '1-short' };
      rubrics.push(made);
      return made;
    },
    assign: async () => {
      only('assign');
      if (!set) {
        const text = 'assign: no protocol is set: every reader reads every case once, without assignments';
        throw { kind: 'refused', op: 'assign', of: '', text } satisfies Trouble;
      }
      const fresh = added === 0 ? 78 : 0;
      added += fresh;
      return standing(fresh);
    },
    progress: async () => standing(0),
    agreement: async () => fakeAgreement(),
    loadText: async () => ({ name: 'protocol.json', text: protocolText({ ...protocol, name: 'From a file' }) }),
    saveText: async (_, name) => `/home/reader/${name}`,
  };
};
