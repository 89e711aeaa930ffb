import { troubleOf } from '../../backend/client';
import { useAssign, useProgress } from '../../backend/studying';
import { dayOf } from '../../lib/format';
import type { ReaderStands, Rules } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Bar, Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { HelpedHead } from '../../ui/Helped';
import css from './study.module.css';

type Column = keyof typeof t.study.columns;

/** ProgressTab hands the cases out and tells how far everybody is. */
export const ProgressTab = ({ rules }: { rules: Rules }) => {
  const progress = useProgress();
  const assign = useAssign();
  const trouble = [assign, progress].find((x) => x.isError);
  const readers = progress.data?.readers ?? [];
  const columns = (Object.keys(t.study.columns) as Column[]).filter(
    (c) =>
      (c !== 'training' || readers.some((r) => r.training)) && (c !== 'unblinded' || readers.some((r) => r.unblinded)),
  );
  return (
    <div className={css.page} data-testid="progress">
      <div className={css.bar}>
        <Button
          look="primary"
          why={assign.isPending ? t.study.assigning : rules.set ? '' : t.study.noneSet}
          onClick={() => assign.mutate()}
          data-testid="assign"
        >
          {t.study.assign}
        </Button>
        <span className={form.soft} role="status" data-testid="assigned">
          {assign.data ? t.study.assigned(assign.data.added) : t.study.assignNote}
        </span>
        <span className={css.end}>
          <span className={form.soft}>{progress.data && t.study.progressOf(progress.data.cases)}</span>
        </span>
      </div>
      {trouble && <Trouble title={t.fault.title} text={troubleOf(trouble.error).text || t.fault.unknown} />}
      {readers.length === 0 ? (
        <p className={form.soft}>{progress.isPending ? t.loading : t.study.noProgress}</p>
      ) : (
        <section className={css.card}>
          <table className={css.table}>
            <thead>
              <tr>
                {columns.map((c) => (
                  <HelpedHead key={c} help={t.study.columnHelp[c]}>
                    {t.study.columns[c]}
                  </HelpedHead>
                ))}
              </tr>
            </thead>
            <tbody>
              {readers.map((r) => (
                <tr key={r.reader} data-testid={`stands-${r.reader}`}>
                  {columns.map((c) => (
                    <td key={c}>{cells[c](r)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
};

const cells: Record<Column, (r: ReaderStands) => React.ReactNode> = {
  reader: (r) => (
    <>
      {r.reader}
      {r.role !== 'reader' && <span className={form.note}> {r.role}</span>}
    </>
  ),
  done: (r) =>
    r.assigned === 0 ? (
      '–'
    ) : (
      <span className={css.done}>
        <Bar done={r.done} total={r.assigned} label={t.study.of(r.done, r.assigned)} /> {t.study.of(r.done, r.assigned)}
      </span>
    ),
  started: (r) => r.started || '–',
  answers: (r) => (r.required === 0 ? '–' : t.study.of(r.answers, r.required)),
  extra: (r) => r.extra || '–',
  training: (r) =>
    !r.training ? '–' : r.training.passed ? t.study.passed : t.study.asExpected(r.training.right, r.training.expected),
  unblinded: (r) => r.unblinded || '–',
  time: (r) => (r.active_ms ? t.study.minutes(Math.round(r.active_ms / 60_000)) : '–'),
  last: (r) => dayOf(r.last) || t.study.never,
};
