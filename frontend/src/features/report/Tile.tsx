import { share } from '../../lib/format';
import type { Figure } from '../../lib/report';
import { t } from '../../lib/texts';
import css from './report.module.css';

/** restsOn says in words what a figure rests on. */
export const restsOn = (f: Figure): string =>
  [
    t.report.rests(f.n, f.patients),
    typeof f.deff === 'number' && t.report.deff(f.deff.toFixed(1)),
    typeof f.n_eff === 'number' && t.report.neff(f.n_eff.toFixed(1)),
    f.method?.includes('few clusters') && t.report.few,
    typeof f.value === 'number' && !f.interval && (f.reason || t.report.noInterval),
  ]
    .filter(Boolean)
    .join(' · ');

/** Tile is one figure: value, interval, and what it rests on. */
export const Tile = ({ name, figure, note }: { name: string; figure: Figure; note?: string }) => (
  <div className={css.tile} title={figure.method}>
    <small>{name}</small>
    {typeof figure.value !== 'number' ? (
      <span className={css.n}>{t.report.notEstimable(figure.reason ?? '')}</span>
    ) : (
      <>
        <strong>{share(figure.value)}</strong>
        {figure.interval && (
          <span className={css.ci}>
            {share(figure.interval[0])} – {share(figure.interval[1])}
          </span>
        )}
        <div className={css.n}>{note ? `${restsOn(figure)} · ${note}` : restsOn(figure)}</div>
      </>
    )}
  </div>
);
