import type { RefObject } from 'react';
import type { CaseRow } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { cx, Kbd } from '../../ui/basics';
import css from './library.module.css';
import { type Filters, kindsOf } from './rows';

interface Props {
  rows: CaseRow[];
  shown: number;
  filters: Filters;
  onFilters: (f: Filters) => void;
  search: RefObject<HTMLInputElement | null>;
}

/** FilterBar narrows the case table. */
export const FilterBar = ({ rows, shown, filters, onFilters, search }: Props) => {
  const keyOf = useKeyOf();
  const choice = (name: 'state' | 'stage' | 'modality', values: string[], label: (v: string) => string = (v) => v) => (
    <label className={css.soft}>
      {t.library[name]}{' '}
      <select
        className={css.input}
        value={filters[name]}
        data-testid={`filter-${name}`}
        onChange={(e) => onFilters({ ...filters, [name]: e.target.value })}
      >
        <option value="">{t.library.all}</option>
        {values.map((v) => (
          <option key={v} value={v}>
            {label(v)}
          </option>
        ))}
      </select>
    </label>
  );
  const states = Object.keys(t.library.states);
  return (
    <div className={css.line2}>
      <input
        ref={search}
        type="search"
        className={cx(css.input, css.grow)}
        style={{ maxWidth: 340 }}
        value={filters.text}
        placeholder={t.library.search}
        aria-label={t.library.search}
        data-testid="search"
        onChange={(e) => onFilters({ ...filters, text: e.target.value })}
      />
      {keyOf('search') && <Kbd of={keyOf('search')} />}
      {choice('state', states, (v) => t.library.states[v as keyof typeof t.library.states])}
      {choice('stage', stagesOf(rows))}
      {choice(
        'modality',
        kindsOf(rows, (r) => r.modality),
      )}
      <span className={css.soft} style={{ marginLeft: 'auto' }} data-testid="shown">
        {t.library.shown(shown, rows.length)}
      </span>
    </div>
  );
};

const stagesOf = (rows: CaseRow[]): string[] => {
  const found = new Set<string>();
  for (const r of rows) for (const s of r.stages) found.add(s);
  return [...found];
};
