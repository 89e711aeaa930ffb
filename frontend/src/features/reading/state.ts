// What the reading screen is doing. What was said lives in the backend and its cache, never here; only the draft of a look
// that is not committed yet does.
import { partsOf } from '../../chain/outline';
import type { CaseView, Look, Missing, Region } from '../../lib/nouns';
import type { Tool } from '../../viewer';

export type Shown = 'look' | 'judge' | 'sign';

/** Draft is a reader's own answer before it is committed. */
export type Draft = Omit<Look, 'question'>;

export interface ReadingState {
  shown: Shown;
  chain: string;
  part: string; // a step id, or "chain"
  row: string; // the row that digits answer
  tool: Tool;
  /** What the next drawn region belongs to: evidence, or the missed finding with this number. */
  drawFor: 'evidence' | number;
  modelRegions: boolean;
  lit: string; // id of a region pointed at
  correcting: string; // the reason of a correction, '' when none is going on
  contextOpen: boolean;
  /** The reader's own region that has handles and takes keys; '' for none. */
  chosen: string;
  /** Whether the reader is asked what they would have said in place of the open step. */
  own: boolean;
  drafts: Record<string, Draft>; // by question
  image: string;
  frame: number; // position in the stack of image
  /** Why that frame is not on the screen; '' when it is. */
  unshown: Unshown;
}

export type Unshown = '' | 'loading' | 'failed';

export type Move =
  | { do: 'show'; shown: Shown }
  | { do: 'part'; chain: string; part: string; row?: string }
  | { do: 'row'; row: string }
  | { do: 'tool'; tool: Tool; drawFor?: ReadingState['drawFor'] }
  | { do: 'model-regions' }
  | { do: 'light'; region: string }
  | { do: 'choose'; region: string }
  | { do: 'own'; open: boolean; row: string }
  | { do: 'correct'; reason: string }
  | { do: 'context' }
  | { do: 'draft'; question: string; draft: Draft }
  | { do: 'unshown'; unshown: Unshown }
  | { do: 'frame'; frame: number; image?: string };

export const emptyDraft: Draft = { answer: '', confidence: 0, evidence: [] };

/** firstPicture is the frame that a case is opened on: the middle of its first image, as a position in the stack. */
export const firstPicture = (view: CaseView): { image: string; frame: number } => {
  const stack = view.stacks[0];
  return stack
    ? { image: stack.image, frame: Math.max(0, Math.floor((stack.frames.length - 1) / 2)) }
    : { image: '', frame: 0 };
};

/** begin is the screen when a case is opened: where the reader left it, or at the first thing to do. */
export const begin = (view: CaseView, drafts: Record<string, Draft>): ReadingState => {
  const chain = view.chains.find((c) => c.id === view.place.chain) ?? view.chains[0];
  const parts = chain ? partsOf(chain) : [];
  return {
    shown: view.phase === 'look' ? 'look' : view.chains.length > 0 ? 'judge' : 'sign',
    chain: chain?.id ?? '',
    part: parts.includes(view.place.step) ? view.place.step : (parts[0] ?? ''),
    row: view.phase === 'look' ? 'answer' : 'support',
    tool: 'window',
    drawFor: 'evidence',
    modelRegions: true,
    lit: '',
    correcting: '',
    chosen: '',
    own: false,
    contextOpen: view.phase === 'look', // while judging, the room belongs to the steps
    drafts,
    ...firstPicture(view),
    unshown: '',
  };
};

