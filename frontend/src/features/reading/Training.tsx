import { useRetryTraining } from '../../backend/session';
import { answerText } from '../../chain/outline';
import type { Feedback, Question, Region } from '../../lib/nouns';
import { gradeOf } from '../../lib/rubric';
import { t } from '../../lib/texts';
import { Button, Chip, cx, ModelText } from '../../ui/basics';
import css from './training.module.css';
import type { Reading } from './useReading';

/** TrainingNote says that a case is for practice, in the header. */
export const TrainingNote = ({ reading }: { reading: Reading }) =>
  reading.view.training ? (
    <span className={css.note} data-testid="training">
      {t.training.mark}
    </span>
  ) : null;

/** TrainingResult sets the reader's answers in a signed training case beside what was expected, and says how the training went. */
export const TrainingResult = ({ reading, onLibrary }: { reading: Reading; onLibrary: () => void }) => {
  const { training } = reading.view;
  const retry = useRetryTraining();
  if (!training || reading.view.phase !== 'signed') return null;
  const { stands, feedback } = training;
  return (
    <section className={css.result} data-testid="training-result" aria-label={t.training.title}>
      {feedback.length === 0 ? (
        <p className={css.soft}>{t.training.noKey}</p>
      ) : (
        <table className={css.table}>
          <thead>
            <tr>
              <th>{t.training.what}</th>
              <th>{t.training.own}</th>
              <th>{t.training.expected}</th>
            </tr>
          </thead>
          <tbody>
            {feedback.map((f) => (
              <Line key={f.question + f.chain + f.step} of={f} reading={reading} />
            ))}
          </tbody>
        </table>
      )}
      <p className={css.soft} data-testid="training-stands">
        {stands.done
          ? stands.passed
            ? t.training.passed(stands.right, stands.expected)
            : t.training.failed(stands.right, stands.expected, stands.needed)
          : t.training.going(stands.signed, stands.cases)}
      </p>
      {stands.done && !stands.passed && (
        <Button
          look="primary"
          data-testid="training-retry"
          onClick={() => retry.mutate(undefined, { onSuccess: onLibrary })}
        >
          {t.training.retry}
        </Button>
      )}
    </section>
  );
};

const Line = ({ of: f, reading }: { of: Feedback; reading: Reading }) => {
  const { view } = reading;
  const question: Question | undefined = view.case.questions.find((q) => q.id === f.question);
  const chain = view.chains.find((c) => c.id === f.chain);
  const number = chain ? chain.answers.flatMap((a) => a.steps).findIndex((s) => s.id === f.step) + 1 : 0;
  const words = (value: string) => (question ? answerText(value, question) : (gradeOf(value)?.label ?? value));
  return (
    <>
      <tr data-right={f.right}>
        <td>{question ? question.text : chain ? t.training.step(chain.name, number) : f.step}</td>
        <td className={cx(f.counted && (f.right ? css.right : css.wrong))}>
          {f.counted && <span aria-hidden="true">{f.right ? '✓ ' : '✕ '}</span>}
          {words(f.own)}
          {f.counted && <span className="hidden">{f.right ? t.training.asExpected : t.training.notAsExpected}</span>}
        </td>
        <td>
          {f.expected.map(words).join(t.training.or)}
          {f.evidence.map((region: Region) => (
            <Chip key={region.id} onClick={() => reading.toRegion(region)}>
              ◎
            </Chip>
          ))}
        </td>
      </tr>
      {f.words && (
        <tr>
          <td colSpan={3} className={css.words}>
            <ModelText text={f.words} />
          </td>
        </tr>
      )}
    </>
  );
};
