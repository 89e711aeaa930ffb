import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useCompared } from '../../backend/reporting';
import { share } from '../../lib/format';
import type { Pair, ReportFilter } from '../../lib/report';
import { t } from '../../lib/texts';
import { Head } from '../../ui/Head';
import css from './report.module.css';
import type { Shown } from './shown';

/** chance writes a p. */
const chance = (p: number | null | undefined) =>
  typeof p !== 'number' ? '–' : p < 0.001 ? '< .001' : p.toFixed(3).replace(/^0/, '');

/** Compared sets two models, or two conditions of one, beside each other, paired. */
export const Compared = ({ all, filter }: { all: Shown[]; filter: ReportFilter }) => {
  const [pair, setPair] = useState<Pair>({ a: '', b: '', condition_a: '', condition_b: '' });
  const found = useCompared(filter, pair);
  const side = (key: 'a' | 'b', condition: 'condition_a' | 'condition_b', label: string) => {
    const of = all.find((m) => m.model.key === pair[key])?.model;
    return (
      <span className={css.choose}>
        <label>
          {label}{' '}
          <select
            value={pair[key]}
            onChange={(e) => setPair({ ...pair, [key]: e.target.value, [condition]: '' })}
            data-testid={`compare-${key}`}
          >
            <option value="">–</option>
            {all.map((m) => (
              <option key={m.model.key} value={m.model.key}>
                {m.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.report.conditionOf}{' '}
          <select
            value={pair[condition]}
            onChange={(e) => setPair({ ...pair, [condition]: e.target.value })}
            disabled={!of}
            data-testid={`compare-${condition}`}
          >
            <option value="">{of?.condition ?? 'original'}</option>
            {of?.conditions.map((c) => (
              <option key={c.condition} value={c.condition}>
                {c.condition}
              </option>
            ))}
          </select>
        </label>
      </span>
    );
  };
  return (
    <section className={css.card} data-testid="compared">
      <h2>{t.report.compareTitle}</h2>
      <div className={css.n}>{t.report.compareNote}</div>
      <div className={css.chooses}>
        {side('a', 'condition_a', t.report.compareA)}
        {side('b', 'condition_b', t.report.compareB)}
      </div>
      {found.isError && <p role="alert">{troubleOf(found.error).text}</p>}
      {!found.data && !found.isError && <p className={css.n}>{t.report.compareNone}</p>}
      {found.data && (
        <table className={css.table}>
          <Head columns={t.report.compareColumns} />
          <tbody>
            {found.data.map((c) => (
              <tr key={c.what}>
                <td>{c.what}</td>
                <td>{typeof c.value === 'number' ? share(c.value) : t.report.notEstimable(c.reason ?? '')}</td>
                <td>{c.interval?.length === 2 ? `${share(c.interval[0])} – ${share(c.interval[1])}` : '–'}</td>
                <td>{c.n}</td>
                <td>{chance(c.p)}</td>
                <td>{chance(c.p_holm)}</td>
                <td>{chance(c.mcnemar_exact)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};
