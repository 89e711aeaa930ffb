import { useState } from 'react';
import type { ConditionList, ConditionName } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import form from '../../ui/form.module.css';
import css from './experiment.module.css';
import { composed, lacksValue, type Parts } from './order';

const x = t.experiment;

interface Props {
  set: ConditionList;
  stages: number;
  chosen: readonly string[];
  onAdd: (condition: string) => void;
}

// What each field is when it is left alone needs no line of its own.
const untouched = ['original', 'full', 'own'];
const filled = ['occ', 'ctl', 'only', 'onlyctl'];
const blank = { name: '', value: '', stage: '', fill: '' };

/** Compose joins one condition of any fields; those that are not touched stay as in the original. */
export const Compose = ({ set, stages, chosen, onAdd }: Props) => {
  const [parts, setParts] = useState<Parts>({});
  const factors = [...new Set(set.names.map((n) => n.factor))];
  const name = composed(factors, parts);
  const why =
    name === '' ? x.nothingComposed : lacksValue(parts) ? x.valueNeeded : chosen.includes(name) ? x.already : '';
  return (
    <div className={css.compose} data-testid="composer">
      <span className={form.note}>{x.composeNote}</span>
      <div className={css.factors}>
        {factors.map((factor) => (
          <Factor
            key={factor}
            factor={factor}
            names={set.names.filter((n) => n.factor === factor && !untouched.includes(n.name))}
            fills={set.fills}
            stages={stages}
            part={parts[factor] ?? blank}
            onPart={(part) => setParts({ ...parts, [factor]: part })}
          />
        ))}
      </div>
      <div className={form.bar}>
        <code data-testid="composed">{name || 'original'}</code>
        <Button
          look="primary"
          className={form.end}
          why={why}
          onClick={() => {
            onAdd(name);
            setParts({});
          }}
          data-testid="add-condition"
        >
          {x.addCondition}
        </Button>
      </div>
    </div>
  );
};

interface FactorProps {
  factor: string;
  names: ConditionName[];
  fills: string[];
  stages: number;
  part: Parts[string];
  onPart: (part: Parts[string]) => void;
}

const Factor = ({ factor, names, fills, stages, part, onPart }: FactorProps) => {
  const label = x.factors[factor] ?? factor;
  const now = names.find((n) => n.name === part.name);
  const placeholder = part.name.split(':')[1];
  return (
    <div className={css.factor}>
      <label className={form.field}>
        {label}
        <select
          className={form.input}
          value={part.name}
          data-testid={`factor-${factor}`}
          onChange={(e) => onPart({ ...blank, name: e.target.value })}
        >
          <option value="">{x.untouched}</option>
          {names.map((n) => (
            <option key={n.name} value={n.name}>
              {n.name} · {n.does.split(';')[0]}
            </option>
          ))}
        </select>
      </label>
      {placeholder && (
        <input
          className={form.input}
          aria-label={x.value(label)}
          placeholder={placeholder}
          value={part.value}
          data-testid={`value-${factor}`}
          onChange={(e) => onPart({ ...part, value: e.target.value })}
        />
      )}
      {filled.includes(part.name) && (
        <select
          className={form.input}
          aria-label={x.fillIs}
          value={part.fill}
          data-testid="fill"
          onChange={(e) => onPart({ ...part, fill: e.target.value })}
        >
          <option value="">{x.anyFill}</option>
          {fills.map((f) => (
            <option key={f} value={f}>
              {x.fillIs} {f}
            </option>
          ))}
        </select>
      )}
      {now?.stage && stages > 0 && (
        <select
          className={form.input}
          aria-label={x.atStage}
          value={part.stage}
          data-testid={`stage-${factor}`}
          onChange={(e) => onPart({ ...part, stage: e.target.value })}
        >
          <option value="">{x.everyStage}</option>
          {Array.from({ length: stages }, (_, i) => `S${i + 1}`).map((s) => (
            <option key={s} value={s}>
              {x.atStage} {s}
            </option>
          ))}
        </select>
      )}
    </div>
  );
};
