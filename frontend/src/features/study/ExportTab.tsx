import { type FormEvent, useId, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useChooseList, useExport, useExportFormats } from '../../backend/exporting';
import { useGoing } from '../../backend/packaging';
import type { Exported, ExportFormat } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, cx, Trouble } from '../../ui/basics';
import { Choose } from '../../ui/Choose';
import form from '../../ui/form.module.css';
import css from './export.module.css';
import { PoolSites } from './PoolSites';
import study from './study.module.css';

const x = t.export;

const pooling = 'pool';

/** ExportTab writes what was read for other programs: a format, how cases are parted, and then what came in and what went out. */
export const ExportTab = () => {
  const formats = useExportFormats();
  const [name, setName] = useState('');
  if (formats.isError) return <Trouble title={t.fault.title} text={troubleOf(formats.error).text || t.fault.unknown} />;
  if (!formats.data) return <p>{t.loading}</p>;
  const groups = [...new Set(formats.data.map((f) => f.for))];
  const picked = formats.data.find((f) => f.name === name);
  return (
    <div className={css.tab} data-testid="export-tab">
      <nav className={css.formats} aria-label={x.formats}>
        {groups.map((group) => (
          <section key={group}>
            <h2>{x.for[group] ?? group}</h2>
            {formats.data
              .filter((f) => f.for === group)
              .map((f) => (
                <button
                  key={f.name}
                  type="button"
                  className={css.format}
                  aria-pressed={f.name === name}
                  onClick={() => setName(f.name)}
                  data-testid={`format-${f.name}`}
                >
                  <span>{f.name}</span>
                  <span className={css.what}>{f.title}</span>
                </button>
              ))}
            {group === 'sites' && (
              <button
                type="button"
                className={css.format}
                aria-pressed={name === pooling}
                onClick={() => setName(pooling)}
                data-testid="format-pool"
              >
                <span>{x.pool.open}</span>
                <span className={css.what}>{x.pool.what}</span>
              </button>
            )}
          </section>
        ))}
      </nav>
      {picked ? (
        <Order key={picked.name} format={picked} />
      ) : name === pooling ? (
        <PoolSites />
      ) : (
        <p className={css.pick}>{x.pick}</p>
      )}
    </div>
  );
};

const Order = ({ format }: { format: ExportFormat }) => {
  const id = useId();
  const act = useExport(x.chooseTitle);
  const { going, stop } = useGoing(act.isPending, x.going);
  const [split, setSplit] = useState(format.split ? x.splitUsual : '');
  const [seed, setSeed] = useState('');
  const [labels, setLabels] = useState('');
  const [prompt, setPrompt] = useState('');
  const [against, setAgainst] = useState('');
  const write = (e: FormEvent) => {
    e.preventDefault();
    if (!act.isPending)
      act.mutate({
        format: format.name,
        split: split.trim(),
        seed: Number(seed) || 0,
        labels,
        prompt,
        frames: 0,
        against: against.trim(),
      });
  };
  return (
    <form className={css.order} onSubmit={write} data-testid="export-order">
      <h1>{format.title}</h1>
      <details className={css.shapes} key={format.name}>
        <summary>
          {format.files.map((f) => (
            <code key={f.path}>{f.path} </code>
          ))}
        </summary>
        <ul aria-label={x.files}>
          {format.files.map((f) => (
            <li key={f.path}>
              <code>{f.path}</code> <span>{f.fields.join(', ')}</span>
            </li>
          ))}
        </ul>
      </details>
      {format.for !== 'sites' && (
        <div className={study.field}>
          <label htmlFor={`${id}-split`}>{x.split}</label>
          <Listed id={`${id}-split`} value={split} title={x.chooseSplit} onValue={setSplit} testid="export-split" />
          <span className={form.note}>{split.trim() === '' && !format.split ? x.splitNone : x.splitNote}</span>
        </div>
      )}
      {format.split && (
        <>
          <div className={study.field}>
            <label htmlFor={`${id}-seed`}>{x.seed}</label>
            <input
              id={`${id}-seed`}
              className={cx(study.input, study.number)}
              inputMode="numeric"
              value={seed}
              onChange={(e) => setSeed(e.target.value.replace(/\D/g, '').slice(0, 15))}
            />
            <span className={form.note}>{x.seedNote}</span>
          </div>
          <div className={study.field}>
            <label htmlFor={`${id}-against`}>{x.against}</label>
            <Listed
              id={`${id}-against`}
              value={against}
              title={x.chooseAgainst}
              onValue={setAgainst}
              testid="export-against"
            />
            <span className={form.note}>{x.againstNote}</span>
          </div>
        </>
      )}
      {format.labels && (
        <Choose label={x.labels} value={labels} onValue={setLabels} testid="export-labels">
          {x.labelKinds.map(kind)}
        </Choose>
      )}
      {format.prompts && (
        <Choose label={x.prompts} value={prompt} onValue={setPrompt} testid="export-prompt">
          {x.promptKinds.map(kind)}
        </Choose>
      )}
      {format.signed && <p className={form.note}>{x.signed}</p>}
      <div className={css.ends}>
        <Button look="primary" type="submit" why={act.isPending ? x.writing : ''} data-testid="export-write">
          {act.isPending ? x.writing : x.write}
        </Button>
        {act.isPending && <Button onClick={stop}>{x.cancel}</Button>}
        <span role="status" className={css.going}>
          {going}
        </span>
      </div>
      {act.isError && <Failed error={act.error} />}
      {act.data && <Written done={act.data} />}
    </form>
  );
};

