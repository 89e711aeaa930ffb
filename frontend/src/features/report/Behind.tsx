import { type RefObject, useEffect, useRef } from 'react';
import { troubleOf } from '../../backend/client';
import { useBehind } from '../../backend/reporting';
import type { ReportFilter } from '../../lib/report';
import { gradeOf } from '../../lib/rubric';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import { Head } from '../../ui/Head';
import { casesOf, matching, type Pick } from './picks';
import css from './report.module.css';

const most = 200;

/** Behind lists the cases of a selection; each opens its case. */
export const Behind = ({
  pick,
  filter,
  onClose,
  shown,
}: {
  pick: Pick | undefined;
  /** what was brought into view last: once is enough. */
  shown: RefObject<Pick | undefined>;
  filter: ReportFilter;
  onClose: () => void;
}) => {
  const facts = useBehind(filter, pick?.model ?? '');
  const list = pick && facts.data ? matching(facts.data, pick) : [];
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!pick || !facts.data || shown.current === pick) return;
    shown.current = pick;
    card.current?.scrollIntoView({ block: 'nearest' });
  }, [pick, facts.data, shown]);
  return (
    <section ref={card} className={css.card} data-testid="behind">
      <div className={css.figureHead}>
        <h2>{t.report.behind}</h2>
        {pick && (
          <Button look="quiet" onClick={onClose}>
            {t.report.close}
          </Button>
        )}
      </div>
      <div className={css.n} role="status">
        {!pick && t.report.behindNone}
        {pick && facts.isError && troubleOf(facts.error).text}
        {pick && facts.data && t.report.behindOf(pick.title, list.length, casesOf(list))}
      </div>
      {list.length > 0 && (
        <div className={css.scroll} tabIndex={0} role="region" aria-label={t.report.behind}>
          <table className={css.table}>
            <Head columns={t.report.behindColumns} />
            <tbody>
              {list.slice(0, most).map((f) => (
                <tr key={`${f.case}/${f.question}`} title={f.text}>
                  <td>
                    <a className={css.more} href={`#/case/${encodeURIComponent(f.case)}`}>
                      {f.case}
                    </a>
                  </td>
                  <td>{`S${f.k}`}</td>
                  <td>{f.gold || '–'}</td>
                  <td>{f.own}</td>
                  <td>{f.occ || '–'}</td>
                  <td>{f.ctl || '–'}</td>
                  <td>{f.support.length === 0 ? '–' : f.support.map((s) => gradeOf(s)?.shape ?? s).join(' ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {list.length > most && <p className={css.n}>{t.report.behindMore(list.length - most)}</p>}
        </div>
      )}
    </section>
  );
};
