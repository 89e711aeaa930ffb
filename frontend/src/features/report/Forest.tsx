import { useCallback, useMemo } from 'react';
import type { Figure as Num, ReportModel } from '../../lib/report';
import { t } from '../../lib/texts';
import { forestOption, type Ink } from './charts';
import { Figure } from './Figure';
import css from './report.module.css';
import { figureHead, measuredOf, measuredRows, missingIn, reasonsOf, type Shown, withValue } from './shown';

interface Props {
  title: string;
  note: string;
  models: Shown[];
  of: (m: ReportModel) => Record<string, Num>;
  panel?: (m: ReportModel) => { estimable: boolean; reason?: string };
  range?: [number, number];
}

const plain: [number, number] = [-1, 1];

/** Forest shows numbers with intervals, a line for each and a mark for each model. */
export const Forest = ({ title, note, models, of, panel, range = plain }: Props) => {
  const with_ = useMemo(() => models.filter((m) => !panel || panel(m.model).estimable), [models, panel]);
  const list = useMemo(() => measuredOf(with_, of), [with_, of]);
  const measures = useMemo(() => withValue(list), [list]);
  const none = useMemo(
    () => [...new Set(list.flatMap((m) => Object.keys(m.figures)))].filter((name) => !measures.includes(name)),
    [list, measures],
  );
  const option = useCallback((ink: Ink) => forestOption(measures, list, range, ink), [measures, list, range]);
  const missing = (panel && missingIn(models, panel)) ?? (measures.length === 0 ? reasonsOf(list) : undefined);
  return (
    <Figure
      title={title}
      note={note}
      head={figureHead()}
      rows={measuredRows(list)}
      option={option}
      height={40 + measures.length * (14 + 8 * list.length)}
      missing={missing}
    >
      {!missing && none.length > 0 && <div className={css.n}>{t.report.noneOf(none)}</div>}
    </Figure>
  );
};
