import { share } from '../../lib/format';
import type { ReportDocument } from '../../lib/report';
import { t } from '../../lib/texts';
import css from './report.module.css';

/** Readers is the table of who read what. */
export const Readers = ({ report }: { report: ReportDocument }) => (
  <section className={css.card}>
    <h3>{t.report.readers}</h3>
    {!report.agreement.estimable && report.agreement.reason && (
      <div className={css.n}>{t.report.agreement(report.agreement.reason)}</div>
    )}
    <table className={css.table}>
      <thead>
        <tr>
          {t.report.readerColumns.map((c) => (
            <th key={c} scope="col">
              {c}
            </th>
          ))}
        </tr>
      </thead>
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
