// What the page asks of the desk for experiments: models, runs, and chains beside each other. The coordinator's.
import type {
  AnyCase,
  ArmName,
  BatchEstimate,
  BatchFolder,
  BatchOrder,
  BatchTaken,
  BatchWritten,
  CheckedCondition,
  Comparison,
  ConditionList,
  ContinueOrder,
  EmphasisOrder,
  Estimate,
  KeptBatch,
  ModelRoute,
  Models,
  PairName,
  Pairs,
  PastRun,
  Queue,
  RunNow,
  RunOrder,
} from '../lib/nouns';

/** ExperimentActs are the acts of the Experiment and Compare screens. */
export interface ExperimentActs {
  models(): Promise<Models>;
  /** saveModel keeps a profile, given as JSON. */
  saveModel(profile: string): Promise<Models>;
  removeModel(name: string): Promise<Models>;
  probeModel(name: string): Promise<Models>;
  /** keepModelKey puts a key into the system's keyring; '' takes it out. */
  keepModelKey(name: string, secret: string): Promise<Models>;
  /** allowModel writes down a consent; without a name one is taken back. */
  allowModel(name: string, host: string, by: string, images: boolean): Promise<Models>;
  conditionList(): Promise<ConditionList>;
  checkConditions(conditions: string[]): Promise<CheckedCondition[]>;
  anyCases(): Promise<AnyCase[]>;
  estimateRun(order: RunOrder): Promise<Estimate>;
  startRun(order: RunOrder): Promise<RunNow>;
  runNow(): Promise<RunNow>;
  pauseRun(paused: boolean): Promise<RunNow>;
  cancelRun(): Promise<RunNow>;
  pastRuns(): Promise<PastRun[]>;
  arms(): Promise<ArmName[]>;
  pairsOf(name: PairName): Promise<Pairs>;
  compareChains(caseID: string, before: string, after: string): Promise<Comparison>;
  continueFrom(order: ContinueOrder): Promise<Comparison>;
  /** frameAsURL is where the samples of a frame lie as a chain was asked a question with it; n counts from 0 in the order sent. */
  frameAsURL(caseID: string, image: string, n: number, chain: string, question: string): string;
}

/** BatchActs send a run out as files for a batch server, and take the results in. */
export interface BatchActs {
  estimateBatch(order: BatchOrder): Promise<BatchEstimate>;
  /** writeBatch writes into a folder of its own within order.dir. */
  writeBatch(order: BatchOrder): Promise<BatchWritten>;
  batches(): Promise<KeptBatch[]>;
  lookIntoBatch(dir: string): Promise<BatchFolder>;
  /** chooseResults asks for files by the system's dialog; none when nobody chose any. */
  chooseResults(title: string): Promise<string[]>;
  readBatch(dir: string, results: string[]): Promise<BatchTaken>;
}

/** QueueActs are about cases of which models are unsure. */
export interface QueueActs {
  queue(): Promise<Queue>;
  routeCase(caseID: string): Promise<ModelRoute>;
  /** emphasise has a model look again at what a reader points to. */
  emphasise(order: EmphasisOrder): Promise<Comparison>;
}
