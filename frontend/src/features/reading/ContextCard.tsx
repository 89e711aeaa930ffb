import { t } from '../../lib/texts';
import { ModelText } from '../../ui/basics';
import css from './reading.module.css';
import type { Reading } from './useReading';

/** ContextCard is what a reader is told beside the images; it folds away. */
export const ContextCard = ({ reading }: { reading: Reading }) => {
  const { context } = reading.view.case;
  const lines: [string, string | undefined][] = [
    [t.reading.age, context.age],
    [t.reading.sex, context.sex],
    [t.reading.ethnicity, context.ethnicity],
    [t.reading.history, context.history],
    [t.reading.earlierReport, context.earlier_report],
    ...Object.entries(context.vitals ?? {}),
  ];
  const given = lines.filter((l): l is [string, string] => !!l[1]);
  const { problems, stacks } = reading.view;
  const warnings = stacks.flatMap((x) => x.reasons ?? []);
  if (given.length === 0 && problems.length === 0 && warnings.length === 0) return null;
  const open = reading.s.contextOpen;
  return (
    <section className={css.block} data-testid="context">
      <button type="button" className={css.fold} aria-expanded={open} onClick={() => reading.move({ do: 'context' })}>
        {open ? '▾' : '▸'} {t.reading.context}
        {!open && given.length > 0 && <> · {given.map(([, v]) => v).join(' · ')}</>}
      </button>
      {open && (
        <>
          <dl className={css.context}>
            {given.map(([name, value]) => (
              <Pair key={name} name={name} value={value} />
            ))}
          </dl>
          {problems.length > 0 && (
            <p className={css.small} title={problems.map((x) => `${x.file}: ${x.text}`).join('\n')}>
              {t.reading.problems(problems.length)}: {problems[0]?.text}
            </p>
          )}
          {warnings.map((w) => (
            <p key={w} className={css.small}>
              {w}
            </p>
          ))}
        </>
      )}
    </section>
  );
};

const Pair = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <ModelText text={value} />
    </dd>
  </>
);
