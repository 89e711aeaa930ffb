import { type ReactNode, useState } from 'react';
import type { ChainRating, Missed, Rubric } from '../lib/nouns';
import { type ChainRowId, chainComplete, chainRows, chainValueOf, type StepName } from '../lib/rubric';
import { t } from '../lib/texts';
import { Button, Chip, cx, Kbd } from '../ui/basics';
import css from './card.module.css';
import { whole } from './outline';
import { Rows } from './Rows';

/** WholeCardProps: a chain as a whole; derived is the first bad step that the ratings give. */
export interface WholeCardProps {
  rubric: Rubric;
  name: string;
  steps: StepName[];
  rating: ChainRating;
  derived: string;
  now: boolean;
  row: string;
  readOnly: boolean;
  onOpen: () => void;
  onRow: (row: string) => void;
  onChoose: (row: ChainRowId, value: string) => void;
  onNote: (text: string) => void;
  onMissed: (missed: Missed[]) => void;
  onMark: (index: number) => void;
}

/** WholeCard asks what no single step can hold. */
export const WholeCard = (p: WholeCardProps) => {
  const rows = chainRows(p.rubric, p.steps);
  const done = chainComplete(p.rubric, p.rating);
  const nameOf = (step: string) => {
    const number = p.steps.find((s) => s.id === step)?.number;
    return number ? t.reading.step(number) : t.none;
  };
  const regions = (): ReactNode => <MissedList {...p} />;
  return (
    <article
      className={cx(css.step, p.now && css.now)}
      data-testid="step-chain"
      data-part={whole}
      data-now={p.now || undefined}
    >
      <div className={css.claim}>
        <button type="button" className={css.open} aria-expanded={p.now} onClick={p.onOpen} tabIndex={p.now ? -1 : 0}>
          {t.reading.overallNote(p.name)}
        </button>
      </div>
      {p.now ? (
        <>
          <Rows
            rows={rows}
            values={(id) => chainValueOf(p.rating, id as ChainRowId)}
            active={p.row}
            readOnly={p.readOnly}
            onRow={p.onRow}
            onChoose={(id, value) => p.onChoose(id as ChainRowId, value)}
            onText={(_, text) => p.onNote(text)}
            regions={regions}
          />
          {p.derived !== '' && p.rating.first_bad_step !== p.derived && !p.readOnly && (
            <div className={css.given}>
              {t.rows.first_bad_step}, {t.reading.derived(nameOf(p.derived))}{' '}
              <Chip onClick={() => p.onChoose('first_bad_step', p.derived)} data-testid="confirm-first-bad">
                {t.reading.confirm} {p.row === 'first_bad_step' && <Kbd of="Enter" />}
              </Chip>
            </div>
          )}
        </>
      ) : (
        <div className={css.given}>
          {done
            ? `${t.rows.answer}: ${t.options.answer[p.rating.answer as keyof typeof t.options.answer]}`
            : t.reading.incomplete}
        </div>
      )}
    </article>
  );
};

const MissedList = ({ rating, readOnly, onMissed, onMark }: WholeCardProps) => {
  const [text, setText] = useState('');
  const add = () => {
    if (text.trim() === '') return;
    onMissed([...rating.missed, { text: text.trim(), significance: '' }]);
    setText('');
  };
  const change = (i: number, to: Partial<Missed>) =>
    onMissed(rating.missed.map((m, j) => (j === i ? { ...m, ...to } : m)));
  return (
    <>
      {rating.missed.map((m, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings have no name of their own
        <div key={i} className={css.missed}>
          <span>{m.text}</span>
          {Object.entries(t.options.significance).map(([value, label]) => (
            <Chip
              key={value}
              lit={m.significance === value}
              aria-pressed={m.significance === value}
              disabled={readOnly}
              onClick={() => change(i, { significance: value })}
            >
              {label}
            </Chip>
          ))}
          <Chip kind="mine" lit={!!m.region} disabled={readOnly} onClick={() => onMark(i)}>
            {m.region ? t.reading.shapes.box : t.reading.missedDraw}
          </Chip>
          {!readOnly && (
            <Chip
              aria-label={t.reading.remove(m.text)}
              onClick={() => onMissed(rating.missed.filter((_, j) => j !== i))}
            >
              ✕
            </Chip>
          )}
        </div>
      ))}
      {!readOnly && (
        <form
          className={css.missed}
          onSubmit={(e) => {
            e.preventDefault();
            add();
          }}
        >
          <input
            className={css.text}
            value={text}
            aria-label={t.reading.missedText}
            placeholder={t.reading.missedText}
            onChange={(e) => setText(e.target.value)}
          />
          <Button type="submit" look="quiet">
            {t.reading.addMissed}
          </Button>
        </form>
      )}
    </>
  );
};
