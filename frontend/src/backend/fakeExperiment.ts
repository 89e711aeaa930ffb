// Experiments on the fake desk: a run that goes on by itself, an endpoint that loses some requests, and chains beside each other.
import type {
  AnyCase,
  Case,
  ContinueOrder,
  ModelRow,
  Models,
  Pair,
  PastRun,
  RunNow,
  RunOrder,
  RunStatus,
} from '../lib/nouns';
import type { Trouble } from './client';
import type { ExperimentActs } from './experimentActs';
import { checked, comparison, differences } from './fakeComparison';
import { conditionNames, conditionSets } from './fakeConditions';
import { stages } from './fakeStudy';

const controls: [string, string][] = [
  ['oracle-pixels', 'searches the pixels for itself and ignores the text'],
  ['text-only', 'answers from the question and base rates and looks at no image'],
  ['cue-follower', 'says what a cue says, else as text-only'],
  ['context-shortcut', 'answers from the card, else as text-only'],
  ['chain-copier', 'S1 and S2 from the pixels, later stages from the earlier answers alone'],
  ['random', 'draws by lot'],
];

const text = 'questions, options, the patient’s card, earlier answers, and the images';

const row = (name: string, host: string, more: Partial<ModelRow>): ModelRow => ({
  name,
  control: false,
  does: '',
  profile: JSON.stringify(
    {
      schema: 'plumbline.profile/1',
      name,
      base_url: `https://${host}/v1`,
      model: name,
      timeouts: {},
      key: {},
      image: {},
      boxes: {},
    },
    null,
    2,
  ),
  host,
  reach: 'loopback',
  sends: text,
  consent: undefined,
  can: undefined,
  why: '',
  ...more,
});

const able = {
  models: ['qwen2.5-vl-7b'],
  model_known: true,
  images: true,
  json_schema: true,
  grammar: true,
  logprobs: true,
  repeats: true,
};

const refuse = (op: string, why: string): Trouble => ({ kind: 'refused', op, of: '', text: why });
const needsConsent = (host: string) =>
  `${host} is a public host and would be sent ${text}: this needs a consent that names the host and text, images`;

const noStatus = (): RunStatus => ({
  run: '',
  requests: 0,
  answered: 0,
  kept: 0,
  unparsed: 0,
  not_applicable: [],
  left_out: [],
  later: 0,
  failed: [],
  missed: [],
  models: [],
  chains: 0,
  units: 0,
  of: 0,
  seconds: 0,
  per_second: 0,
  seconds_left: 0,
  paused: false,
});

export interface FakeExperimentOptions {
  ids: () => string[];
  caseOf: (id: string) => Case | undefined;
  leads: () => boolean;
  /** Whether a run was left unfinished before the page was opened, and whether the protocol hides arms. */
  left?: boolean;
  hidden?: boolean;
}

