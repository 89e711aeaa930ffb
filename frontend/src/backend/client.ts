// What the page asks of the desk. Only this folder knows how it gets there.
import type {
  About,
  Adjudicated,
  Agreement,
  Archive,
  ArchiveAsk,
  ArchiveSearch,
  CaseRow,
  CaseView,
  ChainRating,
  Changes,
  Checked,
  Decided,
  Disagreements,
  DisagreementView,
  Display,
  FinalValue,
  Found,
  Imported,
  Look,
  Merged,
  Opened,
  Overlays,
  OwnAnswer,
  Packages,
  Packed,
  Problem,
  Rating,
  Rubric,
  RubricName,
  Rules,
  Saved,
  Seen,
  Standing,
  Start,
  State,
  TextFile,
} from '../lib/nouns';
import type { Fact, Pair, Comparison as ReportComparison, ReportDocument, ReportFilter } from '../lib/report';
import type { BatchActs, ExperimentActs, QueueActs } from './experimentActs';
import type { ExportActs } from './exportActs';

/** Progress is one report of a long operation; total 0 means not known yet. */
export interface Progress {
  seq: number;
  op: string;
  done: number;
  total: number;
  of: string;
}

/** Trouble is a fault of the backend: the reason of every promise that rejects here. */
export interface Trouble {
  kind: string;
  op: string;
  of: string;
  text: string;
}

/** LayerFrame is what a layer draws over one frame: bytes 0–255, of a picture as sent three a pixel where it has colour, or the values of a heatmap. */
export interface LayerFrame {
  rows: number;
  columns: number;
  data: Uint8Array | Float32Array;
}

/** Backend is every act of the desk. Promises reject with a Trouble. */
export interface Backend extends ExperimentActs, BatchActs, QueueActs, ExportActs {
  /** start does what the command line asked for and says where to go first. */
  start(): Promise<Start>;
  /** mark notes that something came on the screen; measurements read it from the log. */
  mark(what: string): Promise<void>;
  state(): Promise<State>;
  acceptNotice(): Promise<State>;
  openSample(): Promise<State>;
  openWorkspace(dir: string): Promise<State>;
  chooseFolder(title: string): Promise<string>;
  import(path: string): Promise<Imported>;
  /** archive reads the address of a DICOMweb service; nobody is asked for it. */
  archive(address: string): Promise<Archive>;
  findStudies(ask: ArchiveAsk, wanted: ArchiveSearch): Promise<Found>;
  fetchStudies(ask: ArchiveAsk, studies: string[]): Promise<Imported>;
  /** changes looks whether the files of the open data changed since they were opened. */
  changes(): Promise<Changes>;
  cancel(): Promise<void>;
  problems(): Promise<Problem[]>;
  cases(): Promise<CaseRow[]>;
  openCase(id: string): Promise<CaseView>;
  look(assignment: string, look: Look): Promise<Saved>;
  rate(assignment: string, chain: string, rating: Rating, reason: string): Promise<Saved>;
  rateChain(assignment: string, chain: string, rating: ChainRating, reason: string): Promise<Saved>;
  /** ownAnswer saves a correction: what the reader would have said in place of a step. */
  ownAnswer(assignment: string, chain: string, own: OwnAnswer, reason: string): Promise<Saved>;
  seen(assignment: string, chain: string, seen: Seen): Promise<Saved>;
  sign(assignment: string): Promise<Saved>;
  checkDisplay(display: Display): Promise<State>;
  retryTraining(): Promise<State>;
  setReader(code: string): Promise<State>;
  report(): Promise<ReportDocument>;
  saveReport(dir: string, filter: ReportFilter): Promise<string[]>;
  reportOf(filter: ReportFilter): Promise<ReportDocument>;
  compareReport(filter: ReportFilter, pair: Pair): Promise<ReportComparison[]>;
  /** behindReport lists what stands behind the bars of a model, by its key. */
  behindReport(filter: ReportFilter, key: string): Promise<Fact[]>;
  /** saveFigure asks for a name and writes text, or a picture in base64 where the name ends with .png; '' when none was named. */
  saveFigure(title: string, name: string, content: string): Promise<string>;
  preferences(): Promise<string>;
  setPreferences(json: string): Promise<void>;
  /** copy puts text on the clipboard. */
  copy(text: string): Promise<void>;
  about(): Promise<About>;
  rubric(): Promise<Rubric>;
  rules(): Promise<Rules>;
  checkProtocol(text: string): Promise<Checked>;
  setProtocol(text: string): Promise<Rules>;
  checkRubric(text: string): Promise<Checked>;
  addRubric(text: string): Promise<RubricName>;
  assign(): Promise<Standing>;
  progress(): Promise<Standing>;
  agreement(): Promise<Agreement[]>;
  /** loadText asks for a JSON file by the system's dialog; without a name none was chosen. */
  loadText(title: string): Promise<TextFile>;
  /** saveText asks for a name by the system's dialog and writes; '' when none was named. */
  saveText(title: string, name: string, text: string): Promise<string>;
  disagreements(): Promise<Disagreements>;
  openDisagreement(id: string): Promise<DisagreementView>;
  decide(id: string, value: FinalValue, reason: string): Promise<Decided>;
  adoptUnanimous(): Promise<number>;
  overturns(): Promise<Adjudicated>;
  packages(): Promise<Packages>;
  /** choosePackage asks for a package by the system's dialog; '' when none was chosen. */
  choosePackage(title: string): Promise<string>;
  /** makeWork and handBack ask for a name by the system's dialog; a result without a path says that none was given. */
  makeWork(title: string, reader: string, passphrase: string, recipient: string): Promise<Packed>;
  handBack(title: string, passphrase: string): Promise<Packed>;
  openWork(path: string, passphrase: string): Promise<Opened>;
  merge(path: string, passphrase: string, trust: string): Promise<Merged>;
  /** frameURL is where the raw samples of a frame lie; n counts from 0. */
  frameURL(caseID: string, image: string, n: number): string;
  thumbURL(caseID: string, image: string, n: number): string;
  /** overlays lists what may be laid over the images of a case now; overlayFrame gives what one layer draws over a frame. */
  overlays(caseID: string): Promise<Overlays>;
  overlayFrame(caseID: string, layer: string, n: number, signal: AbortSignal): Promise<LayerFrame>;
  /** onProgress hears long operations; it gives the way to stop listening. */
  onProgress(listener: (p: Progress) => void): () => void;
  /** onDrop hears folders and files dropped on the window, by their paths. */
  onDrop(listener: (paths: string[]) => void): () => void;
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null;
const text = (v: unknown) => (typeof v === 'string' ? v : '');

/** troubleOf reads the reason of a rejected promise, whatever it is. */
export const troubleOf = (reason: unknown): Trouble => {
  const none = { kind: 'internal', op: '', of: '' };
  if (typeof reason === 'string') {
    try {
      const parsed: unknown = JSON.parse(reason);
      if (isObject(parsed)) return troubleOf(parsed);
    } catch {
      return { ...none, text: reason };
    }
    return { ...none, text: reason };
  }
  if (reason instanceof Error) return troubleOf(reason.message);
  if (!isObject(reason)) return { ...none, text: '' };
  return { kind: text(reason.kind) || 'internal', op: text(reason.op), of: text(reason.of), text: text(reason.text) };
};

// A fault of these kinds may pass by itself; any other one stays until somebody decides.
const passing = ['busy', 'io', 'internal', 'cancelled'];

/** passes tells whether trying again by itself can help. */
export const passes = (trouble: Trouble): boolean => passing.includes(trouble.kind);