export const reduce = (s: ReadingState, m: Move): ReadingState => {
  switch (m.do) {
    case 'show':
      return {
        ...s,
        shown: m.shown,
        row: m.shown === 'look' ? 'answer' : s.row === 'answer' ? 'support' : s.row,
        tool: 'window',
      };
    case 'part': {
      const same = s.chain === m.chain && s.part === m.part;
      const first = m.part === 'chain' ? 'answer' : 'support';
      return {
        ...s,
        shown: 'judge',
        contextOpen: s.shown === 'look' ? false : s.contextOpen,
        chain: m.chain,
        part: m.part,
        row: m.row ?? (same ? s.row : first),
        tool: 'window',
        lit: '',
        chosen: '',
        own: same && s.own,
      };
    }
    case 'row':
      return { ...s, row: m.row };
    case 'tool':
      return { ...s, tool: m.tool, drawFor: m.drawFor ?? 'evidence' };
    case 'model-regions':
      return { ...s, modelRegions: !s.modelRegions };
    case 'light':
      return s.lit === m.region ? s : { ...s, lit: m.region };
    case 'choose':
      return s.chosen === m.region ? s : { ...s, chosen: m.region };
    case 'own':
      return { ...s, own: m.open, row: m.row };
    case 'correct':
      return { ...s, correcting: m.reason };
    case 'context':
      return { ...s, contextOpen: !s.contextOpen };
    case 'draft':
      return { ...s, drafts: { ...s.drafts, [m.question]: m.draft } };
    case 'unshown':
      return s.unshown === m.unshown ? s : { ...s, unshown: m.unshown };
    case 'frame':
      return { ...s, frame: m.frame, image: m.image ?? s.image };
  }
};

/** openQuestion is the question to answer next: none when all are locked. */
export const openQuestion = (view: CaseView) =>
  view.phase === 'look' ? view.case.questions.find((q) => !view.looks.some((l) => l.question === q.id)) : undefined;

/** nothingAsked: images alone, to be looked at. */
export const nothingAsked = (view: CaseView): boolean => view.case.questions.length === 0 && view.chains.length === 0;

/** readOnly: what is signed changes only by a correction. */
export const readOnly = (view: CaseView, s: ReadingState): boolean => view.phase === 'signed' && s.correcting === '';

/** lookRegions lists the regions of every locked look, by the number each was given. */
export const lookRegions = (view: CaseView): { number: number; region: Region }[] =>
  view.looks.flatMap((l) => l.evidence).map((region, i) => ({ number: i + 1, region }));

/** named gives a drawn region an id that is free among the others. */
export const named = (region: Region, prefix: string, others: Region[]): Region => {
  const taken = new Set(others.map((r) => r.id));
  let n = others.length + 1;
  while (taken.has(`${prefix}-${n}`)) n++;
  return { ...region, id: `${prefix}-${n}` };
};

/** stretched gives a region that reaches to the frame with this number too; within it, its end comes back to there. */
export const stretched = (region: Region, frame: number): Region => {
  const { frame: only, from = only, to = only, ...rest } = region;
  if (from === undefined || to === undefined) return { ...rest, from: frame, to: frame };
  const [low, high] = frame < from ? [frame, to] : [from, frame];
  return low === high ? { ...rest, frame: low } : { ...rest, from: low, to: high };
};

/** stepNames gives the steps of a chain by their ids and numbers. */
export const stepNames = (steps: { step: { id: string }; number: number }[]) =>
  steps.map((s) => ({ id: s.step.id, number: s.number }));

/** sameFrames tells whether two regions lie on the same frames. */
export const sameFrames = (a: Region, b: Region): boolean => a.frame === b.frame && a.from === b.from && a.to === b.to;

/** neighbour gives what stands before or after a part in reading order, across chains; by is 1 or -1. */
export const neighbour = (view: CaseView, s: ReadingState, by: 1 | -1): { chain: string; part: string } | undefined => {
  const all = view.chains.flatMap((c) => partsOf(c).map((part) => ({ chain: c.id, part })));
  const at = all.findIndex((x) => x.chain === s.chain && x.part === s.part);
  return all[at + by];
};

/** placeOf tells where on the screen a missing answer is given. */
export const placeOf = (m: Missing): { shown: Shown; chain: string; part: string; row: string } =>
  m.chain === ''
    ? { shown: 'look', chain: '', part: m.part, row: 'answer' }
    : { shown: 'judge', chain: m.chain, part: m.part, row: m.field };
