// What is being set up: an order for a run, as far as it was chosen.
import type { CheckedCondition, ModelRow, PastRun, RunOrder } from '../../lib/nouns';
import { t } from '../../lib/texts';

export interface Draft {
  models: string[];
  conditions: string[];
  /** Cases, where not all of them are taken. */
  cases: string[] | undefined;
  seed: number;
  concurrency: number;
  budget: number;
}

export const emptyDraft = (): Draft => ({
  models: [],
  conditions: [],
  cases: undefined,
  seed: 1,
  concurrency: 0,
  budget: 0,
});

/** draftOf sets up again what a run did, with the next seed. */
export const draftOf = (run: PastRun): Draft => ({
  ...emptyDraft(),
  models: [...run.models],
  conditions: [...run.conditions],
  cases: run.only.length > 0 ? [...run.only] : undefined,
  seed: run.seed + 1,
});

export const orderOf = (d: Draft): RunOrder => ({
  models: d.models,
  conditions: d.conditions,
  cases: d.cases ?? [],
  seed: d.seed,
  concurrency: d.concurrency,
  budget: d.budget,
  resume: false,
  run: '',
});

/** toggled puts a name into a list, or takes it out. */
export const toggled = (list: readonly string[], name: string): string[] =>
  list.includes(name) ? list.filter((v) => v !== name) : [...list, name];

/** joined adds names that are not there yet. */
export const joined = (list: readonly string[], names: readonly string[]): string[] => [
  ...list,
  ...names.filter((v, i) => !list.includes(v) && names.indexOf(v) === i),
];

const x = t.experiment;

/** whyNot says in words what an order still lacks; '' where it can be begun. */
export const whyNot = (
  d: Draft,
  models: readonly ModelRow[],
  checked: readonly CheckedCondition[],
  running: boolean,
): string => {
  const barred = models.find((m) => d.models.includes(m.name) && m.why !== '');
  const unreadable = checked.find((c) => d.conditions.includes(c.asked) && c.trouble !== '');
  if (running) return x.why.running;
  if (d.models.length === 0) return x.why.models;
  if (barred) return x.why.model(barred.name, barred.why);
  if (d.conditions.length === 0) return x.why.conditions;
  if (unreadable) return x.why.unreadable(unreadable.asked);
  if (d.cases?.length === 0) return x.why.cases;
  return '';
};

/** Parts are the fields of one condition that is being composed, by factor. */
export type Parts = Readonly<Record<string, { name: string; value: string; stage: string; fill: string }>>;

/** composed writes a condition as the desk reads it: the parts that were touched, joined with +. */
export const composed = (factors: readonly string[], parts: Parts): string =>
  factors
    .flatMap((factor) => {
      const part = parts[factor];
      if (!part?.name) return [];
      const [head, placeholder] = part.name.split(':');
      const word = placeholder ? `${head}:${part.value.trim()}` : part.name;
      return [word + (part.fill ? `/${part.fill}` : '') + (part.stage ? `@${part.stage}` : '')];
    })
    .join('+');

/** lacksValue tells whether a part that was chosen still lacks its value. */
export const lacksValue = (parts: Parts): boolean =>
  Object.values(parts).some((p) => p.name.includes(':') && p.value.trim() === '');

/** durationOf writes seconds as people say them. */
export const durationOf = (seconds: number): string => {
  const s = Math.max(0, Math.round(seconds));
  if (s < 1) return 'under 1 s';
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`;
  return `${Math.floor(s / 3600).toLocaleString('en')} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} min`;
};

/** sizeOf writes bytes as people say them. */
export const sizeOf = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** at;
  return `${value >= 100 || at === 0 ? Math.round(value).toLocaleString('en') : value.toFixed(1)} ${units[at]}`;
};
