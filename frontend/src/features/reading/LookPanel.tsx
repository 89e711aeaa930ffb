import { answerText } from '../../chain/outline';
import { Answers, Rows, Words } from '../../chain/Rows';
import { stageLabel } from '../../lib/format';
import type { Look, Question } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { Button, ModelText, Pill } from '../../ui/basics';
import { Evidence } from './Evidence';
import css from './reading.module.css';
import { commitNeeds, type Reading } from './useReading';

/** LookPanel asks the case's own questions, one at a time, before any answer of a model is seen. */
export const LookPanel = ({ reading }: { reading: Reading }) => {
  const { view, question } = reading;
  const { questions } = view.case;
  return (
    <>
      <div className={css.scroll}>
        {questions.map((q) => {
          const look = view.looks.find((l) => l.question === q.id);
          return look && <Locked key={q.id} question={q} look={look} />;
        })}
        {question && <OpenQuestion key={question.id} reading={reading} question={question} />}
        {questions.length === 0 && <p className={css.block}>{t.reading.viewOnly}</p>}
      </div>
      {question && <CommitFoot reading={reading} />}
    </>
  );
};

const Locked = ({ question, look }: { question: Question; look: Look }) => (
  <div className={css.locked} data-testid={`locked-${question.id}`}>
    <span>{question.text}</span>
    <span>
      <OwnAnswer question={question} look={look} />
    </span>
  </div>
);

/** OwnAnswer is what the reader locked. */
export const OwnAnswer = ({ question, look }: { question: Question; look: Look | undefined }) =>
  look ? (
    <>
      <Pill kind="mine">
        {t.reading.yourAnswer(answerText(look.answer, question))} · {t.reading.confidenceIs(look.confidence)} ·{' '}
        {t.reading.locked}
      </Pill>
      {look.evidence.length > 0 && (
        <>
          {' '}
          <Pill>{t.reading.regions(look.evidence.length)}</Pill>
        </>
      )}
    </>
  ) : (
    <Pill>{t.reading.noAnswer}</Pill>
  );

const OpenQuestion = ({ reading, question }: { reading: Reading; question: Question }) => {
  const { view, rows, s, move, draft, setDraft } = reading;
  const at = view.case.questions.findIndex((q) => q.id === question.id);
  const stage = view.stages.find((x) => x.k === question.k);
  return (
    <div className={css.block} data-testid={`question-${question.id}`}>
      <span className={css.small}>
        {t.reading.question(at + 1, view.case.questions.length)} ·{' '}
        {stageLabel(question.k, stage?.name ?? question.stage)}
      </span>
      <div style={{ fontSize: 14, margin: '3px 0 4px' }}>
        <ModelText text={question.text} />
      </div>
      {question.options.length > 0 ? (
        <div data-active={s.row === 'answer' || undefined}>
          <Answers
            options={question.options}
            value={draft.answer}
            label={question.text}
            active={s.row === 'answer'}
            onChoose={(letter) => {
              move({ do: 'row', row: 'confidence' });
              setDraft({ ...draft, answer: letter });
            }}
          />
        </div>
      ) : (
        <div style={{ margin: '8px 0' }} data-active={s.row === 'answer' || undefined}>
          <Words
            label={question.text}
            placeholder={t.reading.answerHere}
            testid="answer-text"
            text={draft.answer}
            readOnly={false}
            onFocus={() => move({ do: 'row', row: 'answer' })}
            onText={(answer) => setDraft({ ...draft, answer })}
          />
        </div>
      )}
      <Rows
        rows={rows
          .filter((r) => r.id !== 'answer')
          .map((r) => (r.id === 'confidence' ? { ...r, label: t.reading.confidence } : r))}
        values={reading.valuesOf}
        active={s.row}
        readOnly={reading.locking}
        onRow={(row) => move({ do: 'row', row })}
        onChoose={reading.choose}
        onText={() => {}}
        regions={() => <Evidence reading={reading} />}
      />
    </div>
  );
};

const CommitFoot = ({ reading }: { reading: Reading }) => {
  const keyOf = useKeyOf();
  const { view, draft } = reading;
  const left = view.case.questions.length - view.looks.length - 1;
  const needs = commitNeeds(draft);
  return (
    <div className={css.foot}>
      <span className={css.small}>
        {needs.length > 0 ? t.reading.commitNeeds(needs) : t.reading.commitNote}
        <br />
        {left > 0 ? t.reading.unlocked(left) : t.reading.lastQuestion}
      </span>
      <Button
        look="primary"
        style={{ marginLeft: 'auto' }}
        data-testid="commit"
        why={reading.locking ? t.reading.saving : needs.length > 0 ? t.reading.commitNeeds(needs) : ''}
        keys={keyOf('commit')}
        onClick={reading.commit}
      >
        {t.reading.commit}
      </Button>
    </div>
  );
};
