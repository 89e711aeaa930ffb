// The real desk, by the bound methods and events of Wails.
import * as App from '../wailsjs/go/app/App';
import type { desk, review } from '../wailsjs/go/models';
import { ClipboardSetText, EventsOn, OnFileDrop, OnFileDropOff } from '../wailsjs/runtime/runtime';
import type { Backend, Progress } from './client';
import { loadLayer } from './layerFrame';
import { wailsExperiment } from './wailsExperiment';

const part = encodeURIComponent;

/** wailsBackend is the desk behind the window. Nouns go over as plain objects; the generated classes are only their types. */
export const wailsBackend = (): Backend => ({
  start: App.Start,
  mark: App.Mark,
  state: App.State,
  acceptNotice: App.AcceptNotice,
  openSample: App.OpenSample,
  openWorkspace: App.OpenWorkspace,
  chooseFolder: App.ChooseFolder,
  import: App.Import,
  archive: App.Archive,
  findStudies: (ask, wanted) => App.FindStudies(ask as desk.ArchiveAsk, wanted),
  changes: App.Changes,
  fetchStudies: (ask, studies) => App.FetchStudies(ask as desk.ArchiveAsk, studies),
  cancel: App.Cancel,
  problems: App.Problems,
  cases: App.Cases,
  openCase: App.OpenCase,
  look: (assignment, look) => App.Look(assignment, look as review.Look),
  rate: (assignment, chain, rating, reason) => App.Rate(assignment, chain, rating as review.Rating, reason),
  rateChain: (assignment, chain, rating, reason) =>
    App.RateChain(assignment, chain, rating as review.ChainRating, reason),
  ownAnswer: (assignment, chain, own, reason) => App.OwnAnswer(assignment, chain, own as review.OwnAnswer, reason),
  checkDisplay: App.CheckDisplay,
  retryTraining: App.RetryTraining,
  seen: (assignment, chain, seen) => App.Seen(assignment, chain, seen as review.Seen),
  sign: App.Sign,
  setReader: App.SetReader,
  report: App.Report,
  saveReport: App.SaveReport,
  exportFormats: App.ExportFormats,
  chooseList: App.ChooseList,
  poolSites: App.PoolSites,
  exportAs: (order) => App.Export(order as desk.ExportOrder),
  reportOf: App.ReportOf,
  compareReport: App.CompareReport,
  behindReport: App.BehindReport,
  saveFigure: App.SaveFigure,
  preferences: App.Preferences,
  setPreferences: App.SetPreferences,
  copy: async (text) => {
    if (!(await ClipboardSetText(text))) throw new Error('the clipboard took nothing');
  },
  about: App.About,
  rubric: App.Rubric,
  rules: App.Rules,
  checkProtocol: App.CheckProtocol,
  setProtocol: App.SetProtocol,
  checkRubric: App.CheckRubric,
  addRubric: App.AddRubric,
  assign: App.Assign,
  progress: App.Progress,
  agreement: App.Agreement,
  loadText: App.LoadText,
  saveText: App.SaveText,
  disagreements: App.Disagreements,
  openDisagreement: App.OpenDisagreement,
  decide: (id, value, reason) => App.Decide(id, value as review.FinalValue, reason),
  adoptUnanimous: App.AdoptUnanimous,
  overturns: App.Overturns,
  packages: App.Packages,
  choosePackage: App.ChoosePackage,
  makeWork: App.MakeWork,
  handBack: App.HandBack,
  openWork: App.OpenWork,
  merge: App.Merge,
  ...wailsExperiment,
  overlays: App.Overlays,
  overlayFrame: (id, layer, n, signal) => loadLayer(`/overlays/${part(id)}/${part(layer)}/${n}`, signal),
  frameURL: (id, image, n) => `/frames/${part(id)}/${part(image)}/${n}`,
  thumbURL: (id, image, n) => `/thumbs/${part(id)}/${part(image)}/${n}`,
  onProgress: (listener) => {
    let last = -1;
    return EventsOn('progress', (p: Progress) => {
      if (p.seq <= last) return; // events may arrive out of order
      last = p.seq;
      listener(p);
    });
  },
  onDrop: (listener) => {
    OnFileDrop((_x, _y, paths) => listener(paths), false);
    return OnFileDropOff;
  },
});
