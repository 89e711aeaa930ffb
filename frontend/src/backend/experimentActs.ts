// What the page asks of the desk for experiments: models, runs, and chains beside each other. The coordinator's.
import type {
  AnyCase,
  ArmName,
  CheckedCondition,
  Comparison,
  ConditionList,
  ContinueOrder,
  Estimate,
  Models,
  PairName,
  Pairs,
  PastRun,
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
