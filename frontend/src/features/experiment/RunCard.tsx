import { useState } from 'react';
import type { useRun } from '../../backend/experimenting';
import type { RunNow, RunStatus } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Bar, Button } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Head } from '../../ui/Head';
import css from './experiment.module.css';
import { durationOf } from './order';

const x = t.experiment;

interface Props {
  now: RunNow;
  /** Whether nothing of it is left to ask. */
  done: boolean;
  run: ReturnType<typeof useRun>;
}

/** RunCard tells where the run of this window is, and pauses, stops and goes on with it. */
export const RunCard = ({ now, done, run }: Props) => {
  const { status, running } = now;
  const [open, setOpen] = useState(running);
  const through = status.units >= status.of && status.failed.length > 0;
  const state = running ? (status.paused ? 'paused' : 'running') : done ? 'complete' : through ? 'ended' : 'stopped';
  const goOn = () =>
    run.start.mutate({
      models: [],
      conditions: [],
      cases: [],
      concurrency: 0,
      seed: 0,
      budget: 0,
      resume: true,
      run: status.run,
    });
  const toGo = status.failed.length > 0 ? x.again : x.goOn;
  return (
    <section className={form.card} aria-label={x.run} data-testid="run-card" data-state={state}>
      <div className={form.bar}>
        <h2 role="status">{x[state]}</h2>
        <Bar done={status.units} total={status.of} label={x.of(status.units, status.of)} />
        <span data-testid="run-done">{x.of(status.units, status.of)}</span>
        <span className={form.soft}>
          {[
            status.per_second > 0 && x.rate(status.per_second),
            running && !status.paused && status.seconds_left > 0 && x.left(durationOf(status.seconds_left)),
            !running && x.took(durationOf(status.seconds)),
            x.answered(status.answered, status.kept),
            status.unparsed > 0 && x.unparsed(status.unparsed),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className={form.end}>
          {running ? (
            <>
              <Button onClick={() => run.pause.mutate(!status.paused)} data-testid="pause-run">
                {status.paused ? x.resume : x.pause}
              </Button>
              <Button title={x.stopNote} onClick={() => run.cancel.mutate()} data-testid="stop-run">
                {x.stop}
              </Button>
            </>
          ) : (
            <>
              {!done && (
                <Button look="primary" onClick={goOn} data-testid="go-on">
                  {toGo}
                </Button>
              )}
              <a className={form.link} href="#/compare" data-testid="run-to-compare">
                {x.toCompare}
              </a>
              <a className={form.link} href="#/report" data-testid="run-to-report">
                {x.toReport}
              </a>
            </>
          )}
          <Button look="quiet" aria-expanded={open} aria-label={x.run} onClick={() => setOpen(!open)}>
            <span aria-hidden="true">{open ? '▴' : '▾'}</span>
          </Button>
        </span>
      </div>
      {now.trouble && !running && <span className={form.warn}>{now.trouble}</span>}
      {open && <Details status={status} />}
    </section>
  );
};

/** Details tells how a run goes: each model, what made no sense for a case, and what failed, by kind. */
export const Details = ({ status }: { status: RunStatus }) => (
  <div className={css.details}>
    {status.models.length > 0 && <Models status={status} />}
    {status.failed.length + status.not_applicable.length + status.left_out.length > 0 && (
      <div className={css.counts}>
        {status.failed.length > 0 && <Failures status={status} />}
        {status.not_applicable.length > 0 && (
          <details data-testid="not-applicable">
            <summary>{x.notApplicable(sum(status.not_applicable))}</summary>
            <p className={form.note}>{x.notApplicableNote}</p>
            <Kinds of={status.not_applicable} />
          </details>
        )}
        {status.left_out.length > 0 && (
          <details data-testid="left-out">
            <summary>{x.leftOut(sum(status.left_out))}</summary>
            <p className={form.note}>{x.leftOutNote}</p>
            <Kinds of={status.left_out} />
          </details>
        )}
      </div>
    )}
  </div>
);

const sum = (counts: readonly { count: number }[]) => counts.reduce((all, c) => all + c.count, 0);

const Kinds = ({ of }: { of: RunStatus['failed'] }) => (
  <ul className={css.kinds}>
    {of.map((c) => (
      <li key={c.kind}>
        <b>{c.count.toLocaleString('en')}</b> {x.kinds[c.kind] ?? c.kind}
      </li>
    ))}
  </ul>
);

const Failures = ({ status }: { status: RunStatus }) => (
  <details open data-testid="failures">
    <summary className={form.warn}>{x.failures(sum(status.failed))}</summary>
    <p className={form.note}>{x.failuresNote}</p>
    <Kinds of={status.failed} />
    {status.missed.length > 0 && (
      <details>
        <summary>{x.listMissed(status.missed.length, sum(status.failed))}</summary>
        <div className={css.missed}>
          <table className={form.table}>
            <Head columns={x.missedColumns} />
            <tbody>
              {status.missed.map((m) => (
                <tr key={`${m.model}/${m.case}/${m.condition}`}>
                  <td>{m.model}</td>
                  <td>{m.case}</td>
                  <td>
                    <code>{m.condition}</code>
                  </td>
                  <td dir="auto">{m.text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    )}
  </details>
);

const Models = ({ status }: { status: RunStatus }) => (
  <table className={form.table}>
    <thead>
      <tr>
        <th scope="col">{x.columns.model}</th>
        <th scope="col">{x.columns.progress}</th>
        <th scope="col">{x.columns.made}</th>
        <th scope="col">{x.columns.unfit}</th>
        <th scope="col">{x.columns.failed}</th>
        <th scope="col">{x.columns.pace}</th>
      </tr>
    </thead>
    <tbody>
      {status.models.map((m) => (
        <tr key={m.model} data-testid={`pace-${m.model}`}>
          <td>{m.model}</td>
          <td>
            <span className={css.done}>
              <Bar done={m.units} total={m.of} label={x.of(m.units, m.of)} />
              {m.units.toLocaleString('en')} / {m.of.toLocaleString('en')}
            </span>
          </td>
          <td>{m.chains.toLocaleString('en')}</td>
          <td>{m.not_applicable.toLocaleString('en')}</td>
          <td className={m.failed > 0 ? form.warn : undefined}>{m.failed.toLocaleString('en')}</td>
          <td>
            {m.seconds > 0 && m.requests > 0
              ? (m.requests / m.seconds).toFixed(m.requests / m.seconds < 10 ? 1 : 0)
              : '–'}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
