import { Fragment, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useRun } from '../../backend/experimenting';
import { dayOf } from '../../lib/format';
import type { PastRun } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import css from './experiment.module.css';
import { Details } from './RunCard';

const x = t.experiment;

interface Props {
  all: readonly PastRun[];
  busy: boolean;
  onSame: (run: PastRun) => void;
}

/** Runs lists the runs of the workspace, the latest first; one that was left can go on, and any can be set up again. */
export const Runs = ({ all, busy, onSame }: Props) => {
  const [open, setOpen] = useState('');
  const { start } = useRun();
  if (all.length === 0) return <p className={form.soft}>{x.noRuns}</p>;
  return (
    <section className={form.card} aria-label={x.tabs.runs} data-testid="past-runs">
      {start.isError && <Trouble title={t.fault.title} text={troubleOf(start.error).text || t.fault.unknown} />}
      <table className={form.table}>
        <thead>
          <tr>
            <th scope="col">{x.runColumns.begun}</th>
            <th scope="col">{x.runColumns.models}</th>
            <th scope="col">{x.runColumns.conditions}</th>
            <th scope="col">{x.runColumns.cases}</th>
            <th scope="col">{x.runColumns.chains}</th>
            <th scope="col">{x.runColumns.state}</th>
            <th scope="col">
              <span className="hidden">{x.same}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((r) => (
            <Fragment key={r.run}>
              <Row
                of={r}
                open={open === r.run}
                busy={busy || start.isPending}
                onOpen={() => setOpen(open === r.run ? '' : r.run)}
                onSame={() => onSame(r)}
                onResume={() =>
                  start.mutate({
                    models: [],
                    conditions: [],
                    cases: [],
                    concurrency: 0,
                    seed: 0,
                    budget: 0,
                    resume: true,
                    run: r.run,
                  })
                }
              />
              {open === r.run && (
                <tr className={css.opened}>
                  <td colSpan={7}>
                    <p className={form.note}>
                      {[r.run, x.seedIs(r.seed), r.corrected > 0 && x.correctedFrom(r.corrected)]
                        .filter(Boolean)
                        .join(' · ')}
                    </p>
                    <p>
                      {r.conditions.map((c) => (
                        <code key={c} className={css.word}>
                          {c}
                        </code>
                      ))}
                    </p>
                    {r.status && <Details status={r.status} />}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
};

interface RowProps {
  of: PastRun;
  open: boolean;
  busy: boolean;
  onOpen: () => void;
  onSame: () => void;
  onResume: () => void;
}

const mostNamed = 3;
const inShort = (names: readonly string[]) =>
  names.length > mostNamed ? `${names.slice(0, mostNamed).join(', ')} +${names.length - mostNamed}` : names.join(', ');

const Row = ({ of, open, busy, onOpen, onSame, onResume }: RowProps) => (
  <tr data-testid={`run-${of.run}`} data-state={of.running ? 'running' : of.done ? 'done' : 'left'}>
    <td>
      <button
        type="button"
        className={css.opener}
        aria-expanded={open}
        aria-label={x.details(dayOf(of.begun))}
        onClick={onOpen}
      >
        <span aria-hidden="true">{open ? '▾' : '▸'}</span> {dayOf(of.begun)}
      </button>
    </td>
    <td title={of.models.join(', ')}>{inShort(of.models)}</td>
    <td title={of.conditions.join(', ')}>{inShort(of.conditions)}</td>
    <td>{of.cases.toLocaleString('en')}</td>
    <td>{of.chains.toLocaleString('en')}</td>
    <td>
      {of.running ? x.states.running : of.done ? x.states.done : of.batches > 0 ? x.states.batches : x.states.left}
    </td>
    <td className={css.acts}>
      {!of.done && !of.running && (
        <Button
          why={busy ? x.why.running : ''}
          title={of.batches > 0 ? x.askDirectly : undefined}
          onClick={onResume}
          data-testid={`resume-${of.run}`}
        >
          {x.goOn}
        </Button>
      )}
      {of.corrected === 0 && (
        <Button look="quiet" title={x.sameNote} onClick={onSame} data-testid={`same-${of.run}`}>
          {x.same}
        </Button>
      )}
    </td>
  </tr>
);