/** fakeExperiment makes the coordinator's acts for experiments. */
export const fakeExperiment = (o: FakeExperimentOptions): ExperimentActs => {
  const runs: PastRun[] = o.left ? [pastRun('run-left', o.ids(), false)] : [];
  let models: ModelRow[] = [
    ...controls.map(([name, does]) => ({
      ...row(name, '', { control: true, does, profile: '', sends: '' }),
      reach: '',
    })),
    row('qwen-local', '127.0.0.1:8080', { can: { ...able, reasons: false, token_limit: 'max_tokens', context: 4096 } }),
    row('cloud-vlm', 'models.example.org', { reach: 'public', why: needsConsent('models.example.org') }),
  ];
  let now: RunNow = { status: noStatus(), running: false, trouble: '' };
  let order: RunOrder | undefined;

  const must = () => {
    if (!o.leads()) throw refuse('run experiment', 'runs know gold and models; they are the coordinator’s');
  };
  const list = (): Models => ({ models: models.map((m) => ({ ...m })), problems: [] });
  const change = (name: string, part: Partial<ModelRow>) => {
    must();
    models = models.map((m) => (m.name === name ? { ...m, ...part } : m));
    return list();
  };
  // Each look at the run finds it a little further.
  const goOn = () => {
    const s = now.status;
    if (!now.running || s.paused) return;
    const units = Math.min(s.of, s.units + Math.max(1, Math.ceil(s.of / 12)));
    const share = s.of ? units / s.of : 1;
    const lost = order?.models.includes('qwen-local') ? Math.round(units / 40) : 0;
    const unfit = Math.round(units / 9);
    const per = Math.floor(units / Math.max(1, s.models.length));
    now = {
      ...now,
      running: units < s.of,
      status: {
        ...s,
        units,
        chains: units - lost - unfit,
        requests: units * 4,
        answered: units * 4 - lost,
        seconds: share * 9,
        per_second: (units * 4) / (share * 9),
        seconds_left: (1 - share) * 9,
        not_applicable: unfit
          ? [
              { kind: 'no question of the case has a side', count: Math.ceil(unfit / 2) },
              {
                kind: 'no control: no region of this shape lies in the same tissue clear of the evidence',
                count: Math.floor(unfit / 2),
              },
            ].filter((c) => c.count > 0)
          : [],
        left_out: unfit ? [{ kind: 'the evidence marks no pixel of a frame that is sent', count: 2 }] : [],
        failed: lost ? [{ kind: 'cut', count: lost }] : [],
        missed: Array.from({ length: lost }, (_, i) => ({
          model: 'qwen-local',
          case: o.ids()[i] ?? '',
          condition: 'occ',
          kind: 'cut',
          text: 'the answer was cut off before its end',
        })),
        models: s.models.map((m) => ({
          ...m,
          units: Math.min(m.of, per),
          chains: Math.max(0, per - Math.round(per / 9)),
          not_applicable: Math.round(per / 9),
          failed: m.model === 'qwen-local' ? lost : 0,
          requests: per * 4,
          seconds: share * 9,
        })),
      },
    };
    const run = runs.find((r) => r.run === s.run);
    if (run) {
      run.chains = now.status.chains;
      run.running = now.running;
      run.done = !now.running && lost === 0;
      run.status = now.status;
    }
  };

  const begin = (asked: RunOrder): RunNow => {
    must();
    if (now.running) throw { kind: 'busy', op: 'run experiment', of: now.status.run, text: 'another run is under way' };
    const before = asked.resume ? runs.find((r) => !r.done && (asked.run === '' || asked.run === r.run)) : undefined;
    if (asked.resume && !before)
      throw { kind: 'not_found', op: 'resume run', of: '', text: 'no run is left unfinished' };
    const ids = before ? o.ids() : asked.cases.length > 0 ? asked.cases : o.ids();
    order = before ? { ...asked, models: before.models, conditions: before.conditions } : asked;
    const run = before ?? {
      ...pastRun(`run-${runs.length + 1}`, ids, false),
      models: asked.models,
      conditions: asked.conditions,
      seed: asked.seed,
      chains: 0,
    };
    if (!before) runs.unshift(run);
    run.running = true;
    const each = ids.length * order.conditions.length;
    now = {
      running: true,
      trouble: '',
      status: {
        ...noStatus(),
        run: run.run,
        of: each * order.models.length,
        kept: before ? before.chains * 4 : 0,
        models: order.models.map((model) => ({
          model,
          units: 0,
          of: each,
          chains: 0,
          not_applicable: 0,
          failed: 0,
          requests: 0,
          seconds: 0,
        })),
      },
    };
    return now;
  };

  const corrected = new Map<string, { order: ContinueOrder; of: string }>();

  return {
    models: async () => {
      must();
      return list();
    },
    saveModel: async (profile) => {
      must();
      let p: { name?: string; base_url?: string; model?: string };
      try {
        p = JSON.parse(profile);
      } catch (e) {
        throw { kind: 'invalid', op: 'read profile', of: '', text: `it is not a profile’s JSON: ${String(e)}` };
      }
      const wrong = (field: string) => ({
        kind: 'invalid',
        op: 'check profile',
        of: p.name ?? '',
        text: `check profile: ${field}`,
      });
      if (!p.name) throw wrong('name must be 1 to 64 characters');
      if (!/^https?:\/\/./.test(p.base_url ?? ''))
        throw wrong('base_url must be an http or https address such as http://127.0.0.1:8080/v1');
      if (!p.model) throw wrong('model must name the model');
      const host = new URL(p.base_url ?? '').host;
      const near = /^(127\.|localhost)/.test(host);
      const next = row(p.name, host, {
        profile,
        reach: near ? 'loopback' : 'public',
        why: near ? '' : needsConsent(host),
      });
      models = [...models.filter((m) => m.name !== p.name), next];
      return list();
    },
    removeModel: async (name) => {
      must();
      models = models.filter((m) => m.name !== name);
      return list();
    },
    probeModel: async (name) => {
      const m = models.find((v) => v.name === name);
      if (m?.why) throw refuse('probe model', m.why);
      return change(name, {
        can: {
          ...able,
          grammar: false,
          reasons: true,
          token_limit: 'max_tokens',
          notes: { grammar: 'accepted but without effect' },
        },
      });
    },
    keepModelKey: async (name) => change(name, {}),
    allowModel: async (name, host, by, images) =>
      by.trim() === ''
        ? change(name, { consent: undefined, why: needsConsent(host || name) })
        : change(name, {
            consent: { host, sends: images ? ['text', 'images'] : ['text'], by, at: '2026-01-02T09:00:00Z' },
            why: images ? '' : needsConsent(host),
          }),
    conditionList: async () => ({
      names: conditionNames,
      sets: conditionSets,
      fills: ['remove', 'tissue', 'blur', 'mean', 'black'],
    }),
    checkConditions: async (asked) => checked(asked),
    anyCases: async () => {
      must();
      return o.ids().map((id): AnyCase => {
        const c = o.caseOf(id);
        const questions = c?.questions.length ?? 0;
        return {
          id,
          patient: c?.patient ?? '',
          modality: c?.images[0]?.modality ?? '',
          images: 1,
          questions,
          stages: questions ? stages.map((s) => s.name) : [],
        };
      });
    },
    estimateRun: async (asked) => {
      must();
      const ids = asked.cases.length > 0 ? asked.cases : o.ids();
      const chains = ids.length * asked.conditions.length * asked.models.length;
      return {
        chains,
        requests: chains * 4,
        images: chains * 4 * 40,
        bytes: chains * 4 * 40 * 87_381,
        seconds: chains * 0.02,
        added:
          asked.conditions.some((c) => c.includes('given:occ')) && !asked.conditions.includes('occ') ? ['occ'] : [],
        unpaced: asked.models.filter((m) => m === 'qwen-local'),
      };
    },
    startRun: async (asked) => begin(asked),
    runNow: async () => {
      must();
      goOn();
      return now;
    },
    pauseRun: async (paused) => {
      now = { ...now, status: { ...now.status, paused } };
      return now;
    },
    cancelRun: async () => {
      const run = runs.find((r) => r.run === now.status.run);
      if (run) run.running = false;
      now = { ...now, running: false, status: { ...now.status, paused: false } };
      return now;
    },
    pastRuns: async () => {
      must();
      return runs.map((r) => ({ ...r }));
    },
    arms: async () => {
      must();
      return ['oracle-pixels', 'text-only'].flatMap((model) =>
        ['original', 'noop', 'none', 'occ', 'ctl', 'none+suggest-right', ...(corrected.size ? ['expert'] : [])].map(
          (condition) => ({
            model,
            condition,
            chains: o.ids().length,
          }),
        ),
      );
    },
    pairsOf: async (name) => {
      must();
      const fields = differences(name.before, name.after);
      if (fields.length > 1) {
        const unfair = `${name.before} and ${name.after} differ in ${fields.join(', ')}; a comparison changes 1`;
        return { differs: fields, unfair, pairs: [] };
      }
      const pairs = o
        .ids()
        .filter((id) => (o.caseOf(id)?.questions.length ?? 0) > 0)
        .map((id, i): Pair => {
          const before = `${id}/${name.model}/${name.before}`;
          const after = `${id}/${name.model}/${name.after}`;
          const moved = name.model === 'oracle-pixels' && ['occ', 'none'].includes(name.after) ? (i % 3) + 1 : 0;
          return { case: id, before, after, changed: moved, of: 4 };
        });
      return { differs: fields, unfair: '', pairs };
    },
    compareChains: async (id, before, after) => {
      must();
      return comparison(o.caseOf(id), before, after, o.hidden ?? false, corrected);
    },
    continueFrom: async (asked) => {
      must();
      const of = asked.chain;
      const after = `${of}>expert${corrected.size + 1}`;
      corrected.set(after, { order: asked, of });
      return comparison(o.caseOf(asked.case), of, after, false, corrected);
    },
    frameAsURL: (id, image, n, chain, question) =>
      `/frames/${encodeURIComponent(id)}/${encodeURIComponent(image)}/${n}?as=${encodeURIComponent(chain)}&question=${encodeURIComponent(question)}`,
  };
};

const pastRun = (run: string, ids: string[], done: boolean): PastRun => ({
  run,
  begun: '2026-01-02T08:30:00Z',
  seed: 1,
  models: ['oracle-pixels', 'text-only'],
  conditions: ['original', 'noop', 'occ', 'ctl'],
  cases: ids.length,
  only: [],
  corrected: 0,
  batches: 0,
  chains: 61,
  done,
  running: false,
  status: undefined,
});
