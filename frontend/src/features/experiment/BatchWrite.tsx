import { useState } from 'react';
import { useBatchEstimate, useWriteBatch } from '../../backend/batching';
import { troubleOf } from '../../backend/client';
import { useGoing } from '../../backend/packaging';
import { dayOf } from '../../lib/format';
import type { AnyCase, BatchOrder, BatchWritten, Models, PastRun } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { Choose } from '../../ui/Choose';
import form from '../../ui/form.module.css';
import { Head } from '../../ui/Head';
import css from './batches.module.css';
import { Fact, WholeNumber } from './fields';
import { type Draft, orderOf, sizeOf } from './order';

const x = t.batches;

/** Sendable is what batches are written of. */
export interface Sendable {
  draft: Draft;
  models: Models;
  cases: readonly AnyCase[];
  past: readonly PastRun[];
  running: boolean;
}

interface Props extends Sendable {
  what: string;
  onWhat: (what: string) => void;
}

/** writable tells whether a run can go on in batches: of one model, behind a profile, with something left to ask. */
export const writable = (run: PastRun, models: Models): boolean =>
  !run.done &&
  !run.running &&
  run.models.length === 1 &&
  models.models.some((m) => !m.control && m.name === run.models[0]);

/** WriteBatch chooses what goes out and for whom, says what that comes to, and writes it into a chosen folder. */
export const WriteBatch = ({ draft, models, cases, past, running, what, onWhat }: Props) => {
  const profiles = models.models.filter((m) => !m.control);
  const [model, setModel] = useState(profiles.find((m) => draft.models.includes(m.name))?.name ?? '');
  const [style, setStyle] = useState('openai');
  const [mostRequests, setMostRequests] = useState(50_000);
  const [mostMegabytes, setMostMegabytes] = useState(200);
  const write = useWriteBatch(x.chooseFolder);
  const { going, stop } = useGoing(write.isPending, x.going);
  const fresh = what === 'new';
  const order: BatchOrder = {
    ...(fresh ? orderOf({ ...draft, models: [model] }) : { ...orderOf(draft), models: [], conditions: [], cases: [] }),
    resume: !fresh,
    run: fresh ? '' : what,
    dir: '',
    style,
    most_requests: mostRequests,
    most_bytes: mostMegabytes * 1e6,
  };
  const missing =
    what === ''
      ? x.why.what
      : fresh && model === ''
        ? x.why.model
        : fresh && draft.conditions.length === 0
          ? x.why.conditions
          : fresh && draft.cases?.length === 0
            ? x.why.cases
            : '';
  const estimate = useBatchEstimate({ ...order, seed: 1 }, missing === '' && !running);
  const got = missing === '' && !estimate.isError ? estimate.data : undefined;
  const open = past.filter((r) => writable(r, models));
  return (
    <section className={form.card} aria-label={x.write} data-testid="batch-write">
      <h2>{x.write}</h2>
      <span className={form.note}>{x.writeNote}</span>
      {profiles.length === 0 && <span className={form.warn}>{x.noProfiles}</span>}
      <Choose
        label={x.what}
        value={what}
        testid="batch-what"
        onValue={(value) => {
          write.reset();
          onWhat(value);
        }}
      >
        <option value="" />
        <option value="new">{x.fresh}</option>
        {open.map((r) => (
          <option key={r.run} value={r.run}>
            {x.goOn(dayOf(r.begun), r.models[0] ?? '', r.chains, r.cases * r.conditions.length)}
          </option>
        ))}
      </Choose>
      {fresh && (
        <>
          <Choose label={x.model} value={model} testid="batch-model" onValue={setModel}>
            <option value="" />
            {profiles.map((m) => (
              <option key={m.name}>{m.name}</option>
            ))}
          </Choose>
          <span className={form.note} data-testid="batch-of">
            {draft.conditions.length === 0
              ? x.noConditions
              : x.asSetUp(
                  draft.conditions.join(', '),
                  draft.cases ? x.someCases(draft.cases.length) : x.allCases(cases.length),
                )}
          </span>
        </>
      )}
      <Style style={style} onStyle={setStyle} />
      <div className={css.two}>
        <WholeNumber
          least={1}
          label={x.mostRequests}
          value={mostRequests}
          onValue={setMostRequests}
          testid="batch-most-requests"
        />
        <WholeNumber
          least={1}
          label={x.mostMegabytes}
          value={mostMegabytes}
          onValue={setMostMegabytes}
          testid="batch-most-mb"
        />
      </div>
      <h3>{x.comesTo}</h3>
      {got ? (
        <dl className={form.facts} data-testid="batch-estimate">
          <Fact name={x.requests} value={got.requests.toLocaleString('en')} />
          <Fact name={x.size} value={sizeOf(got.bytes)} />
          <Fact name={x.files} value={got.files.toLocaleString('en')} />
          <Fact name={x.rounds} value={got.rounds.toLocaleString('en')} />
        </dl>
      ) : (
        <span className={form.soft}>{x.nothing}</span>
      )}
      {estimate.isError && missing === '' && (
        <Trouble title={t.fault.title} text={troubleOf(estimate.error).text || t.fault.unknown} />
      )}
      {write.isError && <Trouble title={t.fault.title} text={troubleOf(write.error).text || t.fault.unknown} />}
      <div className={form.bar}>
        <Button
          look="primary"
          why={running ? x.why.running : missing || (write.isPending ? x.writing : '')}
          onClick={() => write.mutate(order, { onSuccess: (written) => written && onWhat(written.run) })}
          data-testid="batch-write-into"
        >
          {x.writeInto}
        </Button>
        {write.isPending && (
          <>
            <span className={form.soft} role="status">
              {going || x.writing}
            </span>
            <Button onClick={stop}>{x.stop}</Button>
          </>
        )}
      </div>
      {write.data && <Written of={write.data} />}
    </section>
  );
};

const Style = ({ style, onStyle }: { style: string; onStyle: (style: string) => void }) => (
  <div className={css.style}>
    <fieldset className={form.choices} style={{ margin: 0 }}>
      <legend className="hidden">{x.style}</legend>
      {Object.entries(x.styles).map(([v, name]) => (
        <label key={v} className={form.choice} data-chosen={style === v || undefined} data-testid={`batch-style-${v}`}>
          <input type="radio" name="batch-style" checked={style === v} onChange={() => onStyle(v)} />
          {name}
        </label>
      ))}
    </fieldset>
    <span className={form.note}>{x.styleNotes[style]}</span>
  </div>
);

const Written = ({ of }: { of: BatchWritten }) => (
  <div className={css.outcome} data-testid="batch-written">
    <strong role="status">{x.written(of.requests, of.stage, of.files.length)}</strong>
    <code className={css.path}>{of.dir}</code>
    <table className={form.table}>
      <Head columns={x.fileColumns} />
      <tbody>
        {of.files.map((f) => (
          <tr key={f.path}>
            <td>{f.path}</td>
            <td>{f.requests.toLocaleString('en')}</td>
            <td>{sizeOf(f.bytes)}</td>
            <td title={f.sha256}>
              <code>{f.sha256.replace(/^sha256:/, '').slice(0, 12)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {of.failed.map((c) => (
      <span key={c.kind} className={form.warn}>
        {x.leftOut(c.count, t.experiment.kinds[c.kind] ?? c.kind)}
      </span>
    ))}
    {of.not_applicable.length > 0 && (
      <span className={form.note}>{x.notApplicable(of.not_applicable.reduce((sum, c) => sum + c.count, 0))}</span>
    )}
  </div>
);
