import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useContinue, useModels } from '../../backend/experimenting';
import { answerText } from '../../chain/outline';
import type { Arm, Comparison } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { Choose } from '../../ui/Choose';
import { Dialog } from '../../ui/Dialog';
import form from '../../ui/form.module.css';
import css from './compare.module.css';
import { armName } from './Pane';

const x = t.compare;

/** whyNotFrom says in words why a chain cannot go on from its answer to a question; '' where it can. */
export const whyNotFrom = (of: Comparison, question: string): string => {
  if (of.hidden) return x.hidden;
  const at = of.questions.find((q) => q.question.id === question);
  return at && of.questions.some((q) => q.question.k > at.question.k) ? '' : x.lastStage;
};

interface Props {
  of: Comparison;
  arm: Arm;
  question: string;
  onClose: () => void;
  onContinued: (got: Comparison) => void;
}

/** ContinueDialog takes what an answer should have been, and has the later stages asked again with it. */
export const ContinueDialog = ({ of, arm, question, onClose, onContinued }: Props) => {
  const asked = of.questions.find((q) => q.question.id === question)?.question;
  const before = arm.answers.find((a) => a.question === question);
  const models = useModels();
  const [answer, setAnswer] = useState('');
  const [text, setText] = useState('');
  const [model, setModel] = useState('');
  const goOn = useContinue();
  if (!asked) return null;
  const said = before?.answer ? answerText(before.answer, asked) : (x.parse[before?.parse ?? ''] ?? x.notAsked);
  const why =
    answer.trim() === ''
      ? x.needAnswer
      : answer === before?.answer && text.trim() === ''
        ? x.sameAnswer
        : goOn.isPending
          ? x.asking
          : '';
  const others = (models.data?.models ?? []).filter((m) => m.name !== arm.model && m.why === '');
  return (
    <Dialog opened onClose={onClose} title={x.continueTitle} size={520}>
      <form
        className={form.dialog}
        data-testid="continue-dialog"
        onSubmit={(e) => {
          e.preventDefault();
          if (why) return;
          const own = {
            question,
            step: before?.steps[0]?.id ?? '',
            answer: answer.trim(),
            text: text.trim(),
            confidence: 0,
            evidence: [],
          };
          goOn.mutate({ case: of.case, chain: arm.chain, reader: '', model, own: [own] }, { onSuccess: onContinued });
        }}
      >
        <p className={form.note}>{x.continueNote}</p>
        <div>
          <strong dir="auto">{asked.text}</strong>
          <p className={form.soft}>{x.modelSaid(armName(arm), said)}</p>
        </div>
        {asked.options.length > 0 ? (
          <fieldset className={css.options}>
            <legend>{x.yourAnswer}</legend>
            {asked.options.map((o, i) => (
              <label key={o.letter} className={css.option}>
                <input
                  type="radio"
                  name="should-be"
                  data-autofocus={i === 0 ? true : undefined}
                  checked={answer === o.letter}
                  data-testid={`should-${o.letter}`}
                  onChange={() => setAnswer(o.letter)}
                />
                <span dir="auto">
                  {o.letter} {o.text}
                </span>
              </label>
            ))}
          </fieldset>
        ) : (
          <label className={css.field}>
            {x.yourAnswer}
            <input
              className={form.input}
              data-autofocus
              value={answer}
              data-testid="should-text"
              onChange={(e) => setAnswer(e.target.value)}
            />
          </label>
        )}
        <label className={css.field}>
          {x.because}
          <textarea
            className={form.input}
            rows={2}
            value={text}
            data-testid="because"
            onChange={(e) => setText(e.target.value)}
          />
        </label>
        <Choose label={x.ask} value={model} testid="ask-model" onValue={setModel}>
          <option value="">{x.sameModel(arm.model)}</option>
          {others.map((m) => (
            <option key={m.name}>{m.name}</option>
          ))}
        </Choose>
        {goOn.isError && <Trouble title={t.fault.title} text={troubleOf(goOn.error).text || t.fault.unknown} />}
        <div className={css.bar}>
          <span className={form.end}>
            <Button onClick={onClose}>{x.cancel}</Button>
            <Button type="submit" look="primary" why={why} data-testid="ask-again">
              {goOn.isPending ? x.asking : x.askAgain}
            </Button>
          </span>
        </div>
      </form>
    </Dialog>
  );
};
