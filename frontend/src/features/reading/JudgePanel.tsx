import card from '../../chain/card.module.css';
import { answerText, type Numbered, ratingOf, whole } from '../../chain/outline';
import { StepCard } from '../../chain/StepCard';
import { WholeCard } from '../../chain/WholeCard';
import { stageLabel } from '../../lib/format';
import type { Answer } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Chip } from '../../ui/basics';
import { Evidence } from './Evidence';
import { OwnAnswer } from './LookPanel';
import css from './reading.module.css';
import type { Reading } from './useReading';
import { ownInShort, WouldSay } from './WouldSay';

/** JudgePanel shows the model's answers and steps, and asks of each. */
export const JudgePanel = ({ reading }: { reading: Reading }) => {
  const { view, chain, s } = reading;
  if (!chain) return <p className={css.block}>{t.reading.viewOnly}</p>;
  return (
    <>
      <TopQuestion reading={reading} />
      <div className={css.scroll}>
        {view.chains.length > 1 && (
          <nav className={css.tabs} aria-label={t.reading.chains}>
            {view.chains.map((c) => (
              <Chip
                key={c.id}
                lit={c.id === chain.id}
                aria-pressed={c.id === chain.id}
                data-testid={`chain-${c.name}`}
                onClick={() => reading.openPart(c.id, c.answers.flatMap((a) => a.steps)[0]?.id ?? whole)}
              >
                {t.reading.chain(c.name)} {view.missing.some((m) => m.chain === c.id) ? '' : '✓'}
              </Chip>
            ))}
          </nav>
        )}
        <div className={card.panel}>
          {chain.answers.map((answer) => (
            <StageGroup key={answer.question} answer={answer} reading={reading} />
          ))}
          <WholeCard
            rubric={reading.rubric}
            name={chain.name}
            steps={reading.stepNames}
            rating={reading.chainRating}
            derived={reading.derivedFirstBad}
            now={s.part === whole}
            row={s.row}
            readOnly={reading.fixed}
            onOpen={() => reading.openPart(chain.id, whole)}
            onRow={(row) => reading.move({ do: 'row', row })}
            onChoose={reading.choose}
            onNote={(note) => reading.setChainRating((now) => ({ ...now, note }))}
            onMissed={(missed) => reading.setChainRating((now) => ({ ...now, missed }))}
            onMark={(drawFor) => reading.move({ do: 'tool', tool: 'box', drawFor })}
          />
        </div>
      </div>
    </>
  );
};

/** TopQuestion keeps the question of the open step in sight, with the reader's own locked answer. */
const TopQuestion = ({ reading }: { reading: Reading }) => {
  const { view, step, chain } = reading;
  const question =
    view.case.questions.find((q) => q.id === step?.question) ??
    view.case.questions.find((q) => q.id === chain?.answers.at(-1)?.question);
  if (!question) return null;
  return (
    <section className={css.block}>
      <span className={css.small}>
        S{question.k} · {question.text}
      </span>
      <div style={{ marginTop: 4 }}>
        <OwnAnswer question={question} look={view.looks.find((l) => l.question === question.id)} />
      </div>
      <NotShown reading={reading} />
    </section>
  );
};

/** NotShown says that a grade given now would be given without the picture; it takes no room from the cards. */
const NotShown = ({ reading: { s, stack } }: { reading: Reading }) =>
  stack && s.unshown !== '' ? (
    <span className={css.unshown} role="status" data-testid="unshown">
      {t.reading.unshown[s.unshown](s.frame + 1)}
    </span>
  ) : null;

const StageGroup = ({ answer, reading }: { answer: Answer; reading: Reading }) => {
  const { view, steps } = reading;
  const question = view.case.questions.find((q) => q.id === answer.question);
  const stage = view.stages.find((x) => x.k === question?.k);
  const given = answer.answer ?? '';
  return (
    <>
      <h2 className={card.stage}>
        <b>{question && stageLabel(question.k, stage?.name ?? question.stage)}</b>
        {t.reading.modelAnswer}:{' '}
        {answer.parse === 'ok' && given !== '' ? (
          <strong dir="auto">{answerText(given, question)}</strong>
        ) : (
          (t.reading.noModelAnswer[answer.parse] ?? t.reading.noModelAnswer.ok)
        )}
      </h2>
      {steps
        .filter((x) => x.question === answer.question)
        .map((numbered) => (
          <OneStep key={numbered.step.id} numbered={numbered} reading={reading} />
        ))}
    </>
  );
};

const OneStep = ({ numbered, reading }: { numbered: Numbered; reading: Reading }) => {
  const { chain, s, move } = reading;
  if (!chain) return null;
  const rating = ratingOf(chain, numbered.step);
  const question = reading.view.case.questions.find((q) => q.id === numbered.question);
  return (
    <StepCard
      numbered={numbered}
      rating={rating}
      now={s.part === numbered.step.id}
      row={s.row}
      readOnly={reading.fixed}
      lit={s.lit}
      onOpen={() => reading.openPart(chain.id, numbered.step.id)}
      onRow={(row) => move({ do: 'row', row })}
      onChoose={(row, value) => {
        move({ do: 'row', row });
        reading.choose(row, value);
      }}
      onNote={(note) => reading.setRating((now) => ({ ...now, note }))}
      onRegion={reading.toRegion}
      onLight={(region) => move({ do: 'light', region: region?.id ?? '' })}
      evidence={<Evidence reading={reading} />}
      own={ownInShort(chain, numbered, question)}
      would={<WouldSay reading={reading} />}
    />
  );
};
