import { type RefObject, useEffect, useRef } from 'react';
import { answerText } from '../../chain/outline';
import { Grades, Rows } from '../../chain/Rows';
import { RegionChip } from '../../chain/StepCard';
import { stageLabel } from '../../lib/format';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { Button, Chip, cx, Kbd, ModelText, Trouble } from '../../ui/basics';
import css from './adjudication.module.css';
import { Compare, sign } from './Compare';
import { valuesOf, withEvidence } from './draft';
import type { ItemState } from './Item';
import { marksOf } from './Picture';

/** Panel says what the item is, compares the reads, and takes the decision. */
export const Panel = ({ item, panel }: { item: ItemState; panel: RefObject<HTMLElement | null> }) => {
  // The row that the keys answer stays in sight, also when a grade brings new rows.
  const asked = `${item.row} ${item.rows.length}`;
  const before = useRef(asked);
  useEffect(() => {
    if (before.current === asked) return; // what was said is read before anything is answered
    before.current = asked;
    panel.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [panel, asked]);
  return (
    <section
      ref={panel}
      className={css.panel}
      data-zone="steps"
      tabIndex={-1}
      aria-label={t.adjudication.title}
      data-testid="item-panel"
      data-item={item.view.id}
    >
      <div className={css.scroll}>
        <About item={item} />
        <Compare item={item} />
        {item.fixed ? <Settled item={item} /> : <Decision item={item} />}
      </div>
      {!item.fixed && <Foot item={item} />}
    </section>
  );
};

const About = ({ item: { view, toRegion, lit, setLit } }: { item: ItemState }) => {
  const at = view.answers.findIndex((a) => a.steps.some((s) => s.id === view.part));
  const answer = view.answers[at];
  const step = answer?.steps.find((s) => s.id === view.part);
  const question = view.of.questions.find((q) => q.id === (answer?.question ?? view.part));
  const stage = view.stages.find((s) => s.k === question?.k);
  const title =
    view.on === 'step'
      ? t.adjudication.step(view.chain, view.step)
      : view.on === 'chain'
        ? t.adjudication.wholeChain(view.chain)
        : t.adjudication.question;
  return (
    <div className={css.about}>
      <span className={css.soft}>
        {question && `${stageLabel(question.k, stage?.name ?? question.stage)} · `}
        {title}
      </span>
      {question && (
        <span className={view.on === 'question' ? css.claim : css.soft}>
          <ModelText text={question.text} />
        </span>
      )}
      {answer?.answer && (
        <span className={css.soft}>
          {t.reading.modelAnswer}: <b dir="auto">{answerText(answer.answer, question)}</b>
        </span>
      )}
      {view.on === 'chain' && <WholeChain item={view} />}
      {step && (
        <div className={css.claim}>
          {step.text ? <ModelText text={step.text} /> : <i>{t.reading.latent}</i>}
          {step.regions.map((region) => (
            <RegionChip
              key={region.id}
              region={region}
              lit={lit === region.id}
              onRegion={toRegion}
              onLight={(r) => setLit(r?.id ?? '')}
            />
          ))}
        </div>
      )}
      {step && (
        <details className={css.rest}>
          <summary data-testid="rest-of-chain">{t.adjudication.rest}</summary>
          <WholeChain item={view} />
        </details>
      )}
    </div>
  );
};

/** WholeChain lists what the chain says, answer by answer. */
const WholeChain = ({ item }: { item: ItemState['view'] }) => (
  <ol className={css.chain}>
    {item.answers
      .flatMap((a) => a.steps)
      .map((s) => (
        <li key={s.id}>{s.text ? <ModelText text={s.text} /> : <i>{t.reading.latent}</i>}</li>
      ))}
  </ol>
);

const Settled = ({ item }: { item: ItemState }) => (
  <div className={css.decision} data-testid="settled">
    <h2>{t.adjudication.revision(item.view.revisions)}</h2>
    <p dir="auto">“{item.view.reason}”</p>
    <div>
      <Button data-testid="revise" onClick={() => item.setRevising(true)}>
        {t.adjudication.revise}
      </Button>
    </div>
  </div>
);

/** Decision asks what the reads do not say alike; nothing is chosen beforehand. */
const Decision = ({ item }: { item: ItemState }) => {
  const { view, rows, draft } = item;
  const support = rows.find((r) => r.id === 'support');
  return (
    <div className={css.decision} data-testid="decision">
      <h2>{t.adjudication.final}</h2>
      {support && (
        <Grades
          choices={support.choices}
          value={draft.rating.support}
          active={item.row === 'support'}
          readOnly={false}
          onChoose={(g) => item.choose('support', g)}
        />
      )}
      <Rows
        rows={rows.filter((r) => r.id !== 'support')}
        values={(id) => valuesOf(view, draft, id)}
        active={item.row}
        readOnly={false}
        onRow={item.setRow}
        onChoose={item.choose}
        onText={() => undefined}
        regions={(id) => (id === 'missed' ? <Missing item={item} /> : <Evidence item={item} />)}
      />
      <p className={css.soft}>{t.adjudication.stands}</p>
    </div>
  );
};

/** Evidence takes regions over from the reads, or from a drawing. */
const Evidence = ({ item }: { item: ItemState }) => {
  const { view, draft, setDraft } = item;
  const keyOf = useKeyOf();
  const has = (from: string) => draft.evidence.some((r) => r.id.startsWith(`${from}-`));
  const set = (from: string, regions: typeof draft.evidence) =>
    setDraft({ ...draft, evidence: withEvidence(draft.evidence, from, regions) });
  const own = draft.evidence.filter((r) => r.id.startsWith('own-'));
  const [stack] = view.stacks;
  return (
    <>
      {view.consensus.length > 0 && (
        <Chip
          lit={has('half')}
          aria-pressed={has('half')}
          data-testid="evidence-half"
          onClick={() => set('half', view.consensus)}
        >
          {t.adjudication.addConsensus}
        </Chip>
      )}
      {view.unnamed
        .filter((u) => marksOf(u).length > 0)
        .map((u) => (
          <Chip
            key={u.number}
            lit={has(`read${u.number}`)}
            aria-pressed={has(`read${u.number}`)}
            data-testid={`evidence-read-${u.number}`}
            onClick={() => set(`read${u.number}`, u.rating?.evidence ?? u.look?.evidence ?? [])}
          >
            {sign(u.number)} {t.adjudication.addRead(u.number)}
          </Chip>
        ))}
      {own.map((r) => (
        <Chip
          key={r.id}
          kind="mine"
          lit
          aria-label={t.reading.remove(r.id)}
          onClick={() => setDraft({ ...draft, evidence: draft.evidence.filter((x) => x.id !== r.id) })}
        >
          {t.reading.mine} ✕
        </Chip>
      ))}
      {stack && (
        <>
          <Chip lit={item.tool === 'box'} data-testid="add-box" onClick={() => item.setTool('box')}>
            + {t.reading.addBox} {keyOf('evidence') && <Kbd of={keyOf('evidence')} />}
          </Chip>
          <Chip
            lit={has('whole')}
            aria-pressed={has('whole')}
            data-testid="add-whole"
            onClick={() => set('whole', [{ id: 'image', image: item.place.image, shape: 'whole_image', coords: [] }])}
          >
            + {t.reading.wholeImage}
          </Chip>
        </>
      )}
    </>
  );
};

/** Missing takes missed findings over from the reads, or says that there are none. */
const Missing = ({ item }: { item: ItemState }) => {
  const { view, draft, setDraft } = item;
  const now = draft.missed;
  return (
    <>
      <Chip
        lit={now?.length === 0}
        aria-pressed={now?.length === 0}
        data-testid="missed-none"
        onClick={() => setDraft({ ...draft, missed: now?.length === 0 ? undefined : [] })}
      >
        {t.adjudication.noneMissed}
      </Chip>
      {view.unnamed.flatMap((u) =>
        (u.chain_rating?.missed ?? []).map((m) => {
          const on = now?.some((x) => x.text === m.text && x.significance === m.significance) ?? false;
          const rest = (now ?? []).filter((x) => x.text !== m.text || x.significance !== m.significance);
          return (
            <Chip
              key={`${u.number}/${m.text}`}
              lit={on}
              aria-pressed={on}
              style={{ whiteSpace: 'normal' }}
              onClick={() => setDraft({ ...draft, missed: on ? (rest.length > 0 ? rest : undefined) : [...rest, m] })}
            >
              {sign(u.number)} {t.adjudication.addMissed(u.number, m.text)} ({m.significance})
            </Chip>
          );
        }),
      )}
    </>
  );
};

const Foot = ({ item }: { item: ItemState }) => {
  const keyOf = useKeyOf();
  const { draft, setDraft, missing } = item;
  return (
    <div className={css.foot}>
      <label className={css.reason}>
        <span>{t.adjudication.reason}</span>
        <textarea
          rows={2}
          maxLength={20000}
          data-testid="reason"
          placeholder={t.adjudication.reasonHere}
          value={draft.reason}
          onChange={(e) => setDraft({ ...draft, reason: e.target.value })}
        />
      </label>
      {item.fault && <Trouble title={t.fault.title} text={item.fault} />}
      <div className={css.footLine}>
        <span className={cx(css.soft, css.needs)} data-testid="needs">
          {missing.length > 0 && t.adjudication.needs(missing)}
        </span>
        {item.revising && (
          <Button look="quiet" onClick={() => item.setRevising(false)}>
            {t.adjudication.keep}
          </Button>
        )}
        <Button
          look="primary"
          data-testid="decide"
          why={item.saving ? t.adjudication.deciding : missing.length > 0 ? t.adjudication.needs(missing) : ''}
          keys={keyOf('commit')}
          onClick={item.save}
        >
          {t.adjudication.decide}
        </Button>
      </div>
    </div>
  );
};
