import { share } from '../../lib/format';
import type { Figure, ReportModel } from '../../lib/report';
import { t } from '../../lib/texts';
import type { Measured } from './charts';
import type { Row } from './Figure';
import type { Look } from './look';

/** Shown is one model that is on the screen. */
export interface Shown {
  model: ReportModel;
  look: Look;
  name: string;
}

/** figureHead is the head of a table of numbers. */
export const figureHead = () => [
  t.report.headModel,
  t.report.headWhat,
  t.report.headValue,
  t.report.headLow,
  t.report.headHigh,
  t.report.headN,
];

/** figureRow is one line of it. */
export const figureRow = (name: string, what: string, f: Figure): Row => ({
  cells: [
    name,
    what,
    typeof f.value === 'number' ? share(f.value) : t.report.notEstimable(f.reason ?? ''),
    share(f.interval?.[0]),
    share(f.interval?.[1]),
    f.n,
  ],
});

/** measuredOf names the numbers of each model. */
export const measuredOf = (models: Shown[], of: (m: ReportModel) => Record<string, Figure>): Measured[] =>
  models.map(({ model, look, name }) => ({ id: model.key, name, look, figures: of(model) }));

/** measuredRows writes them as a table. */
export const measuredRows = (list: Measured[]): Row[] =>
  list.flatMap((m) => Object.entries(m.figures).map(([what, f]) => figureRow(m.name, what, f)));

/** named gives numbers under their names for people. */
export const named = (of: Record<string, Figure>): Record<string, Figure> =>
  Object.fromEntries(Object.entries(of).map(([k, f]) => [t.report.measures[k] ?? k, f]));

/** withValue leaves the names of numbers of which some model has a value. */
export const withValue = (list: Measured[]): string[] =>
  [...new Set(list.flatMap((m) => Object.keys(m.figures)))].filter((name) =>
    list.some((m) => typeof m.figures[name]?.value === 'number'),
  );

/** reasonsOf says why numbers are none, each reason once. */
export const reasonsOf = (list: Measured[]): string =>
  [...new Set(list.flatMap((m) => Object.values(m.figures).flatMap((f) => f.reason ?? [])))].join('; ');

/** missingIn gives why a part has nothing for any model that is shown. */
export const missingIn = (
  models: Shown[],
  of: (m: ReportModel) => { estimable: boolean; reason?: string },
): string | undefined =>
  models.some(({ model }) => of(model).estimable)
    ? undefined
    : [...new Set(models.map(({ model }) => of(model).reason ?? ''))].filter(Boolean).join('; ') || t.report.noChains;
