import { type ReactNode, useEffect, useRef, useState } from 'react';
import { keyLabel } from '../lib/keys';
import { type Choice, gradeOf, type Row } from '../lib/rubric';
import { t } from '../lib/texts';
import { cx } from '../ui/basics';
import css from './rows.module.css';

/** RowsProps: the rows of a card, what they hold, and which one the digits answer. */
export interface RowsProps {
  rows: Row[];
  values: (id: string) => string[];
  active: string;
  readOnly: boolean;
  onRow: (id: string) => void;
  onChoose: (id: string, value: string) => void;
  onText: (id: string, text: string) => void;
  /** What a row of regions shows. */
  regions: (id: string) => ReactNode;
}

const digit = (i: number) => (i < 9 ? String(i + 1) : '');

/** Rows draws the rows of a rubric under each other. */
export const Rows = (p: RowsProps) => (
  <div className={css.rows}>
    {p.rows.map((row) => (
      <div
        key={row.id}
        className={cx(
          css.row,
          p.active === row.id && css.active,
          row.required && p.values(row.id).length === 0 && css.missing,
        )}
        data-testid={`row-${row.id}`}
        data-active={p.active === row.id || undefined}
        data-missing={(row.required && p.values(row.id).length === 0) || undefined}
      >
        <span className={css.label}>
          {row.label}
          {row.required && p.values(row.id).length === 0 && <span className="hidden">{t.reading.incomplete}</span>}
        </span>
        <RowBody {...p} row={row} />
      </div>
    ))}
  </div>
);

const RowBody = ({ row, values, active, readOnly, onRow, onChoose, onText, regions }: RowsProps & { row: Row }) => {
  if (row.kind === 'text') {
    return (
      <Words
        label={row.label}
        text={values(row.id)[0] ?? ''}
        readOnly={readOnly}
        onFocus={() => onRow(row.id)}
        onText={(text) => onText(row.id, text)}
      />
    );
  }
  if (row.kind === 'regions') return <div className={css.options}>{regions(row.id)}</div>;
  const many = row.kind === 'many';
  return (
    <div className={css.options} {...{ role: many ? 'group' : 'radiogroup', 'aria-label': row.label }}>
      {row.choices.map((choice, i) => {
        const on = values(row.id).includes(choice.value);
        return (
          <button
            key={choice.value}
            type="button"
            className={css.option}
            {...{ role: many ? 'checkbox' : 'radio', 'aria-checked': on }}
            aria-disabled={readOnly || undefined}
            data-testid={`${row.id}-${choice.value}`}
            onClick={() => {
              onRow(row.id);
              if (!readOnly) onChoose(row.id, choice.value);
            }}
          >
            {choice.key ? (
              <kbd className={css.digit}>{keyLabel(choice.key)}</kbd>
            ) : (
              active === row.id && choice.label !== digit(i) && <kbd className={css.digit}>{digit(i)}</kbd>
            )}
            {choice.label}
          </button>
        );
      })}
    </div>
  );
};

/** Grades are the six answers to the question of support, by letter-shape and colour. */
export const Grades = ({
  choices,
  value,
  active,
  readOnly,
  onChoose,
}: {
  choices: Choice[];
  value: string;
  active: boolean;
  readOnly: boolean;
  onChoose: (grade: string) => void;
}) => (
  <div
    className={cx(css.grades, active && css.gradesActive)}
    style={choices.length === 6 ? undefined : { gridTemplateColumns: `repeat(${choices.length}, 1fr)` }}
    role="radiogroup"
    aria-label={t.supportQuestion}
  >
    {choices.map((grade, i) => (
      <button
        key={grade.value}
        type="button"
        role="radio"
        className={css.grade}
        style={{ '--grade': `var(--${grade.value})` } as React.CSSProperties}
        aria-checked={value === grade.value}
        aria-disabled={readOnly || undefined}
        title={gradeOf(grade.value)?.help}
        data-testid={`support-${grade.value}`}
        onClick={() => !readOnly && onChoose(grade.value)}
      >
        <i aria-hidden="true">{gradeOf(grade.value)?.shape}</i>
        {grade.label}
        {(active || grade.key) && <small aria-hidden="true">{grade.key ? keyLabel(grade.key) : i + 1}</small>}
      </button>
    ))}
  </div>
);

/** Answers are the options of a question. */
export const Answers = ({
  options,
  value,
  label,
  active,
  onChoose,
}: {
  options: { letter: string; text: string }[];
  value: string;
  label: string;
  active: boolean;
  onChoose: (letter: string) => void;
}) => (
  <div className={cx(css.answers, active && css.answersActive)} role="radiogroup" aria-label={label}>
    {options.map((o, i) => (
      <button
        key={o.letter}
        type="button"
        role="radio"
        className={css.answer}
        aria-checked={value === o.letter}
        data-testid={`option-${o.letter}`}
        onClick={() => onChoose(o.letter)}
      >
        <b>{o.letter}</b>
        <span dir="auto">{o.text}</span>
        {active && <small aria-hidden="true">{digit(i)}</small>}
      </button>
    ))}
  </div>
);

interface WordsProps {
  label: string;
  text: string;
  readOnly: boolean;
  onText: (text: string) => void;
  onFocus?: () => void;
  placeholder?: string;
  testid?: string;
}

/** Words is a text box that hands over what is typed when the typing rests, when it is left, and when it goes away. */
export const Words = ({ label, text, readOnly, onText, onFocus, placeholder, testid }: WordsProps) => {
  const [typed, setTyped] = useState(text);
  const last = useRef({ typed: text, told: text, onText });
  last.current.onText = onText;
  last.current.typed = typed;
  useEffect(() => {
    // What comes from outside is taken over only when nothing typed here waits.
    if (last.current.typed === last.current.told) setTyped(text);
    last.current.told = text;
  }, [text]);
  useEffect(() => {
    if (typed === last.current.told) return;
    const timer = setTimeout(() => tell(last.current), 600);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => () => tell(last.current), []);
  return (
    <textarea
      className={css.note}
      rows={1}
      aria-label={label}
      placeholder={placeholder}
      data-testid={testid}
      value={typed}
      readOnly={readOnly}
      onFocus={onFocus}
      onChange={(e) => setTyped(e.target.value)}
      onBlur={() => tell(last.current)}
    />
  );
};

const tell = (last: { typed: string; told: string; onText: (text: string) => void }) => {
  if (last.typed === last.told) return;
  last.told = last.typed;
  last.onText(last.typed);
};
