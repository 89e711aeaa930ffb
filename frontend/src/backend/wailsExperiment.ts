// Experiments on the real desk.
import * as App from '../wailsjs/go/app/App';
import type { desk } from '../wailsjs/go/models';
import type { BatchActs, ExperimentActs, QueueActs } from './experimentActs';

const part = encodeURIComponent;

export const wailsExperiment: ExperimentActs & BatchActs & QueueActs = {
  models: App.Models,
  saveModel: App.SaveModel,
  removeModel: App.RemoveModel,
  probeModel: App.ProbeModel,
  keepModelKey: App.KeepModelKey,
  allowModel: App.AllowModel,
  conditionList: App.ConditionList,
  checkConditions: App.CheckConditions,
  anyCases: App.AnyCases,
  estimateRun: (order) => App.EstimateRun(order as desk.RunOrder),
  startRun: (order) => App.StartRun(order as desk.RunOrder),
  runNow: App.RunNow,
  pauseRun: App.PauseRun,
  cancelRun: App.CancelRun,
  pastRuns: App.PastRuns,
  arms: App.Arms,
  pairsOf: (name) => App.PairsOf(name as desk.PairName),
  compareChains: App.CompareChains,
  continueFrom: (order) => App.ContinueFrom(order as desk.ContinueOrder),
  estimateBatch: (order) => App.EstimateBatch(order as desk.BatchOrder),
  writeBatch: (order) => App.WriteBatch(order as desk.BatchOrder),
  batches: App.Batches,
  lookIntoBatch: App.LookIntoBatch,
  chooseResults: App.ChooseResults,
  readBatch: App.ReadBatch,
  queue: App.Queue,
  routeCase: App.RouteCase,
  emphasise: (order) => App.Emphasise(order as desk.EmphasisOrder),
  frameAsURL: (id, image, n, chain, question) =>
    `/frames/${part(id)}/${part(image)}/${n}?as=${part(chain)}&question=${part(question)}`,
};
