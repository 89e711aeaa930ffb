import { useEffect, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useArms, useComparison, useKept, usePairs } from '../../backend/experimenting';
import type { ArmName, Comparison, Pair, PairName } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useActions } from '../../ui/actions';
import { Button, cx, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Beside } from './Beside';
import css from './compare.module.css';

const x = t.compare;

/** ComparedAt names two chains of a case; one chain alone stands in both places. */
export interface ComparedAt {
  id?: string;
  before?: string;
  after?: string;
}

interface Props {
  open: boolean;
  role: string;
  at: ComparedAt;
  onAt: (at: ComparedAt) => void;
}

/** CompareScreen puts what a model was asked before and under an intervention beside each other. It is the coordinator's. */
export const CompareScreen = ({ open, role, at, onAt }: Props) => {
  if (!open) return <p className={css.empty}>{t.experiment.none}</p>;
  if (role !== 'coordinator') return <p className={css.empty}>{t.experiment.refused}</p>;
  return <Screen at={at} onAt={onAt} />;
};

const nobody: PairName = { model: '', before: '', after: '' };

const Screen = ({ at, onAt }: Pick<Props, 'at' | 'onAt'>) => {
  const arms = useArms();
  const [name, setName] = useKept<PairName>('compare', nobody);
  const [fresh, setFresh] = useState(false); // the arms were just chosen: go to their first case
  const [changedOnly, setChangedOnly] = useState(false);
  const full = name.model !== '' && name.before !== '' && name.after !== '';
  const pairs = usePairs(name, full);
  const list = full && pairs.data && !pairs.isPlaceholderData ? pairs.data.pairs : [];
  const shown = changedOnly ? list.filter((p) => p.changed > 0) : list;
  const isHere = (p: Pair) => p.case === at.id && p.before === at.before && p.after === at.after;
  const here = shown.findIndex(isHere);
  const to = (p: Pair | undefined) => p && onAt({ id: p.case, before: p.before, after: p.after });
  const step = (by: 1 | -1) => to(shown[here < 0 ? 0 : here + by]);
  const ready = full && pairs.isSuccess;
  useEffect(() => {
    if (!fresh || !ready) return;
    setFresh(false);
    const next = list.find((p) => p.case === at.id) ?? list.find((p) => p.changed > 0) ?? list[0];
    onAt(next ? { id: next.case, before: next.before, after: next.after } : {});
  });
  useActions([
    { id: 'next-case', run: () => step(1) },
    { id: 'previous-case', run: () => step(-1) },
  ]);
  const comparison = useComparison(at.id ?? '', at.before ?? '', at.after ?? '');
  // Somebody came by an address: the picks are those of the chains that it names.
  const [a, b] = comparison.data?.arms ?? [];
  const arrived = at.id !== undefined && here < 0 && !fresh && a?.chain === at.before && b?.chain === at.after;
  const named = arrived && a && b && a.model !== '' && a.model === b.model ? [a.model, a.condition, b.condition] : [];
  useEffect(() => {
    const [model, before, after] = named;
    if (!model || before === undefined || after === undefined) return;
    if (model !== name.model || before !== name.before || after !== name.after) setName({ model, before, after });
  });
  if (arms.isError) return <Failed of={arms} />;
  if (!arms.data) return <p className={css.empty}>{t.loading}</p>;
  if (arms.data.length === 0) {
    return (
      <div className={css.empty} data-testid="compare">
        <p>{x.none}</p>
        <a href="#/experiment">{x.toRun}</a>
      </div>
    );
  }
  const choose = (next: PairName) => {
    setName(next);
    setFresh(next.model !== '' && next.before !== '' && next.after !== '');
  };
  return (
    <main className={css.screen} data-testid="compare">
      <h1 className="hidden">{x.title}</h1>
      <div className={css.top}>
        <Picks arms={arms.data} name={name} onName={choose} />
        <span className={css.cases}>
          <Button look="quiet" disabled={here <= 0} aria-label={t.actions.previousCase} onClick={() => step(-1)}>
            ‹
          </Button>
          <select
            className={form.input}
            aria-label={x.case}
            value={here < 0 ? '' : String(here)}
            disabled={shown.length === 0}
            data-testid="pick-case"
            onChange={(e) => to(shown[Number(e.target.value)])}
          >
            {here < 0 && <option value="">{at.id ?? x.case}</option>}
            {shown.map((p, i) => (
              <option key={p.case} value={i}>
                {name.before === name.after ? p.case : x.caseOf(p.case, p.changed, p.of)}
              </option>
            ))}
          </select>
          <Button
            look="quiet"
            disabled={here < 0 || here >= shown.length - 1}
            aria-label={t.actions.nextCase}
            onClick={() => step(1)}
            data-testid="next-pair"
          >
            ›
          </Button>
          {here >= 0 && <span className={form.note}>{x.place(here + 1, shown.length)}</span>}
          <label className={css.only}>
            <input
              type="checkbox"
              checked={changedOnly}
              data-testid="changed-only"
              onChange={() => setChangedOnly(!changedOnly)}
            />
            {x.changedOnly}
          </label>
        </span>
      </div>
      <Body
        full={full}
        unfair={full ? (pairs.data?.unfair ?? '') : ''}
        none={ready && list.length === 0}
        noneChanged={ready && list.length > 0 && shown.length === 0}
        failed={pairs.isError ? pairs : comparison.isError ? comparison : undefined}
        comparison={at.id ? comparison.data : undefined}
        at={at}
        onContinued={(got) => {
          const [a, b] = got.arms;
          if (!a || !b) return;
          if (a.model === b.model) setName({ model: a.model, before: a.condition, after: b.condition });
          onAt({ id: got.case, before: a.chain, after: b.chain });
        }}
      />
    </main>
  );
};

