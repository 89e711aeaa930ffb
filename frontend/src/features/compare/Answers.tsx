import { type KeyboardEvent, useEffect, useRef } from 'react';
import { usePointTo } from '../../backend/queueing';
import { answerText, frameNumber } from '../../chain/outline';
import { share, stageLabel } from '../../lib/format';
import { keyLabel } from '../../lib/keys';
import type { Arm, ComparedQuestion, ComparedSaid, Comparison, Region } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { Button, Chip, cx, ModelText } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { whyNotFrom } from './ContinueDialog';
import css from './compare.module.css';
import { armName } from './Pane';

const x = t.compare;

interface Props {
  of: Comparison;
  arms: readonly Arm[];
  question: string;
  onQuestion: (question: string) => void;
  onRegion: (nth: number, region: Region) => void;
  onContinue: (arm: Arm) => void;
}

/** Answers sets what both arms said beside each other, stage by stage; the open question shows the steps of both. */
export const Answers = ({ of, arms, question, onQuestion, onRegion, onContinue }: Props) => {
  const from = of.questions.find((q) => q.said[1]?.corrected);
  return (
    <section className={css.answers} aria-label={t.groups.steps} data-zone="steps" data-testid="answers">
      <div className={css.summary}>
        <strong data-testid="changed-count">
          {arms.length < 2 ? x.sameArm : x.summary(of.changed, of.questions.length)}
        </strong>
        {of.hidden && <span className={form.note}>{x.hidden}</span>}
        {of.differs.length > 0 && (
          <span className={form.note}>{x.differs(of.differs.map((f) => t.experiment.factors[f] ?? f))}</span>
        )}
        {of.arms.some((a) => a.origin?.condition.cue === 'emphasis') && (
          <span className={form.note} data-testid="is-emphasis" title={t.uncertain.emphasisNote}>
            {x.emphasis}
          </span>
        )}
        {of.unfair && <span className={form.warn}>{of.unfair}</span>}
        {from && (
          <span className={form.note} data-testid="continued">
            {x.continued(stageLabel(from.question.k, from.question.stage))}
          </span>
        )}
      </div>
      <ol className={css.list}>
        {of.questions.map((q) => (
          <Row
            key={q.question.id}
            of={of}
            row={q}
            arms={arms}
            open={q.question.id === question}
            onOpen={() => onQuestion(q.question.id)}
            onRegion={onRegion}
            onContinue={onContinue}
          />
        ))}
      </ol>
    </section>
  );
};

interface RowProps {
  of: Comparison;
  row: ComparedQuestion;
  arms: readonly Arm[];
  open: boolean;
  onOpen: () => void;
  onRegion: (nth: number, region: Region) => void;
  onContinue: (arm: Arm) => void;
}

const Row = ({ of, row, arms, open, onOpen, onRegion, onContinue }: RowProps) => {
  const { question } = row;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (open) item.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const keys = (e: KeyboardEvent) => {
    const to = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[e.key] as
      | 'nextElementSibling'
      | 'previousElementSibling'
      | undefined;
    const next = to && item.current?.[to]?.querySelector<HTMLElement>('button');
    if (!next) return;
    e.preventDefault();
    next.focus();
  };
  return (
    <li
      ref={item}
      className={css.row}
      data-open={open || undefined}
      data-changed={row.changed || undefined}
      data-testid={`compared-${question.id}`}
    >
      <button type="button" className={css.rowHead} aria-expanded={open} onClick={onOpen} onKeyDown={keys}>
        <span className={css.stage}>{stageLabel(question.k, question.stage)}</span>
        {arms.length > 1 && <span className={cx(css.verdict, row.changed && css.moved)}>{verdict(row)}</span>}
        <span className={css.question} dir="auto">
          {question.text}
        </span>
      </button>
      <div className={css.said} data-alone={arms.length < 2 || undefined}>
        {arms.map((arm, nth) => (
          <Said key={arm.chain} arm={arm} said={row.said[nth] as ComparedSaid} row={row} />
        ))}
      </div>
      {open && (
        <>
          {arms.length > 1 && typeof row.overlap === 'number' && (
            <span className={form.note}>{x.overlap(share(row.overlap))}</span>
          )}
          <div className={css.said} data-alone={arms.length < 2 || undefined}>
            {arms.map((arm, nth) => (
              <Steps
                key={arm.chain}
                of={of}
                arm={arm}
                nth={nth}
                question={question.id}
                onRegion={(region) => onRegion(nth, region)}
                onContinue={() => onContinue(arm)}
              />
            ))}
          </div>
        </>
      )}
    </li>
  );
};

const verdict = (row: ComparedQuestion): string => {
  if (row.changed) return x.changed;
  const asked = row.said.every((s) => s.parse !== '' || s.told);
  return asked ? x.same : x.notAsked;
};

const Said = ({ arm, said, row }: { arm: Arm; said: ComparedSaid; row: ComparedQuestion }) => {
  const leftOut = arm.origin?.left_out?.[row.question.id];
  const words = said.answer ? answerText(said.answer, row.question) : (x.parse[said.parse] ?? x.notAsked);
  return (
    <div className={css.one}>
      <span className={css.letter} title={armName(arm)}>
        {arm.name}
      </span>
      <span>
        <span className={css.answer} data-none={!said.answer || undefined} dir="auto">
          {words}
        </span>{' '}
        {typeof said.right === 'boolean' && said.parse !== '' && (
          <span className={said.right ? css.right : css.wrong}>
            <span aria-hidden="true">{said.right ? '✓' : '✗'}</span> {said.right ? x.right : x.wrong}
          </span>
        )}
        {said.corrected && <span className={css.mine}>{x.corrected}</span>}
        {leftOut && <span className={form.note}>{leftOut}</span>}
        {said.told && !said.corrected && <span className={form.note}>{x.told}</span>}
        {said.target && <span className={css.target}>{x.target(answerText(said.target, row.question))}</span>}
      </span>
    </div>
  );
};

interface StepsProps {
  of: Comparison;
  arm: Arm;
  nth: number;
  question: string;
  onRegion: (region: Region) => void;
  onContinue: () => void;
}

const Steps = ({ of, arm, nth, question, onRegion, onContinue }: StepsProps) => {
  const keyOf = useKeyOf();
  const pointTo = usePointTo();
  const steps = arm.answers.find((a) => a.question === question)?.steps ?? [];
  const why = whyNotFrom(of, question);
  return (
    <div className={css.steps}>
      {steps.map((s) => (
        <div key={s.id} className={css.step}>
          {s.text ? <ModelText text={s.text} /> : <span className={form.note}>{x.latent}</span>}
          {s.regions
            .filter((r) => r.shape !== 'whole_image')
            .map((r) => (
              <Chip key={r.id} kind="model" onClick={() => onRegion(r)}>
                ◎ {x.region(frameNumber(r), typeof r.to === 'number' ? r.to + 1 : undefined)}
              </Chip>
            ))}
        </div>
      ))}
      {!of.hidden && (
        <div className={css.continue}>
          <Button
            why={why}
            onClick={onContinue}
            title={`${t.actions.goOnFrom}${keyOf('go-on-from') ? ` (${keyLabel(keyOf('go-on-from'))})` : ''}`}
            data-testid={`continue-${nth}`}
          >
            {x.continue}
          </Button>
          <Button
            look="quiet"
            title={x.pointNote}
            onClick={() => {
              pointTo({ case: of.case, chain: arm.chain });
              window.location.hash = '#/experiment';
            }}
            data-testid={`point-${nth}`}
          >
            {x.point}
          </Button>
        </div>
      )}
    </div>
  );
};
