import { intervalText } from '../../lib/agreement';
import { share } from '../../lib/format';
import type { Agreement } from '../../lib/nouns';
import type { ReportDocument } from '../../lib/report';
import { t } from '../../lib/texts';
import { Head } from '../../ui/Head';
import css from './report.module.css';

/** Readers is the table of who read what. */
export const Readers = ({ report }: { report: ReportDocument }) => (
  <section className={css.card}>
    <h2>{t.report.readers}</h2>
    <Agree rows={report.agreement} />
    <table className={css.table}>
      <Head columns={t.report.readerColumns} />
      <tbody>
        {report.readers.map((r) => (
          <tr key={r.reader}>
            <td>{r.reader}</td>
            <td>
              {r.signed} / {r.assigned}
            </td>
            <td>{r.looks}</td>
            <td>{share(r.look_accuracy.value)}</td>
            <td>{r.ratings}</td>
            <td>{r.revisions}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** Agree says how far readers agree on support, and where the rest of it stands. */
const Agree = ({ rows }: { rows: readonly Agreement[] }) => {
  const support = rows.find((a) => a.dimension === 'support' && a.k === 0 && a.reader === '');
  if (!support) return null;
  return (
    <div className={css.n}>
      {typeof support.alpha === 'number'
        ? t.report.agreementIs(share(support.alpha), intervalText(support), support.n_readers)
        : t.report.agreementNone(support.reason)}{' '}
      <a href="#/study" className={css.more}>
        {t.report.agreementMore}
      </a>
    </div>
  );
};
