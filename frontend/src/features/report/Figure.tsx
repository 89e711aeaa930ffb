import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useSaveFigure } from '../../backend/reporting';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import type { Ink, Option } from './charts';
import type { Hit } from './EChart';
import { csvOf, fileOf, pngOf } from './figureFile';
import css from './report.module.css';

const EChart = lazy(() => import('./EChart'));

/** Row is one line of a figure's table; pick shows its cases. */
export interface Row {
  cells: (string | number)[];
  pick?: () => void;
}

interface Props {
  title: string;
  note: string;
  head: string[];
  rows: Row[];
  option: (ink: Ink) => Option;
  height: number;
  onPick?: (hit: Hit) => void;
  /** why there is nothing to show. */
  missing?: string;
  children?: ReactNode;
}

/** Figure is a chart with its table, its text alternative, and a way to save it. */
export const Figure = ({ title, note, head, rows, option, height, onPick, missing, children }: Props) => {
  const [table, setTable] = useState(false);
  const svg = useRef<(() => string) | undefined>(undefined);
  const ready = useCallback((write: (() => string) | undefined) => {
    svg.current = write;
  }, []);
  const words = rows.map((r) => r.cells.join(' ')).join('; ');
  return (
    <section className={css.card} data-testid={`figure-${fileOf(title)}`}>
      <div className={css.figureHead}>
        <h2>{title}</h2>
        {!missing && <Save title={title} csv={() => csvOf(head, rows)} svg={() => svg.current?.()} />}
        {!missing && (
          <Button
            look="quiet"
            onClick={() => setTable(!table)}
            aria-pressed={table}
            data-testid={`table-${fileOf(title)}`}
          >
            {table ? t.report.chart : t.report.table}
          </Button>
        )}
      </div>
      <div className={css.n}>{note}</div>
      {missing && <p className={css.missing}>{t.report.notEstimable(missing)}</p>}
      {!missing && table && <Table head={head} rows={rows} title={title} />}
      {!missing && (
        <div hidden={table}>
          <Suspense fallback={<div style={{ height }} />}>
            <EChart option={option} height={height} label={`${title}: ${words}`} onPick={onPick} onReady={ready} />
          </Suspense>
        </div>
      )}
      {children}
    </section>
  );
};

const Table = ({ head, rows, title }: { head: string[]; rows: Row[]; title: string }) => (
  <div className={css.scroll} tabIndex={0} role="region" aria-label={title}>
    <table className={css.table}>
      <thead>
        <tr>
          {head.map((h) => (
            <th key={h} scope="col">
              {h}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.cells.join('|')}>
            {r.cells.map((c, i) => (
              <td key={head[i]} className={String(c).length > 28 ? css.long : undefined}>
                {r.pick && i === r.cells.length - 1 ? (
                  <button type="button" className={css.link} onClick={r.pick}>
                    {c}
                  </button>
                ) : (
                  c
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Save = ({ title, csv, svg }: { title: string; csv: () => string; svg: () => string | undefined }) => {
  const save = useSaveFigure(`${t.report.saveFigure} …`);
  const write = async (kind: 'svg' | 'png' | 'csv') => {
    const drawn = kind === 'csv' ? csv() : svg();
    if (!drawn) return;
    const content = kind === 'png' ? await pngOf(drawn) : drawn;
    save.mutate({ name: `${fileOf(title)}.${kind}`, content });
  };
  return (
    <span className={css.save}>
      {save.data && (
        <span role="status" data-testid={`saved-${fileOf(title)}`}>
          {t.report.figureSaved(save.data)}
        </span>
      )}
      {save.isError && <span role="alert">{troubleOf(save.error).text}</span>}
      {(['svg', 'png', 'csv'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          className={css.link}
          onClick={() => write(kind)}
          data-testid={`save-${kind}-${fileOf(title)}`}
          aria-label={`${t.report.saveFigure} ${kind.toUpperCase()}: ${title}`}
        >
          {kind.toUpperCase()}
        </button>
      ))}
    </span>
  );
};