const kind = ([value, text]: readonly string[]) => (
  <option key={value} value={value}>
    {text}
  </option>
);

interface ListedProps {
  id: string;
  value: string;
  title: string;
  onValue: (value: string) => void;
  testid: string;
}

/** Listed is a field for a file that may be chosen by the system's dialog. */
const Listed = ({ id, value, title, onValue, testid }: ListedProps) => {
  const choose = useChooseList(title);
  return (
    <div className={css.listed}>
      <input
        id={id}
        className={study.input}
        value={value}
        spellCheck={false}
        onChange={(e) => onValue(e.target.value)}
        data-testid={testid}
      />
      <Button
        onClick={() => choose.mutate(undefined, { onSuccess: (path) => path && onValue(path) })}
        aria-label={`${x.choose} ${title}`}
        data-testid={`${testid}-choose`}
      >
        {x.choose}
      </Button>
    </div>
  );
};

const Failed = ({ error }: { error: unknown }) => {
  const trouble = troubleOf(error);
  if (trouble.kind === 'cancelled') return null;
  const title = trouble.text.includes('blocked by leakage')
    ? x.blocked
    : trouble.kind === 'not_found'
      ? x.nothing
      : t.fault.title;
  return (
    <div data-testid="export-failed">
      <Trouble title={title} text={title === x.blocked ? leaks(trouble.text) : trouble.text || t.fault.unknown} />
    </div>
  );
};

/** leaks puts each thing that leaks on a line of its own. */
const leaks = (text: string) => `\n${text.replace(/^.*?blocked by leakage: /, '').replaceAll('); ', ')\n')}`;

const Written = ({ done }: { done: Exported }) => (
  <section className={css.written} data-testid="export-written">
    <p role="status">{x.written(done.files, done.pictures, done.dir)}</p>
    <table aria-label={x.table}>
      <thead>
        <tr>
          <th>{x.unit}</th>
          <th>{x.in}</th>
          <th>{x.out}</th>
          <th>{x.side}</th>
        </tr>
      </thead>
      <tbody>
        {done.units.map((u) => (
          <tr key={u.unit}>
            <td>{u.unit}</td>
            <td className={css.n}>{u.in}</td>
            <td className={css.n}>{u.out}</td>
            <td>
              {u.side.map((s) => (
                <div key={s.why}>
                  {s.n}: {s.why}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {done.parts.length > 0 && (
      <table aria-label={x.parts}>
        <thead>
          <tr>
            <th>{x.part}</th>
            <th>{x.cases}</th>
            <th>{x.clusters}</th>
            <th>{x.patients}</th>
            <th>{x.images}</th>
          </tr>
        </thead>
        <tbody>
          {done.parts.map((p) => (
            <tr key={p.name}>
              <td>{p.name}</td>
              <td className={css.n}>{p.cases}</td>
              <td className={css.n}>{p.clusters}</td>
              <td className={css.n}>{p.patients}</td>
              <td className={css.n}>{p.images}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {done.warnings.map((w) => (
      <p key={w} className={css.warning}>
        {w}
      </p>
    ))}
  </section>
);
