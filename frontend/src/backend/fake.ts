// A small but honest desk in memory: it hides what a reader may not see yet, locks looks, refuses an incomplete sign.
import type { CaseRow, CaseView, ChainView, Changes, Missing, Problem, Saved, State } from '../lib/nouns';
import type { Backend, Progress, Trouble } from './client';
import { fakeAdjudication } from './fakeAdjudication';
import { fakeArchive } from './fakeArchive';
import { fakeBatches } from './fakeBatches';
import { fakeExperiment } from './fakeExperiment';
import { fakeExport } from './fakeExport';
import { fakeOverlays } from './fakeOverlays';
import { fakePackages } from './fakePackages';
import { fakeQueue } from './fakeQueue';
import { chainView, missingIn, type Reading } from './fakeReading';
import { fakeReporting } from './fakeReport';
import { fakeRubric } from './fakeRubric';
import { caseAt, chainsOf, stacksOf, stages } from './fakeStudy';
import { fakeStudying } from './fakeStudying';
import { fakeTraining } from './fakeTraining';

/** Options of the fake desk: how many cases, whether the sample is open at once, how long an act takes. */
export interface FakeOptions {
  cases?: number;
  /** problems is how long the list of problems is; 3 by default. */
  problems?: number;
  open?: boolean;
  /** images is how many each case has; 1 by default. */
  images?: number;
  role?: string;
  /** changed is how many files changed on the disk since they were opened; none by default. */
  changed?: number;
  /** overlays: files draw over the images, and may be seen. */
  overlays?: boolean;
  /** training is how many cases are for training; none by default. */
  training?: number;
  /** left: a run was left unfinished; hidden: the protocol hides which arm is which. */
  left?: boolean;
  hidden?: boolean;
  /** fail is asked before every act of a reader; what it gives, the act rejects with. */
  fail?: (act: string) => Trouble | undefined;
  /** importing is told each progress of an import; the default ends at once. */
  pause?: (ms: number) => Promise<void>;
}

const refuse = (op: string, text: string): Trouble => ({ kind: 'refused', op, of: '', text });

