import { useState } from 'react';
import { dimensionLabel, headlineOf, intervalText, twoWayText } from '../../lib/agreement';
import { share } from '../../lib/format';
import type { Agreement } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { cx } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Helped, HelpedHead } from '../../ui/Helped';
import css from './study.module.css';

const heads = ['items', 'readers', 'percent', 'headline', 'kappa', 'ac1', 'fleiss'] as const;

/** AgreementTable lists dimensions with their numbers; a line opens to all of them, with why there is none. */
export const AgreementTable = ({ title, rows }: { title: string; rows: readonly Agreement[] }) => (
  <section className={css.card}>
    <h2>{title}</h2>
    <table className={cx(css.table, css.agreement)}>
      <thead>
        <tr>
          <th scope="col">{t.agreement.columns.what}</th>
          {heads.map((c) => (
            <HelpedHead key={c} help={t.agreement.help[c]}>
              {t.agreement.columns[c]}
            </HelpedHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...rows.filter((a) => a.estimable), ...rows.filter((a) => !a.estimable)].map((a) => (
          <Line key={`${a.dimension}/${a.k}/${a.reader}`} of={a} />
        ))}
      </tbody>
    </table>
  </section>
);

const Line = ({ of: a }: { of: Agreement }) => {
  const [open, setOpen] = useState(false);
  const name = dimensionLabel(a.dimension);
  // Where there is no number at all, the reason has the width of all of them.
  const silent = [headlineOf(a), a.kappa, a.ac1, a.fleiss].every((x) => typeof x !== 'number');
  const kappas = [a.kappa, a.kappa_quadratic].filter((x) => typeof x === 'number');
  return (
    <>
      <tr data-testid={`agree-${a.dimension}`}>
        <td>
          <button type="button" className={css.open} aria-expanded={open} onClick={() => setOpen(!open)}>
            <span aria-hidden="true">{open ? '▾' : '▸'}</span> {a.reader && `${a.reader} · `}
            {name}
          </button>
          {a.left_out > 0 && (
            <span className={form.note}>
              {' '}
              <Helped help={t.agreement.leftOutHelp}>{t.agreement.leftOut(a.left_out)}</Helped>
            </span>
          )}
        </td>
        <td>{t.study.of(a.n_paired, a.n_items)}</td>
        <td>{a.n_readers}</td>
        <td>{share(a.percent)}</td>
        <td colSpan={silent ? 4 : 1}>
          <Headline of={a} />
        </td>
        {!silent && (
          <>
            <td>{kappas.length > 0 ? kappas.map(share).join(' · ') : '–'}</td>
            <td>{share(a.ac1)}</td>
            <td>{share(a.fleiss)}</td>
          </>
        )}
      </tr>
      {open && (
        <tr className={css.opened}>
          <td colSpan={heads.length + 1}>
            <Numbers of={a} />
          </td>
        </tr>
      )}
    </>
  );
};

const Headline = ({ of: a }: { of: Agreement }) => {
  const value = headlineOf(a);
  if (value === null || !a.estimable) {
    return <span className={form.note}>{a.reason ? t.agreement.because(a.reason) : t.agreement.notEstimable}</span>;
  }
  return (
    <span className={css.headline}>
      <span className={css.value}>
        <b>{share(value)}</b> <span className={form.note}>{t.agreement.scales[a.scale] ?? a.scale}</span>
      </span>
      <Whisker value={value} interval={a.interval} />
      <span className={form.note}>{intervalText(a) || '–'}</span>
    </span>
  );
};

// From -0.2 to 1: what lies below is drawn at the edge, and its number says where it is.
const low = -0.2;
const wide = 110;
const x = (v: number) => 4 + ((Math.max(low, Math.min(1, v)) - low) / (1 - low)) * (wide - 8);

const Whisker = ({ value, interval }: { value: number; interval: readonly number[] }) => {
  const [from, to] = interval;
  return (
    <svg width={wide} height={14} aria-hidden="true" className={css.whisker}>
      <path d={`M${x(0)} 1V13M${x(1)} 1V13`} stroke="var(--rule)" />
      <path d={`M${x(low)} 7H${x(1)}`} stroke="var(--rule)" />
      {from !== undefined && to !== undefined && (
        <path d={`M${x(from)} 7H${x(to)}`} stroke="var(--soft)" strokeWidth={2} />
      )}
      <circle cx={x(value)} cy={7} r={3.5} fill="var(--ink)" />
    </svg>
  );
};

/** Numbers is every number of a row with, where there is none, the reason. */
const Numbers = ({ of: a }: { of: Agreement }) => {
  const names = (Object.keys(t.agreement.numbers) as (keyof typeof t.agreement.numbers)[]).filter(
    (n) => (n === 'iou') === (a.scale === 'region'),
  );
  return (
    <div className={css.numbers}>
      <dl>
        {names.map((n) => (
          <div key={n}>
            <dt>{t.agreement.numbers[n]}</dt>
            <dd>
              {typeof a[n] === 'number' ? share(a[n]) : <span className={form.note}>{a.reasons?.[n] || '–'}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {a.reason && <p className={form.note}>{a.estimable ? a.reason : t.agreement.because(a.reason)}</p>}
      <p className={form.note}>
        {a.levels.length > 0 && `${t.agreement.levels(a.levels)} · `}
        {t.agreement.method(a.method, a.clusters, a.resamples, a.seed)}
      </p>
      {a.two_way && <p className={form.note}>{twoWayText(a.two_way)}</p>}
    </div>
  );
};
