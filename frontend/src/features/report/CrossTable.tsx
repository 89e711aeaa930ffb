import type { Cross, Fact } from '../../lib/report';
import { t } from '../../lib/texts';
import type { OnPick } from './picks';
import css from './report.module.css';
import type { Shown } from './shown';

interface Props {
  title: string;
  of: (m: Shown) => Cross;
  models: Shown[];
  /** whether a fact is of the row's yes and of the column's yes; undefined: it has neither. */
  place: (f: Fact) => [boolean, boolean] | undefined;
  onPick: OnPick;
}

const tones = [
  [css.both, css.first],
  [css.second, css.neither],
];

/** CrossTable is a 2×2 of counts; every cell is a door to its cases. */
export const CrossTable = ({ title, of, models, place, onPick }: Props) => (
  <section className={css.card}>
    <h2>{title}</h2>
    <div className={css.crosses}>
      {models.map((m) => {
        const cross = of(m);
        const empty = cross.n.flat().every((n) => n === 0);
        return (
          <div key={m.model.key} className={css.crossOf}>
            <div className={css.n}>{m.name}</div>
            {empty ? (
              <p className={css.n}>{t.report.notEstimable(cross.reason ?? '')}</p>
            ) : (
              <table className={css.cross}>
                <thead>
                  <tr>
                    <td />
                    <th scope="col">{cross.columns}</th>
                    <th scope="col">not</th>
                  </tr>
                </thead>
                <tbody>
                  {[cross.rows, `not ${cross.rows}`].map((row, i) => (
                    <tr key={row}>
                      <th scope="row">{row}</th>
                      {[0, 1].map((j) => (
                        <td key={j}>
                          <button
                            type="button"
                            className={tones[i]?.[j]}
                            data-testid={`cross-${i}${j}`}
                            aria-label={`${row}, ${j === 0 ? '' : 'not '}${cross.columns}: ${cross.n[i]?.[j] ?? 0}`}
                            onClick={() =>
                              onPick({
                                model: m.model.key,
                                title: t.report.picked([m.name, row, `${j === 0 ? '' : 'not '}${cross.columns}`]),
                                where: (f) => {
                                  const at = place(f);
                                  return at !== undefined && at[0] === (i === 0) && at[1] === (j === 0);
                                },
                              })
                            }
                          >
                            {cross.n[i]?.[j] ?? 0}
                          </button>
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </div>
        );
      })}
    </div>
  </section>
);
