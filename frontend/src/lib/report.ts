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

export interface Count {
  label: string;
  n: number;
}

/** ReportModel is one model under one condition. */
export interface ReportModel {
  model: string;
  condition: string;
  chains: number;
  accuracy: {
    stages: StageFigure[];
    chain: Figure;
    prefix: StageFigure[];
    final_right_wrong_chain: Figure;
  };
  grounding_human: {
    strict: Figure;
    lenient: Figure;
    stages: { k: number; name: string; strict: Figure; lenient: Figure }[];
    rwr_human: Figure;
    ratings: number;
    steps: number;
    of: number;
    readers: number;
  };
  labels: { support: Count[]; error: Count[]; step_ratings: number; chain_ratings: number };
  grounding_causal: { estimable: boolean; reason?: string };
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
  models: ReportModel[];
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
