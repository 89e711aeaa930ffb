import { useState } from 'react';
import type { CheckedCondition, ConditionList } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, cx } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Compose } from './Compose';
import css from './experiment.module.css';
import { joined } from './order';

const x = t.experiment;

interface Props {
  set: ConditionList;
  /** How many stages the cases have. */
  stages: number;
  chosen: readonly string[];
  checked: readonly CheckedCondition[];
  onChosen: (chosen: string[]) => void;
}

/** Conditions chooses what a run sees, and says which of them can be compared and why others cannot. */
export const Conditions = ({ set, stages, chosen, checked, onChosen }: Props) => {
  const [composing, setComposing] = useState(false);
  return (
    <section className={form.card} aria-label={x.conditions} data-testid="conditions">
      <div className={form.bar}>
        <h2>{x.conditions}</h2>
        <span className={form.note}>{x.conditionsNote}</span>
      </div>
      <div className={cx(form.bar, css.sets)}>
        <span className={form.soft}>{x.sets}</span>
        <Button onClick={() => onChosen(joined(chosen, ['original']))} data-testid="set-original">
          original
        </Button>
        {set.sets.map(({ name, does, conditions }) => (
          <Button
            key={name}
            title={`${does}: ${conditions.join(', ')}`}
            onClick={() => onChosen(joined(chosen, conditions))}
            data-testid={`set-${name}`}
          >
            {name}
          </Button>
        ))}
        <Button aria-expanded={composing} onClick={() => setComposing(!composing)} data-testid="compose">
          {x.compose} <span aria-hidden="true">{composing ? '▴' : '▾'}</span>
        </Button>
      </div>
      {composing && (
        <Compose
          set={set}
          stages={stages}
          chosen={chosen}
          onAdd={(condition) => onChosen(joined(chosen, [condition]))}
        />
      )}
      {chosen.length === 0 ? (
        <p className={form.soft}>{x.noneChosen}</p>
      ) : (
        <table className={form.table} data-testid="chosen-conditions">
          <thead>
            <tr>
              <th scope="col">{x.chosen(chosen.length)}</th>
              <th scope="col">{x.compares}</th>
              <th scope="col">
                <Button look="quiet" onClick={() => onChosen([])} data-testid="clear-conditions">
                  {x.clear}
                </Button>
              </th>
            </tr>
          </thead>
          <tbody>
            {chosen.map((asked) => (
              <Row
                key={asked}
                asked={asked}
                only={chosen.length === 1}
                checked={checked.find((c) => c.asked === asked)}
                set={set}
                onDrop={() => onChosen(chosen.filter((v) => v !== asked))}
                onAdd={(name) => onChosen(joined(chosen, [name]))}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

interface RowProps {
  asked: string;
  only: boolean;
  checked: CheckedCondition | undefined;
  set: ConditionList;
  onDrop: () => void;
  onAdd: (name: string) => void;
}

const fieldName = (field: string) => x.factors[field] ?? field;

/** doesOf says in words what a condition does. */
const doesOf = (asked: string, set: ConditionList): string =>
  asked
    .split('+')
    .map((word) => {
      const bare = word.replace(/@.*$/, '').replace(/\/.*$/, '');
      const head = bare.split(':')[0];
      const found = set.names.find((n) => n.name === bare) ?? set.names.find((n) => n.name.startsWith(`${head}:`));
      const stage = /@(S\d+)$/.exec(word)?.[1];
      return [found?.does.split(';')[0], stage && `${x.atStage} ${stage}`].filter(Boolean).join(' ');
    })
    .filter(Boolean)
    .join('; ');

const mostNamed = 3;

const Row = ({ asked, only, checked, set, onDrop, onAdd }: RowProps) => {
  const near = checked?.with ?? [];
  // Beside the original is where most people look first.
  const shown = [...near].sort((a, b) => Number(b.name === 'original') - Number(a.name === 'original'));
  return (
    <tr data-testid={`chosen-${asked}`}>
      <td>
        <code>{asked}</code>
        <span className={css.does}>{doesOf(asked, set)}</span>
      </td>
      <td>
        {checked?.trouble && <span className={form.wrong}>{checked.trouble}</span>}
        {checked?.alone && (
          <span className={css.aloneWhy} data-testid={`alone-${asked}`}>
            <span className={form.warn}>
              {x.refusedComparison}: {checked.alone}.
            </span>
            {checked.add.map((name) => (
              <Button key={name} onClick={() => onAdd(name)} data-testid={`add-${name}`}>
                {x.addToCompare(name)}
              </Button>
            ))}
          </span>
        )}
        {checked && !checked.trouble && !checked.alone && (
          <span className={form.soft} title={shown.map((w) => x.comparedWith(w.name, fieldName(w.field))).join('\n')}>
            {only
              ? x.only
              : shown
                  .slice(0, mostNamed)
                  .map((w) => x.comparedWith(w.name, fieldName(w.field)))
                  .join(', ')}
            {shown.length > mostNamed && ` +${shown.length - mostNamed}`}
          </span>
        )}
      </td>
      <td>
        <Button look="quiet" aria-label={x.drop(asked)} title={x.drop(asked)} onClick={onDrop}>
          ×
        </Button>
      </td>
    </tr>
  );
};
