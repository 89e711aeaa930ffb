import { useOverturns } from '../../backend/adjudicating';
import { dimensionLabel } from '../../lib/agreement';
import { share } from '../../lib/format';
import { t } from '../../lib/texts';
import form from '../../ui/form.module.css';
import { HelpedHead } from '../../ui/Helped';
import css from './study.module.css';

/** Overturns shows how often adjudication ended elsewhere than readers had begun; nothing while nothing is decided. */
export const Overturns = () => {
  const { data } = useOverturns();
  if (!data || data.decided + data.adopted === 0) return null;
  const rows = data.overturns.filter((o) => o.n_items > 0);
  return (
    <section className={css.card} data-testid="overturns">
      <h2>{t.agreement.adjudicated}</h2>
      <span className={form.note}>{t.agreement.adjudication(data.decided, data.adopted, data.open)}</span>
      {rows.length > 0 && (
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t.agreement.columns.what}</th>
              <th scope="col">{t.agreement.columns.items}</th>
              <HelpedHead help={t.agreement.overturnedHelp}>{t.agreement.overturned}</HelpedHead>
            </tr>
          </thead>
          <tbody>
            {rows.map((o) => (
              <tr key={`${o.dimension}/${o.reader}`}>
                <td>
                  {dimensionLabel(o.dimension)}{' '}
                  <span className={form.note}>
                    {o.reader ? t.agreement.byReader(o.reader) : t.agreement.byMajority}
                    {o.no_majority > 0 && ` · ${t.agreement.noMajority(o.no_majority)}`}
                  </span>
                </td>
                <td>{t.agreement.ofItems(o.overturned, o.n_items)}</td>
                <td title={o.reason}>
                  {share(o.rate)}
                  {o.interval.length === 2 && (
                    <span className={form.note}>
                      {' '}
                      {share(o.interval[0])} – {share(o.interval[1])}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};
