import { share } from '../../lib/format';
import type { Fact, ReportModel, StageFigure } from '../../lib/report';
import { t } from '../../lib/texts';
import { CrossTable } from './CrossTable';
import { Labels } from './Labels';
import { Badge } from './look';
import type { OnPick } from './picks';
import css from './report.module.css';
import { StageCurve } from './StageCurve';
import { missingIn, type Shown } from './shown';
import { restsOn, Tile } from './Tile';

const f = t.report.figures;

const solidAccuracy = (m: ReportModel) => m.accuracy.stages;
const dashedAccuracy = (m: ReportModel) => m.accuracy.prefix;
const lenient = (m: ReportModel): StageFigure[] =>
  m.grounding_human.stages.map((s) => ({ ...s.lenient, k: s.k, name: s.name }));
const strict = (m: ReportModel): StageFigure[] =>
  m.grounding_human.stages.map((s) => ({ ...s.strict, k: s.k, name: s.name }));
const causal = (m: ReportModel) => m.grounding_causal.stages;
const nothing = (): StageFigure[] => [];

const rightGrounded = (x: Fact): [boolean, boolean] | undefined =>
  x.answer !== 'unknown' && (x.grounded === 'grounded' || x.grounded === 'not_grounded')
    ? [x.answer === 'right', x.grounded === 'grounded']
    : undefined;
const rightRead = (x: Fact): [boolean, boolean] | undefined =>
  x.answer !== 'unknown' && x.readers !== 'unread' ? [x.answer === 'right', x.readers === 'grounded'] : undefined;
const both = (x: Fact): [boolean, boolean] | undefined =>
  x.readers !== 'unread' && (x.grounded === 'grounded' || x.grounded === 'not_grounded')
    ? [x.grounded === 'grounded', x.readers === 'grounded']
    : undefined;

/** Overview sets accuracy, grounding by readers and grounding by intervention beside each other, never in one. */
export const Overview = ({ models, stages, onPick }: { models: Shown[]; stages: string[]; onPick: OnPick }) => (
  <>
    {models.map((m) => (
      <Tiles key={m.model.key} of={m} />
    ))}
    <div className={css.thirds}>
      <div data-testid="accuracy">
        <StageCurve
          title={t.report.accuracyCurve}
          note={t.report.accuracyNote}
          models={models}
          stages={stages}
          solid={solidAccuracy}
          dashed={dashedAccuracy}
          behind={(s) => ({ title: `wrong at S${s.k}`, field: 'answer', is: 'wrong' })}
          onPick={onPick}
        />
      </div>
      <div data-testid="grounding">
        <StageCurve
          title={t.report.groundingCurve}
          note={t.report.groundingNote}
          models={models}
          stages={stages}
          solid={lenient}
          dashed={strict}
          missing={
            models.every(({ model }) => model.grounding_human.ratings === 0)
              ? (models[0]?.model.grounding_human.lenient.reason ?? '')
              : undefined
          }
          behind={(s) => ({ title: `not grounded at S${s.k}, by readers`, field: 'readers', is: 'not_grounded' })}
          onPick={onPick}
        />
      </div>
      <StageCurve
        title={f.causalCurve}
        note={f.causalNote}
        models={models}
        stages={stages}
        solid={causal}
        dashed={nothing}
        missing={missingIn(models, (m) => m.grounding_causal)}
        behind={(s) => ({ title: `not grounded at S${s.k}, by intervention`, field: 'grounded', is: 'not_grounded' })}
        onPick={onPick}
      />
    </div>
    <div className={css.thirds}>
      <CrossTable
        title={f.cross}
        of={(m) => m.model.grounding_causal.right_grounded}
        models={models}
        place={rightGrounded}
        onPick={onPick}
      />
      <CrossTable
        title={f.crossHuman}
        of={(m) => m.model.grounding_causal.right_human}
        models={models}
        place={rightRead}
        onPick={onPick}
      />
      <CrossTable
        title={f.crossBoth}
        of={(m) => m.model.grounding_causal.human}
        models={models}
        place={both}
        onPick={onPick}
      />
    </div>
    <Labels models={models} />
  </>
);

const Tiles = ({ of: { model, look, name } }: { of: Shown }) => {
  const c = model.grounding_causal;
  const r = model.image_reliance;
  return (
    <div className={css.row}>
      <div className={css.rowName}>
        <Badge look={look} /> {name}
      </div>
      <div className={css.card}>
        <Tile name={t.report.tiles.chain} figure={model.accuracy.chain} />
      </div>
      <div
        className={css.card}
        title={t.report.coverage(model.grounding_human.steps, model.grounding_human.of, model.grounding_human.readers)}
      >
        <Tile name={t.report.tiles.read} figure={model.grounding_human.lenient} />
      </div>
      <div className={css.card} title={restsOn(c.share)}>
        <Tile
          name={t.report.tiles.causal}
          figure={c.share}
          note={t.report.tiles.causalNote(share(r.noise.value), r.testable.n, r.testable.of)}
        />
      </div>
      <div className={css.card} title={restsOn(c.rwr_causal)}>
        <Tile
          name={t.report.tiles.rwr}
          figure={c.rwr_causal}
          note={t.report.tiles.rwrNote(share(model.grounding_human.rwr_human.value))}
        />
      </div>
    </div>
  );
};
