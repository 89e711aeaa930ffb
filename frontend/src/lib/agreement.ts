// Agreement as people read it and take it elsewhere.
import { share, stageLabel } from './format';
import type { Agreement } from './nouns';
import { t } from './texts';

const rowNames: Record<string, string> = t.rows;
const optionNames: Record<string, Record<string, string>> = t.options;

/** dimensionLabel names what was compared: a row of the rubric, one of its choices, or what was said before any chain. */
export const dimensionLabel = (dimension: string): string => {
  const own = t.agreement.own[dimension];
  if (own) return own;
  const [field = '', option] = dimension.split('.');
  const name = rowNames[field] ?? field;
  return option === undefined ? name : `${name}: ${optionNames[field]?.[option] ?? option}`;
};

/** headlineOf gives the number that a row is known by: alpha on its scale, or IoU of regions. */
export const headlineOf = (a: Agreement): number | null => a.alpha ?? a.iou ?? null;

/** intervalText writes the interval of the headline, or '' where there is none. */
export const intervalText = (a: Agreement): string =>
  a.interval.length === 2 ? `${share(a.interval[0])} – ${share(a.interval[1])}` : '';

/** twoWayText writes what holds beyond these readers and cases. */
export const twoWayText = (w: NonNullable<Agreement['two_way']>): string =>
  typeof w.icc === 'number'
    ? t.agreement.twoWay(
        w.readers,
        w.clusters,
        share(w.mean),
        share(w.se),
        share(w.icc),
        [w.var_reader, w.var_case, w.var_error].map(share),
      )
    : t.agreement.twoWayNone(w.reason);

/** stagesOf lists the stages at which something was compared, in order. */
export const stagesOf = (rows: readonly Agreement[]): { k: number; label: string }[] => {
  const found = new Map<number, string>();
  for (const a of rows) if (a.k > 0) found.set(a.k, stageLabel(a.k, a.stage));
  return [...found].sort(([a], [b]) => a - b).map(([k, label]) => ({ k, label }));
};

/** comparedAt keeps the rows between readers at a stage (0: all stages together) on which somebody said anything. */
export const comparedAt = (rows: readonly Agreement[], k: number): Agreement[] =>
  rows.filter((a) => a.reader === '' && a.k === k && a.n_ratings > 0);

/** withinReaders keeps the rows that compare a reader with themself. */
export const withinReaders = (rows: readonly Agreement[]): Agreement[] => rows.filter((a) => a.reader !== '');

const columns = [
  'dimension',
  'stage',
  'reader',
  'scale',
  'n_items',
  'n_paired',
  'n_readers',
  'n_ratings',
  'clusters',
  'left_out',
  'percent',
  'alpha',
  'alpha_nominal',
  'alpha_ordinal',
  'alpha_interval',
  'kappa',
  'kappa_linear',
  'kappa_quadratic',
  'fleiss',
  'ac1',
  'iou',
] as const;

// A spreadsheet runs what begins like a formula, and stage names come from other people's files.
const textCell = (s: string) => `"${s.replace(/^([=+\-@\t\r])/, "'$1").replaceAll('"', '""')}"`;
const cell = (v: string | number | null | undefined) =>
  typeof v === 'number' ? String(v) : v === null || v === undefined || v === '' ? '' : textCell(v);

/** agreementCSV writes rows as CSV: numbers with a point, nothing where a number cannot be estimated. */
export const agreementCSV = (rows: readonly Agreement[]): string =>
  [
    [...columns, 'interval_low', 'interval_high', 'method', 'resamples', 'seed', 'reason'].join(','),
    ...rows.map((a) =>
      [...columns.map((c) => a[c]), a.interval[0], a.interval[1], a.method, a.resamples, a.seed, a.reason]
        .map(cell)
        .join(','),
    ),
  ]
    .map((line) => `${line}\r\n`)
    .join('');
