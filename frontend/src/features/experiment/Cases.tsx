import { useMemo, useState } from 'react';
import type { AnyCase } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import form from '../../ui/form.module.css';
import css from './experiment.module.css';
import { joined, toggled } from './order';

const x = t.experiment;
const mostShown = 60;

interface Props {
  all: readonly AnyCase[];
  /** The cases that are taken; undefined: all. */
  taken: readonly string[] | undefined;
  onTaken: (taken: string[] | undefined) => void;
}

/** Cases takes all cases, or some by a filter and one by one. */
export const Cases = ({ all, taken, onTaken }: Props) => {
  const [filter, setFilter] = useState('');
  const [modality, setModality] = useState('');
  const modalities = useMemo(() => [...new Set(all.map((c) => c.modality))].filter(Boolean).sort(), [all]);
  const fits = useMemo(() => {
    const words = filter.trim().toLowerCase();
    return all.filter(
      (c) =>
        (modality === '' || c.modality === modality) &&
        (words === '' || c.id.toLowerCase().includes(words) || c.patient.toLowerCase().includes(words)),
    );
  }, [all, filter, modality]);
  const has = useMemo(() => new Set(taken), [taken]);
  return (
    <section className={form.card} aria-label={x.cases}>
      <div className={form.bar}>
        <h2>{x.cases}</h2>
        <fieldset className={form.choices}>
          <legend className="hidden">{x.cases}</legend>
          <label className={form.choice} data-chosen={taken === undefined || undefined}>
            <input type="radio" name="cases" checked={taken === undefined} onChange={() => onTaken(undefined)} />
            {x.allCases(all.length)}
          </label>
          <label className={form.choice} data-chosen={taken !== undefined || undefined} data-testid="some-cases">
            <input type="radio" name="cases" checked={taken !== undefined} onChange={() => onTaken([])} />
            {x.someCases}
          </label>
        </fieldset>
      </div>
      {taken !== undefined && (
        <>
          <div className={form.bar}>
            <input
              className={form.input}
              style={{ flex: 1 }}
              type="search"
              placeholder={x.filterCases}
              aria-label={x.filterCases}
              value={filter}
              data-testid="filter-cases"
              onChange={(e) => setFilter(e.target.value)}
            />
            {modalities.length > 1 && (
              <select
                className={form.input}
                style={{ width: 'auto' }}
                aria-label={x.modality}
                data-testid="filter-modality"
                value={modality}
                onChange={(e) => setModality(e.target.value)}
              >
                <option value="">{x.anyModality}</option>
                {modalities.map((m) => (
                  <option key={m}>{m}</option>
                ))}
              </select>
            )}
          </div>
          <div className={form.bar}>
            <span className={form.soft}>{x.taken(taken.length, all.length)}</span>
            <span className={form.end}>
              <Button
                onClick={() =>
                  onTaken(
                    joined(
                      taken,
                      fits.map((c) => c.id),
                    ),
                  )
                }
                disabled={fits.length === 0}
                data-testid="take-cases"
              >
                {x.takeShown(fits.length)}
              </Button>
              <Button look="quiet" onClick={() => onTaken([])} disabled={taken.length === 0}>
                {x.leaveAll}
              </Button>
            </span>
          </div>
          <ul className={css.caseList}>
            {fits.slice(0, mostShown).map((c) => (
              <li key={c.id}>
                <label className={form.check}>
                  <input
                    type="checkbox"
                    checked={has.has(c.id)}
                    data-testid={`take-${c.id}`}
                    onChange={() => onTaken(toggled(taken, c.id))}
                  />
                  <span>{c.id}</span>
                  <span className={form.note}>{[c.patient, c.modality].filter(Boolean).join(' · ')}</span>
                </label>
              </li>
            ))}
          </ul>
          {fits.length > mostShown && <span className={form.note}>{x.moreCases(fits.length - mostShown)}</span>}
        </>
      )}
    </section>
  );
};
