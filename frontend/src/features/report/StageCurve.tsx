import { useCallback, useMemo } from 'react';
import type { ReportModel, StageFigure } from '../../lib/report';
import { t } from '../../lib/texts';
import { type Ink, stageOption } from './charts';
import { Figure } from './Figure';
import type { OnPick } from './picks';
import { figureHead, figureRow, type Shown } from './shown';

interface Props {
  title: string;
  note: string;
  models: Shown[];
  stages: string[];
  solid: (m: ReportModel) => StageFigure[];
  dashed: (m: ReportModel) => StageFigure[];
  missing?: string;
  /** what an answer at a stage must be to stand behind its point. */
  behind: (stage: StageFigure) => { title: string; field: 'answer' | 'readers' | 'grounded'; is: string };
  onPick: OnPick;
}

/** StageCurve shows proportions along the stages with their intervals. */
export const StageCurve = ({ title, note, models, stages, solid, dashed, missing, behind, onPick }: Props) => {
  const lines = useMemo(
    () =>
      models.map(({ model, look, name }) => ({
        id: model.key,
        name,
        look,
        solid: solid(model),
        dashed: dashed(model),
      })),
    [models, solid, dashed],
  );
  const option = useCallback((ink: Ink) => stageOption(stages, lines, ink), [stages, lines]);
  const pick = (m: Shown | undefined, stage: StageFigure | undefined) => {
    if (!m || !stage) return;
    const { title: what, field, is } = behind(stage);
    onPick({
      model: m.model.key,
      title: t.report.picked([m.name, what]),
      where: (f) => f.k === stage.k && f[field] === is,
    });
  };
  return (
    <Figure
      title={title}
      note={note}
      head={figureHead()}
      rows={models.flatMap((m) =>
        solid(m.model).map((s) => ({ ...figureRow(m.name, s.name, s), pick: s.n > 0 ? () => pick(m, s) : undefined })),
      )}
      option={option}
      height={206}
      missing={missing}
      onPick={({ series, index }) => {
        const key = series.split('|')[0];
        const m = models.find((x) => x.model.key === key);
        pick(m, m && solid(m.model).find((s) => s.name === stages[index]));
      }}
    />
  );
};
