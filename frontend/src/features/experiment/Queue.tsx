import { type KeyboardEvent, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { usePointed, useUncertain } from '../../backend/queueing';
import { useRules, useSetProtocol } from '../../backend/studying';
import type { Trigger, Uncertain } from '../../lib/nouns';
import { protocolOf, protocolText } from '../../lib/protocol';
import { t } from '../../lib/texts';
import { Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Head } from '../../ui/Head';
import { Expert } from './Expert';
import css from './queue.module.css';

const x = t.uncertain;
const mostShown = 200;

interface Props {
  /** A run of one case with one model is to be set up. */
  onSetUp: (model: string, caseID: string) => void;
}

/** Queue lists the cases of which models are most unsure; of the chosen one, which model to ask and what to point it to. */
export const Queue = ({ onSetUp }: Props) => {
  const queue = useUncertain();
  const [pointed, point] = usePointed();
  const [model, setModel] = useState('');
  if (queue.isError) return <Trouble title={t.fault.title} text={troubleOf(queue.error).text || t.fault.unknown} />;
  if (!queue.data) return <p>{t.loading}</p>;
  const models = [...new Set(queue.data.cases.map((u) => u.model))].sort();
  const rows = queue.data.cases.filter((u) => model === '' || u.model === model);
  return (
    <div className={css.sides} data-testid="queue">
      <div className={css.left}>
        <section className={form.card} aria-label={x.title}>
          <div className={form.bar}>
            <h2>{x.title}</h2>
            {models.length > 1 && (
              <select
                className={form.input}
                style={{ width: 'auto', marginLeft: 'auto' }}
                aria-label={x.model}
                value={model}
                data-testid="queue-model"
                onChange={(e) => setModel(e.target.value)}
              >
                <option value="">{x.everyModel}</option>
                {models.map((m) => (
                  <option key={m}>{m}</option>
                ))}
              </select>
            )}
          </div>
          {rows.length === 0 ? (
            <span className={form.soft} data-testid="queue-none">
              {x.none}
            </span>
          ) : (
            <>
              <span className={form.note}>{x.note}</span>
              <List
                rows={rows.slice(0, mostShown)}
                chosen={pointed.chain}
                onChoose={(u) => point({ case: u.case, chain: u.chain })}
              />
              {rows.length > mostShown && <span className={form.note}>{x.more(rows.length - mostShown)}</span>}
            </>
          )}
          <Order />
        </section>
        {queue.data.triggers.length > 0 && <Triggers all={queue.data.triggers} />}
      </div>
      {pointed.chain === '' ? (
        <p className={css.pick}>{x.pick}</p>
      ) : (
        <Expert key={pointed.chain} of={pointed} row={rows.find((u) => u.chain === pointed.chain)} onSetUp={onSetUp} />
      )}
    </div>
  );
};

interface ListProps {
  rows: readonly Uncertain[];
  chosen: string;
  onChoose: (row: Uncertain) => void;
}

const two = (v: number | null | undefined) => (typeof v === 'number' ? v.toFixed(2) : x.unknown);

const List = ({ rows, chosen, onChoose }: ListProps) => {
  const move = (e: KeyboardEvent<HTMLTableSectionElement>) => {
    const to = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[e.key] as
      | 'nextElementSibling'
      | 'previousElementSibling'
      | undefined;
    const row = to && (e.target as HTMLElement).closest('tr')?.[to];
    const next = row?.querySelector<HTMLElement>('button');
    if (!next) return;
    e.preventDefault();
    next.focus();
  };
  return (
    <div className={css.listed}>
      <table className={form.table} data-testid="queue-list">
        <Head columns={Object.values(x.columns)} />
        <tbody onKeyDown={move}>
          {rows.map((u) => (
            <tr key={u.chain} data-chosen={u.chain === chosen || undefined}>
              <td>
                <button
                  type="button"
                  className={css.opener}
                  aria-pressed={u.chain === chosen}
                  onClick={() => onChoose(u)}
                  data-testid={`unsure-${u.case}-${u.model}`}
                >
                  {u.case}
                </button>
              </td>
              <td>{u.model}</td>
              <td>
                <span className={css.score} title={x.scoreIs(u.score)}>
                  <i style={{ width: `${100 * u.score}%` }} />
                  <span>{two(u.score)}</span>
                </span>
              </td>
              <td title={typeof u.missing_mass === 'number' ? x.missing(u.missing_mass) : undefined}>
                {two(u.entropy)}
              </td>
              <td>{two(u.disagreement)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Triggers = ({ all }: { all: readonly Trigger[] }) => (
  <section className={form.card} aria-label={x.trigger} data-testid="triggers">
    <h2>{x.trigger}</h2>
    <span className={form.note}>{x.triggerNote}</span>
    <dl className={css.triggers}>
      {all.map((v) => (
        <div key={v.model} data-testid={`trigger-${v.model}`}>
          <dt>{v.model}</dt>
          <dd>
            {typeof v.auroc === 'number' ? x.auroc(v.auroc, v.interval?.length ? v.interval : null) : x.noFigure}
            <span className={form.note}>
              {[x.triggerOf(v.wrong, v.cases, v.clusters), v.reason].filter(Boolean).join(' · ')}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

const orders = ['random', 'uncertain'] as const;

// The order in which readers read, as the protocol has it.
const Order = () => {
  const rules = useRules(true);
  const set = useSetProtocol();
  const protocol = rules.data && protocolOf(rules.data.protocol);
  if (!protocol) return null;
  const now = protocol.order ?? 'random';
  const unset = !rules.data?.set;
  return (
    <div className={css.order} data-testid="reading-order">
      <div className={form.bar}>
        <span>{x.order}</span>
        <fieldset className={form.choices}>
          <legend className="hidden">{x.order}</legend>
          {orders.map((o) => (
            <label key={o} className={form.choice} data-chosen={now === o || undefined} data-testid={`order-${o}`}>
              <input
                type="radio"
                name="reading-order"
                checked={now === o}
                disabled={unset}
                onChange={() => set.mutate(protocolText({ ...protocol, order: o }))}
              />
              {x.orders[o]}
            </label>
          ))}
        </fieldset>
      </div>
      {unset ? (
        <span className={form.note} data-testid="order-unset">
          {x.noProtocol} <a href="#/study">{x.toStudy}</a>
        </span>
      ) : (
        <span className={form.note}>{set.isPending ? x.ordering : x.orderNote}</span>
      )}
      {set.isError && <Trouble title={t.fault.title} text={troubleOf(set.error).text || t.fault.unknown} />}
    </div>
  );
};
