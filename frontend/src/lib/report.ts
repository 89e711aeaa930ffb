// The report as it comes from the backend.

/** Figure is one number of the report with what it rests on. */
export interface Figure {
  value: number | null;
  n: number;
  patients: number;
  images: number;
  variants: number;
  clusters: number;
  deff: number | null;
  n_eff: number | null;
  interval: number[] | null;
  estimable: boolean;
  reason?: string;
  few_clusters?: boolean;
}
export interface ReportDocument {
  models: unknown[];
}
