// The fields of a form: a name, a control, and under it in words what is wrong with it.
import { createContext, type InputHTMLAttributes, type ReactNode, useContext, useId, useState } from 'react';
import type { Problem } from '../../lib/nouns';
import { problemAt } from '../../lib/protocol';
import { cx } from '../../ui/basics';
import form from '../../ui/form.module.css';
import css from './study.module.css';

const Problems = createContext<readonly Problem[]>([]);

/** ProblemsProvider gives the fields below it what is wrong in what they edit. */
export const ProblemsProvider = Problems.Provider;

/** useProblemAt gives what is wrong with a field, '' where nothing is. */
export const useProblemAt = (field: string): string => problemAt(useContext(Problems), field);

/** Wrong says what is wrong with a field, where something is. */
export const Wrong = ({ id, of }: { id?: string; of: string }) => {
  const text = useProblemAt(of);
  return text === '' ? null : (
    <span id={id} className={form.wrong} role="alert" data-field={of}>
      {text}
    </span>
  );
};

interface FieldProps {
  label: string;
  /** of is the field's place in the protocol: "readers[1].code". */
  of: string;
  note?: string;
  children: (given: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode;
}

/** Field puts a control under its name. */
export const Field = ({ label, of, note, children }: FieldProps) => {
  const id = useId();
  const wrong = useProblemAt(of) !== '';
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': wrong, 'aria-describedby': wrong ? `${id}-wrong` : undefined })}
      {note && <span className={form.note}>{note}</span>}
      <Wrong id={`${id}-wrong`} of={of} />
    </div>
  );
};

type NumberProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  value: number;
  onNumber: (value: number) => void;
};

/** NumberInput keeps what is being typed; only a number goes on. */
export const NumberInput = ({ value, onNumber, className, ...rest }: NumberProps) => {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      {...rest}
      type="number"
      className={cx(css.input, css.number, className)}
      value={typed ?? String(value)}
      onBlur={() => setTyped(undefined)}
      onChange={(e) => {
        const text = e.target.value;
        setTyped(text);
        if (text.trim() !== '' && Number.isFinite(Number(text))) onNumber(Number(text));
      }}
    />
  );
};

interface ChoiceProps<V extends string> {
  label: string;
  of: string;
  value: V;
  choices: Record<V, string>;
  onChoice: (value: V) => void;
}

/** Choice offers a few answers side by side, as radio buttons. */
export const Choice = <V extends string>({ label, of, value, choices, onChoice }: ChoiceProps<V>) => {
  const name = useId();
  return (
    <fieldset className={css.field}>
      <legend>{label}</legend>
      <span className={css.choices}>
        {(Object.entries(choices) as [V, string][]).map(([v, text]) => (
          <label key={v} className={form.choice} data-chosen={v === value || undefined}>
            <input type="radio" name={name} checked={v === value} onChange={() => onChoice(v)} />
            {text}
          </label>
        ))}
      </span>
      <Wrong of={of} />
    </fieldset>
  );
};
