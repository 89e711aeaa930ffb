import { useOverturns } from '../../backend/adjudicating';
import { troubleOf } from '../../backend/client';
import type { Overturn } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Bar, Button, Card, cx, Trouble } from '../../ui/basics';
import css from './adjudication.module.css';

const rowLabels: Record<string, string> = { ...t.rows, own_answer: t.adjudication.kinds.own_answer ?? '' };

const labelOf = (dimension: string): string => {
  const [field = '', option] = dimension.split('.');
  const options: Record<string, Record<string, string>> = t.options;
  const label = rowLabels[field] ?? field;
  return option ? `${label}: ${options[field]?.[option] ?? option}` : label;
};

const percent = (x: number) => `${Math.round(100 * x)} %`;

/** Overturns is what the coordinator sees: how often adjudication overturned what was said. */
export const Overturns = () => {
  const found = useOverturns();
  if (found.isError) {
    return (
      <div className={css.empty}>
        <Trouble title={t.fault.title} text={troubleOf(found.error).text || t.fault.unknown}>
          <Button onClick={() => found.refetch()}>{t.fault.again}</Button>
        </Trouble>
      </div>
    );
  }
  const rows = found.data?.overturns ?? [];
  return (
    <div className={css.overview} data-testid="overturns">
      <Card>
        <p>{t.adjudication.coordinator}</p>
      </Card>
      {rows.length > 0 && (
        <Card>
          <h2>{t.adjudication.overturn}</h2>
          <p className={css.soft}>{t.adjudication.overturnNote}</p>
          <table className={css.overturns}>
            <tbody>
              {rows.map((o) => (
                <Line key={`${o.dimension}/${o.reader}`} of={o} />
              ))}
            </tbody>
          </table>
        </Card>
      )}
    </div>
  );
};

const Line = ({ of: o }: { of: Overturn }) => (
  <tr className={cx(o.reader === '' && css.majority)}>
    <th scope="row" className={css.cell}>
      {o.reader === '' ? labelOf(o.dimension) : ''}
    </th>
    <td className={css.cell}>{o.reader === '' ? t.adjudication.majority : o.reader}</td>
    <td className={css.cell}>
      <span className={css.bar}>
        <Bar done={o.overturned} total={o.n_items} label={`${labelOf(o.dimension)} ${o.reader}`} />
      </span>
    </td>
    <td className={css.cell}>{o.rate === null || o.rate === undefined ? t.adjudication.nothing : percent(o.rate)}</td>
    <td className={css.cell}>{t.adjudication.ofItems(o.overturned, o.n_items)}</td>
    <td className={css.cell}>
      {o.interval.length === 2 ? `${percent(o.interval[0] ?? 0)}–${percent(o.interval[1] ?? 0)}` : o.reason}
      {o.no_majority > 0 && ` · ${t.adjudication.noMajority(o.no_majority)}`}
    </td>
  </tr>
);