interface Failing {
  error: unknown;
  refetch: () => unknown;
}

const Failed = ({ of }: { of: Failing }) => (
  <div className={css.empty} data-testid="compare">
    <Trouble title={t.fault.title} text={troubleOf(of.error).text || t.fault.unknown}>
      <Button onClick={() => void of.refetch()}>{t.fault.again}</Button>
    </Trouble>
  </div>
);

interface BodyProps {
  full: boolean;
  unfair: string;
  none: boolean;
  noneChanged: boolean;
  failed: Failing | undefined;
  comparison: Comparison | undefined;
  at: ComparedAt;
  onContinued: (got: Comparison) => void;
}

const Body = ({ full, unfair, none, noneChanged, failed, comparison, at, onContinued }: BodyProps) => {
  if (unfair)
    return (
      <div className={css.empty} role="alert" data-testid="unfair">
        <strong>{x.refused}</strong> {unfair}.
      </div>
    );
  if (failed) return <Failed of={failed} />;
  if (full && none) return <p className={css.empty}>{x.noPairs}</p>;
  if (noneChanged) return <p className={css.empty}>{x.noneChanged}</p>;
  if (!at.id) return <p className={css.empty}>{full ? t.loading : x.choose}</p>;
  if (!comparison) return <p className={css.empty}>{t.loading}</p>;
  return <Beside key={comparison.case} of={comparison} onContinued={onContinued} />;
};

interface PicksProps {
  arms: readonly ArmName[];
  name: PairName;
  onName: (name: PairName) => void;
}

const Picks = ({ arms, name, onName }: PicksProps) => {
  const models = [...new Set(arms.map((a) => a.model))];
  const conditions = arms.filter((a) => a.model === name.model).map((a) => a.condition);
  return (
    <>
      <Pick
        label={x.model}
        testid="pick-model"
        value={name.model}
        choices={models}
        onValue={(model) => {
          const there = arms.filter((a) => a.model === model).map((a) => a.condition);
          onName({
            model,
            before: there.includes(name.before) ? name.before : '',
            after: there.includes(name.after) ? name.after : '',
          });
        }}
      />
      <Pick
        label={x.before}
        testid="pick-before"
        value={name.before}
        choices={conditions}
        onValue={(before) => onName({ ...name, before })}
      />
      <Pick
        label={x.after}
        testid="pick-after"
        value={name.after}
        choices={conditions}
        onValue={(after) => onName({ ...name, after })}
      />
    </>
  );
};

interface PickProps {
  label: string;
  testid: string;
  value: string;
  choices: readonly string[];
  onValue: (value: string) => void;
}

const Pick = ({ label, testid, value, choices, onValue }: PickProps) => (
  <label className={css.pick}>
    {label}
    <select
      className={cx(form.input, css.named)}
      value={value}
      disabled={choices.length === 0}
      data-testid={testid}
      onChange={(e) => onValue(e.target.value)}
    >
      {value === '' && <option value="" />}
      {choices.map((c) => (
        <option key={c}>{c}</option>
      ))}
    </select>
  </label>
);