/** fakeBackend makes a desk that lives as long as the page. */
export const fakeBackend = (options: FakeOptions = {}): Backend => {
  const total = options.cases ?? 24;
  const problems = Array.from({ length: options.problems ?? 3 }, (_, i) => ({
    ...(fakeProblems[i % 3] as Problem),
    ...(i < 3 ? {} : { line: i + 1 }),
  }));
  const readings = new Map<string, Reading>();
  const listeners = new Set<(p: Progress) => void>();
  let open = options.open ?? false;
  let consent = false;
  let displayed = false;
  const training = fakeTraining(options.training ?? 0);
  let reader = 'R1';
  let cancelled = false;
  let preferences = '{}';
  let clock = 0;
  const ids = Array.from({ length: total }, (_, i) => caseAt(i, i === total - 1).id);
  const places = new Map(ids.map((id, i) => [id, i]));

  const caseOf = (id: string) => {
    const i = places.get(id);
    return i === undefined ? undefined : caseAt(i, i === total - 1);
  };
  const now = () => new Date(Date.UTC(2026, 0, 1, 14, 0, clock++)).toISOString();
  const readingOf = (id: string): Reading => {
    const key = `${reader}/${id}`;
    const found = readings.get(key) ?? {
      looks: [],
      ratings: new Map(),
      chains: new Map(),
      own: new Map(),
      signed: false,
      revisions: 0,
      at: '',
    };
    readings.set(key, found);
    return found;
  };
  const idOf = (assignment: string) => assignment.split('/')[1] ?? '';

  const chainViews = (id: string): ChainView[] => chainsOf(id).map((chain, i) => chainView(chain, i, readingOf(id)));

  const phaseOf = (id: string) => {
    const questions = caseOf(id)?.questions ?? [];
    const r = readingOf(id);
    if (r.signed) return 'signed';
    return r.looks.length < questions.length ? 'look' : 'judge';
  };

  const missingOf = (id: string): Missing[] => {
    const c = caseOf(id);
    const r = readingOf(id);
    if (!c || c.questions.length === 0) return [];
    const looks = c.questions
      .filter((q) => !r.looks.some((l) => l.question === q.id))
      .map((q) => ({ chain: '', part: q.id, field: 'answer', text: `your own answer: ${q.text}` }));
    return [...looks, ...chainsOf(id).flatMap((chain, i) => missingIn(chain, i, r))];
  };

  const requiredOf = (id: string) => {
    const c = caseOf(id);
    return c && c.questions.length > 0 ? c.questions.length + chainsOf(id).length * 7 : 0;
  };
  const doneOf = (id: string) => {
    const parts = new Set(missingOf(id).map((m) => `${m.chain}/${m.part}`));
    return requiredOf(id) - parts.size;
  };

  const saved = (id: string): Saved => {
    const r = readingOf(id);
    return {
      event: crypto.randomUUID(),
      at: r.at,
      revision: 1,
      phase: phaseOf(id),
      done: doneOf(id),
      required: requiredOf(id),
      missing: missingOf(id),
      signed: [...readings.values()].filter((x) => x.signed).length,
      chains: [],
    };
  };

  const act = async (name: string, assignment: string, reason: string | undefined, run: (r: Reading) => void) => {
    const fault = options.fail?.(name);
    if (fault) throw fault;
    const id = idOf(assignment);
    const r = readingOf(id);
    if (r.signed && reason === '') throw refuse(name, 'a change after signing needs a reason');
    run(r);
    if (r.signed && reason) r.revisions++;
    r.at = now();
    return saved(id);
  };

  const state = (): State => ({
    open,
    workspace: open ? '/home/reader/Plumbline/sample' : '',
    dataset: open ? '/home/reader/Plumbline/sample/data' : '',
    name: open ? 'Sample study' : '',
    synthetic: true,
    role: options.role ?? 'coordinator',
    adjudication: { adjudicator: 'decide', reader: '' }[options.role ?? ''] ?? 'list',
    reader,
    consent,
    display_checked: displayed,
    training: training.stands(ids.filter((id) => readings.get(`${reader}/${id}`)?.signed).length),
    cases: open ? total : 0,
    assigned: open ? total : 0,
    signed: [...readings.values()].filter((x) => x.signed).length,
    patients: Math.ceil(total / 2),
    images: total,
    clusters: Math.ceil(total / 2),
    chains: total * 2,
    problems: open ? problems.length : 0,
    resume: resume(),
    stages: stages.map((s) => s.name),
    package: options.role === 'reader',
    recent: ['/home/reader/Plumbline/sample', '/home/reader/Plumbline/chest-ct-2'],
    version: '0.1.0',
  });
  const resume = () => {
    const id = ids.find((x) => phaseOf(x) !== 'signed') ?? '';
    return { case: open ? id : '', phase: id ? phaseOf(id) : '', chain: '', step: '' };
  };

  const row = (id: string): CaseRow => {
    const c = caseOf(id);
    const r = readings.get(`${reader}/${id}`);
    return {
      id,
      assignment: `${reader}/${id}`,
      patient: c?.patient ?? '',
      modality: c?.images[0]?.modality ?? '',
      images: 1,
      questions: c?.questions.length ?? 0,
      chains: c?.questions.length ? 2 : 0,
      state: !r || (r.looks.length === 0 && !r.signed) ? 'new' : phaseOf(id),
      done: r ? doneOf(id) : 0,
      required: c?.questions.length ? c.questions.length + 14 : 0,
      problems: 0,
      stages: c?.questions.length ? stages.map((s) => s.name) : [],
      language: 'en',
      ...training.row(
        places.get(id) ?? 0,
        ids.slice(0, options.training ?? 0).every((x) => phaseOf(x) === 'signed'),
      ),
    };
  };

  const openCase = async (id: string): Promise<CaseView> => {
    const c = caseOf(id);
    if (!c) throw { kind: 'not_found', op: 'open case', of: id, text: `open case ${id}: no such case` };
    const r = readingOf(id);
    const at = places.get(id) ?? 0;
    const phase = phaseOf(id);
    return {
      case: c,
      assignment: `${reader}/${id}`,
      phase,
      rubric: fakeRubric,
      stages,
      stacks: stacksOf(options.images ?? 1),
      looks: [...r.looks],
      chains: phase === 'look' || c.questions.length === 0 ? [] : chainViews(id),
      done: doneOf(id),
      required: requiredOf(id),
      missing: missingOf(id),
      position: at + 1,
      total,
      next: ids[at + 1] ?? '',
      previous: ids[at - 1] ?? '',
      place: { case: id, phase, chain: '', step: '' },
      problems: [],
      saved_at: r.at,
      revisions: r.revisions,
      idle_limit_ms: 60_000,
      training: training.view(at, r.signed),
    };
  };

  let changes: Changes = { data: '/data/sample', all: options.changed ?? 0, named: [] };
  const imported = async (path: string, op: string) => {
    cancelled = false;
    for (let i = 1; i <= 20 && !cancelled; i++) {
      for (const l of listeners) l({ seq: i, op, done: i * 12, total: 240, of: `${path}/IM${i}.dcm` });
      await options.pause?.(120);
    }
    if (cancelled) throw { kind: 'cancelled', op: 'import', of: path, text: `import ${path}: cancelled` };
    open = true;
    changes = { ...changes, all: 0 };
    return {
      format: 'plumbline',
      name: 'Sample study',
      cases: total,
      chains: total * 2,
      patients: Math.ceil(total / 2),
      images: total,
      frames: total * 40,
      variants: 0,
      skipped: 1,
      clusters: Math.ceil(total / 2),
      cluster_key: 'patient',
      problems,
    };
  };

  const experiment = fakeExperiment({
    ids: () => ids,
    caseOf,
    leads: () => (options.role ?? 'coordinator') === 'coordinator',
    left: options.left,
    hidden: options.hidden,
  });

  return {
    start: async () => ({ state: state(), case: '' }),
    mark: async () => {},
    state: async () => state(),
    acceptNotice: async () => {
      consent = true;
      return state();
    },
    openSample: async () => {
      open = true;
      return state();
    },
    openWorkspace: async () => {
      open = true;
      return state();
    },
    chooseFolder: async () => '/home/reader/images',
    import: (path) => imported(path, 'index'),
    changes: async () => changes,
    ...fakeArchive((path) => imported(path, 'fetch')),
    cancel: async () => {
      cancelled = true;
    },
    problems: async () => problems,
    cases: async () => ids.map(row),
    openCase,
    look: async (assignment, look) => {
      const id = idOf(assignment);
      const before = phaseOf(id);
      const s = await act('look', assignment, undefined, (r) => {
        const next = caseOf(id)?.questions[r.looks.length];
        if (r.looks.some((l) => l.question === look.question)) throw refuse('look', 'this question is locked');
        if (next?.id !== look.question) throw refuse('look', 'the questions come in stage order');
        r.looks.push(look);
      });
      return before === 'look' && s.phase === 'judge' ? { ...s, chains: chainViews(id) } : s;
    },
    rate: (assignment, chain, rating, reason) =>
      act('rate', assignment, reason, (r) => r.ratings.set(`${chain}/${rating.step}`, rating)),
    rateChain: (assignment, chain, rating, reason) =>
      act('rateChain', assignment, reason, (r) => r.chains.set(chain, rating)),
    ownAnswer: (assignment, chain, own, reason) =>
      act('ownAnswer', assignment, reason, (r) => r.own.set(`${chain}/${own.step}`, own)),
    checkDisplay: async () => {
      displayed = true;
      return state();
    },
    retryTraining: async () => {
      throw refuse('try training again', 'the training is passed');
    },
    seen: async (assignment) => saved(idOf(assignment)),
    sign: (assignment) =>
      act('sign', assignment, undefined, (r) => {
        if (missingOf(idOf(assignment)).length > 0) throw refuse('sign', 'answers are missing');
        r.signed = true;
      }),
    setReader: async (code) => {
      reader = code;
      consent = false;
      return state();
    },
    ...fakeReporting(() => {
      if ((options.role ?? 'coordinator') !== 'coordinator') {
        throw refuse('report', 'report: refused for a reader seat: a report names models, which readers may not know');
      }
    }),
    ...fakeExport(refuse),
    saveReport: async (dir) => [`${dir}/report.html`, `${dir}/report.json`],
    preferences: async () => preferences,
    setPreferences: async (json) => {
      preferences = json;
    },
    copy: (text) => navigator.clipboard.writeText(text),
    about: async () => ({
      version: '0.1.0',
      commit: '0000000',
      notice: 'For research and education; not a medical device; not for diagnosis.',
      licences: [{ name: 'react', version: '19.3.1', licence: 'MIT' }],
    }),
    ...fakeStudying(() => (options.role ?? 'coordinator') === 'coordinator', total),
    ...fakePackages(),
    ...experiment,
    ...fakeBatches(total),
    ...fakeQueue(() => ids, caseOf, experiment.compareChains),
    ...fakeOverlays(options.overlays ?? false, (id) => {
      const chain = chainsOf(id)[0];
      const step = chain?.answers[0]?.steps[0];
      return chain && step && phaseOf(id) !== 'look' ? { chain: chain.id, step: step.id } : undefined;
    }),
    ...fakeAdjudication(() => options.role === 'adjudicator'),
    rubric: async () => fakeRubric,
    frameURL: (id, image, n) => `/frames/${encodeURIComponent(id)}/${encodeURIComponent(image)}/${n}`,
    thumbURL: (id, image, n) => `/thumbs/${encodeURIComponent(id)}/${encodeURIComponent(image)}/${n}`,
    onProgress: (l) => {
      listeners.add(l);
      return () => listeners.delete(l);
    },
    onDrop: () => () => {},
  };
};

const fakeProblems: Problem[] = [
  { file: 'cases.jsonl', line: 7, field: '', text: 'not valid JSON at byte 112: unexpected end' },
  { file: 'images/IM0042.dcm', line: 0, field: 'PixelData', text: 'cut short: 131072 bytes expected, 90112 found' },
  { file: 'chains/a.jsonl', line: 3, field: 'case', text: 'a chain for the unknown case C-99' },
];
