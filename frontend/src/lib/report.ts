// The report as the desk computes it: report.json (cli.md). What is missing is null, with a reason.
import type { Agreement } from './nouns';

/** Figure is one number with what it rests on. interval is [low, high] of 95 %. */
export interface Figure {
  value?: number | null;
  n: number;
  patients: number;
  images: number;
  variants: number;
  clusters: number;
  deff?: number | null;
  n_eff?: number | null;
  interval?: number[] | null;
  method?: string;
  estimable: boolean;
  reason?: string;
}

export type StageFigure = Figure & { k: number; name: string };

export type NamedFigure = Figure & { name: string };

export interface Count {
  label: string;
  n: number;
}

/** Panel begins a part of the report: whether there is anything to say, and if not, what is missing. */
export interface Panel {
  estimable: boolean;
  reason?: string;
}

/** Cross counts two yes/no properties: n[row yes, row no][column yes, column no]. */
export interface Cross {
  rows: string;
  columns: string;
  n: number[][];
  kappa?: number | null;
  reason?: string;
}

export interface Grounding {
  strict: Figure;
  lenient: Figure;
  stages: { k: number; name: string; strict: Figure; lenient: Figure }[];
  rwr_human: Figure;
  ratings: number;
  steps: number;
  of: number;
  readers: number;
}

/** Test is a paired difference with its p. */
export type Test = Figure & { p?: number | null; p_holm?: number | null; mcnemar_exact?: number | null };

export type Comparison = Test & { a: string; b: string; what: string };

export interface Effects {
  te: Figure;
  nde: Figure;
  nie: Figure;
  pnie: Figure;
  tnde: Figure;
  int: Figure;
}

export interface Cue {
  cue: string;
  condition: string;
  follow: Figure;
  harm: Figure;
  help: Figure;
  flip: Figure;
  correction: Figure;
  acknowledged: Figure;
}

/** ReportModel is one model of one run. */
export interface ReportModel {
  key: string;
  model: string;
  run: string;
  condition: string;
  chains: number;
  accuracy: {
    stages: StageFigure[];
    chain: Figure;
    prefix: StageFigure[];
    first_error: StageFigure[];
    final_right_wrong_chain: Figure;
  };
  grounding_human: Grounding;
  grounding_final: Grounding;
  labels: { support: Count[]; error: Count[]; step_ratings: number; chain_ratings: number };
  conditions: { condition: string; changes: string[]; chain: Figure; difference: Test }[];
  origin: Panel & {
    counts: Count[];
    stages: { k: number; name: string; counts: Count[] }[];
    inherited: Figure;
    gold_gain: Figure;
    corrupt_follow: Figure;
    resistance: Figure;
    recovery: Figure;
  };
  grounding_causal: Panel & {
    share: Figure;
    stages: StageFigure[];
    counts: Count[];
    rwr_causal: Figure;
    right_grounded: Cross;
    right_human: Cross;
    human: Cross;
  };
  image_reliance: Panel & {
    testable: { n: number; of: number; not: Count[] };
    noise: Figure;
    net_necessity: Figure;
    net_necessity_total: Figure;
    carried: Figure;
    net_sufficiency: Figure;
    blank_rate: Figure;
    image_gain: Figure;
    swap_follow: Figure;
    mirror_follow: Figure;
    insert_follow: Figure;
    by_stage: { k: number; name: string; net_necessity: Figure; net_necessity_total: Figure }[];
    by_fill: { fill: string; net_necessity: Figure }[];
  };
  mediation: Panel &
    Effects & { classes: Count[]; stages: ({ k: number; name: string; classes: Count[] } & Effects)[] };
  cues: Panel & { rows: Cue[]; guess: Figure };
  consistency: Panel & {
    quadrants: Count[];
    dangerous: Figure;
    levels: { level: string; language: string; groups: number; all_same: Figure; set_accuracy: Figure }[];
  };
  text: Panel & {
    early: StageFigure[];
    aoc: Figure;
    flips: NamedFigure[];
    length: Figure;
    confident: { condition: string; length: Figure; ended: Figure; accuracy: Figure }[];
  };
  context: Panel & {
    rows: { condition: string; sensitivity: Figure; directionality: Figure; violations: Figure }[];
    monotonicity: NamedFigure[];
  };
  localisation: Panel & {
    iou: Figure;
    miou: Figure;
    acc_half: Figure;
    pointing: Figure;
    precision: Figure;
    entailed: Figure;
    wrong_side: Figure;
    frames: Figure;
    cited: number;
    of: number;
  };
  calibration: Panel & {
    brier: Figure;
    ece: Figure;
    auroc: Figure;
    aurc: Figure;
    defer: Figure;
    bins: { low: number; high: number; n: number; confidence?: number | null; accuracy?: number | null }[];
    curve: { coverage: number; risk: number }[];
  };
}

/** ReportFilter says what a report is about; an empty list lets everything in. */
export interface ReportFilter {
  stages: number[];
  categories: string[];
  modalities: string[];
  languages: string[];
  models: string[];
  conditions: string[];
  readers: string[];
}

/** everything is the filter that leaves nothing out. */
export const everything: ReportFilter = {
  stages: [],
  categories: [],
  modalities: [],
  languages: [],
  models: [],
  conditions: [],
  readers: [],
};

/** Pair names what to compare: two models by key, or two conditions of one. */
export interface Pair {
  a: string;
  b: string;
  condition_a: string;
  condition_b: string;
}

/** Fact is all that a report counts of one question of one case. */
export interface Fact {
  case: string;
  question: string;
  k: number;
  stage: string;
  category: string;
  text: string;
  gold: string;
  own: string;
  noop: string;
  occ: string;
  ctl: string;
  none: string;
  answer: string;
  first_error: boolean;
  origin: string;
  grounded: string;
  readers: string;
  mediation: string;
  quadrant: string;
  cues: string[];
  support: string[];
  confidence?: number | null;
}

export interface ReportReader {
  reader: string;
  assigned: number;
  signed: number;
  looks: number;
  ratings: number;
  chain_ratings: number;
  revisions: number;
  look_accuracy: Figure;
  support: Count[];
}

/** ReportDocument is the whole report. */
export interface ReportDocument {
  name: string;
  at: string;
  synthetic: boolean;
  seed: number;
  resamples: number;
  filter: ReportFilter;
  choices: ReportFilter;
  models: ReportModel[];
  comparisons: Comparison[];
  agreement: Agreement[];
  readers: ReportReader[];
  data: {
    cases: number;
    patients: number;
    images: number;
    variants: number;
    clusters: number;
    signed: number;
    unsigned: number;
  };
  notes: string[];
  methods: string[];
}
