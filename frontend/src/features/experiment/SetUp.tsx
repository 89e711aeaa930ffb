import { troubleOf } from '../../backend/client';
import { useCheckedConditions, useEstimate, useRun } from '../../backend/experimenting';
import type { AnyCase, CheckedCondition, ConditionList, Models } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Cases } from './Cases';
import { Conditions } from './Conditions';
import css from './experiment.module.css';
import { Fact, WholeNumber } from './fields';
import { ModelList } from './ModelList';
import { type Draft, durationOf, orderOf, sizeOf, whyNot } from './order';

const x = t.experiment;

interface Props {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  models: Models;
  conditions: ConditionList;
  cases: readonly AnyCase[];
  running: boolean;
}

const none: CheckedCondition[] = [];

/** SetUp chooses models, conditions and cases, and says what that comes to before anything is asked. */
export const SetUp = ({ draft, onDraft, models, conditions, cases, running }: Props) => {
  const checked = useCheckedConditions(draft.conditions);
  const known = draft.conditions.length > 0 ? (checked.data ?? none) : none;
  const change = (part: Partial<Draft>) => onDraft({ ...draft, ...part });
  return (
    <div className={css.setup}>
      <div className={css.column}>
        <ModelList models={models} chosen={draft.models} onChosen={(chosen) => change({ models: chosen })} />
        <Conditions
          set={conditions}
          stages={Math.max(0, ...cases.map((c) => c.stages.length))}
          chosen={draft.conditions}
          checked={known}
          onChosen={(chosen) => change({ conditions: chosen })}
        />
      </div>
      <div className={css.column}>
        <Cases all={cases} taken={draft.cases} onTaken={(taken) => change({ cases: taken })} />
        <How draft={draft} onDraft={onDraft} />
        <ComesTo draft={draft} missing={whyNot(draft, models.models, known, running)} running={running} />
      </div>
    </div>
  );
};

const How = ({ draft, onDraft }: Pick<Props, 'draft' | 'onDraft'>) => (
  <section className={form.card} aria-label={x.how}>
    <h2>{x.how}</h2>
    <div className={css.numbers}>
      <WholeNumber label={x.seed} value={draft.seed} onValue={(seed) => onDraft({ ...draft, seed })} testid="seed" />
      <WholeNumber
        label={x.concurrency}
        value={draft.concurrency}
        onValue={(concurrency) => onDraft({ ...draft, concurrency })}
        note={x.concurrencyNote}
        zero={x.concurrencyZero}
        testid="concurrency"
      />
      <WholeNumber
        label={x.budget}
        value={draft.budget}
        onValue={(budget) => onDraft({ ...draft, budget })}
        note={x.budgetNote}
        zero={x.budgetZero}
        testid="budget"
      />
    </div>
    <span className={form.note}>{x.seedNote}</span>
  </section>
);

// What an order would come to, and the way to begin it.
const ComesTo = ({ draft, missing, running }: { draft: Draft; missing: string; running: boolean }) => {
  const order = orderOf(draft);
  const able = draft.models.length > 0 && draft.conditions.length > 0 && draft.cases?.length !== 0;
  const estimate = useEstimate({ ...order, concurrency: 0, budget: 0 }, able && (missing === '' || running));
  const { start } = useRun();
  const got = able && !estimate.isError ? estimate.data : undefined;
  const why = missing || (estimate.isError ? x.why.estimate : '');
  return (
    <section className={form.card} aria-label={x.estimate} data-testid="estimate">
      <h2>{x.estimate}</h2>
      {got ? (
        <>
          <dl className={form.facts}>
            <Fact name={x.requests} value={got.requests.toLocaleString('en')} testid="estimate-requests" />
            <Fact name={x.chains} value={got.chains.toLocaleString('en')} />
            <Fact name={x.images} value={got.images.toLocaleString('en')} />
            <Fact name={x.size} value={sizeOf(got.bytes)} />
            <Fact name={x.time} value={got.seconds > 0 ? durationOf(got.seconds) : x.unknownTime} />
          </dl>
          {got.seconds === 0 && <span className={form.note}>{x.noTime}</span>}
          {got.seconds > 0 && got.unpaced.length > 0 && <span className={form.note}>{x.unpaced(got.unpaced)}</span>}
          {draft.budget > 0 && got.requests > draft.budget && (
            <span className={form.warn}>{x.overBudget(draft.budget)}</span>
          )}
          {got.added.length > 0 && <span className={form.note}>{x.added(got.added)}</span>}
        </>
      ) : (
        <span className={form.soft}>{able && estimate.isFetching ? x.estimating : missing}</span>
      )}
      {estimate.isError && able && (
        <Trouble title={t.fault.title} text={troubleOf(estimate.error).text || t.fault.unknown} />
      )}
      {start.isError && <Trouble title={t.fault.title} text={troubleOf(start.error).text || t.fault.unknown} />}
      <div className={form.bar}>
        <Button
          look="primary"
          why={start.isPending ? x.starting : why}
          onClick={() => start.mutate(order)}
          data-testid="start-run"
        >
          {start.isPending ? x.starting : x.start}
        </Button>
        {got && why && <span className={form.note}>{why}</span>}
      </div>
    </section>
  );
};
