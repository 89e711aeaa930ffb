import { useCallback, useMemo } from 'react';
import { share, stageLabel } from '../../lib/format';
import type { Count, Figure as Num, ReportModel } from '../../lib/report';
import { t } from '../../lib/texts';
import { Head } from '../../ui/Head';
import { curveOption, type Ink, type Stack } from './charts';
import { Figure } from './Figure';
import { Forest } from './Forest';
import type { OnPick } from './picks';
import css from './report.module.css';
import { Stacks } from './Stacks';
import { missingIn, named, type Shown } from './shown';

interface Props {
  models: Shown[];
  onPick: OnPick;
}

const f = t.report.figures;
const wrongOnly = (counts: Count[]) =>
  counts.filter((c) => c.label !== 'correct' && c.label !== 'correct_despite_wrong_earlier');
const originTones = {
  new: '--contradicted',
  inherited: '--accent',
  wrong_both: '--cannot_assess',
  undetermined: '--edge',
};
const quadrantTones = {
  ideal: '--supported',
  fragile: '--accent',
  dangerous: '--contradicted',
  worst: '--unsupported',
};
const classTones = {
  image_grounded: '--supported',
  chain_mediated: '--accent',
  both: '--model',
  neither: '--contradicted',
  undetermined: '--cannot_assess',
};

const told = ({ origin: o }: ReportModel) =>
  named({
    inherited: o.inherited,
    gold_gain: o.gold_gain,
    corrupt_follow: o.corrupt_follow,
    resistance: o.resistance,
    recovery: o.recovery,
  });
const originPanel = (m: ReportModel) => m.origin;

// Rows of bars carry the model and the stage in their id: "key|k", k 0 for all stages.
const keyOf = (row: Stack) => row.id.slice(0, row.id.lastIndexOf('|'));
const stageOf = (row: Stack) => Number(row.id.slice(row.id.lastIndexOf('|') + 1));

/** Origins shows where errors begin and where they come from. */
export const Origins = ({ models, onPick }: Props) => {
  const first = models.map(({ model, name }) => ({
    id: `${model.key}|0`,
    name,
    parts: [
      ...model.accuracy.first_error.map((s) => ({
        label: stageLabel(s.k, s.name),
        n: Math.round((s.value ?? 0) * s.n),
      })),
      { label: 'none', n: Math.round((model.accuracy.chain.value ?? 0) * model.accuracy.chain.n) },
    ],
  }));
  const origins = models.flatMap(({ model, name }) => [
    { id: `${model.key}|0`, name, parts: wrongOnly(model.origin.counts) },
    ...model.origin.stages.map((s) => ({
      id: `${model.key}|${s.k}`,
      name: `${name}, S${s.k}`,
      parts: wrongOnly(s.counts),
    })),
  ]);
  return (
    <div className={css.grid}>
      <Stacks
        title={f.first}
        note={f.firstNote}
        rows={first}
        tones={{ none: '--supported' }}
        missing={models.length === 0 ? t.report.noChains : undefined}
        onPick={(row, label) => {
          if (label === 'none') return;
          const k = Number(/^S(\d+)/.exec(label)?.[1] ?? 0);
          onPick({
            model: keyOf(row),
            title: t.report.picked([row.name, `${f.first} ${label}`]),
            where: (x) => x.first_error && x.k === k,
          });
        }}
      />
      <Stacks
        title={f.origin}
        note={f.originNote}
        rows={origins}
        tones={originTones}
        missing={missingIn(models, originPanel)}
        onPick={(row, label) =>
          onPick({
            model: keyOf(row),
            title: t.report.picked([row.name, t.report.label(label)]),
            where: (x) => x.origin === label && (stageOf(row) === 0 || x.k === stageOf(row)),
          })
        }
      />
      <Forest title={f.told} note={f.toldNote} models={models} of={told} panel={originPanel} />
    </div>
  );
};

const reliancePanel = (m: ReportModel) => m.image_reliance;
const reliance = ({ image_reliance: r }: ReportModel) => ({
  ...named({
    noise: r.noise,
    net_necessity: r.net_necessity,
    net_necessity_total: r.net_necessity_total,
    carried: r.carried,
    net_sufficiency: r.net_sufficiency,
    blank_rate: r.blank_rate,
    image_gain: r.image_gain,
    swap_follow: r.swap_follow,
    mirror_follow: r.mirror_follow,
    insert_follow: r.insert_follow,
  }),
  ...Object.fromEntries(
    r.by_stage
      .filter((s) => s.net_necessity.n > 0)
      .map((s) => [`${t.report.measures.net_necessity}, S${s.k}`, s.net_necessity]),
  ),
  ...Object.fromEntries(r.by_fill.map((x) => [`${t.report.measures.net_necessity}, ${x.fill}`, x.net_necessity])),
});
const mediationPanel = (m: ReportModel) => m.mediation;
const mediation = ({ mediation: m }: ReportModel) => named({ te: m.te, nde: m.nde, nie: m.nie, int: m.int });
const differences = (m: ReportModel) => Object.fromEntries(m.conditions.map((c) => [c.condition, c.difference as Num]));

/** Reliance shows what the image carries, and how. */
export const Reliance = ({ models, onPick }: Props) => (
  <div className={css.grid}>
    <Forest title={f.reliance} note={f.relianceNote} models={models} of={reliance} panel={reliancePanel} />
    <div className={css.column}>
      <Forest title={f.mediation} note={f.mediationNote} models={models} of={mediation} panel={mediationPanel} />
      <Stacks
        title={f.classes}
        note={f.classesNote}
        rows={models.map(({ model, name }) => ({ id: `${model.key}|0`, name, parts: model.mediation.classes }))}
        tones={classTones}
        missing={missingIn(models, mediationPanel)}
        onPick={(row, label) =>
          onPick({
            model: keyOf(row),
            title: t.report.picked([row.name, t.report.label(label)]),
            where: (x) => x.mediation === label,
          })
        }
      />
    </div>
    <Forest title={f.conditions} note={f.conditionsNote} models={models} of={differences} />
  </div>
);

const cuesPanel = (m: ReportModel) => m.cues;
const follows = (m: ReportModel) => Object.fromEntries(m.cues.rows.map((c) => [c.condition, c.follow]));
const harms = (m: ReportModel) =>
  Object.fromEntries([
    ...m.cues.rows
      .flatMap((c): [string, Num][] => [
        [`${c.condition}: harm`, c.harm],
        [`${c.condition}: help`, c.help],
      ])
      .filter(([, n]) => n.n > 0),
    [f.guess, m.cues.guess],
  ]);

/** Cues shows what follows from a hint. */
export const Cues = ({ models, onPick }: Props) => (
  <div className={css.grid}>
    <Forest title={f.cues} note={f.cuesNote} models={models} of={follows} panel={cuesPanel} range={[0, 1]} />
    <Forest title={f.harm} note={f.harmNote} models={models} of={harms} panel={cuesPanel} />
    <section className={`${css.card} ${css.across}`}>
      <h2>{f.cueTable}</h2>
      <table className={`${css.table} ${css.named}`}>
        <Head columns={t.report.cueColumns} />
        <tbody>
          {models.flatMap(({ model, name }) =>
            model.cues.rows.map((c) => (
              <tr key={`${model.key}/${c.condition}`}>
                <td>{name}</td>
                <td>{c.condition}</td>
                <td>
                  <button
                    type="button"
                    className={css.link}
                    onClick={() =>
                      onPick({
                        model: model.key,
                        title: t.report.picked([name, c.condition]),
                        where: (x) => x.cues.includes(c.condition),
                      })
                    }
                  >
                    {share(c.follow.value)}
                  </button>
                </td>
                <td>{share(c.flip.value)}</td>
                <td>{share(c.correction.value)}</td>
                <td>{share(c.acknowledged.value)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </section>
  </div>
);

const consistencyPanel = (m: ReportModel) => m.consistency;
const levels = (m: ReportModel) =>
  Object.fromEntries(
    m.consistency.levels.flatMap((l): [string, Num][] => [
      [[l.level, l.language].filter(Boolean).join(' '), l.all_same],
    ]),
  );

const textPanel = (m: ReportModel) => m.text;
const reasoning = ({ text }: ReportModel) =>
  Object.fromEntries([
    ...text.early.map((s): [string, Num] => [f.same(s.name), s]),
    [f.area, text.aoc],
    ...text.flips.map((s): [string, Num] => [f.flip(s.name), s]),
    ...text.confident.flatMap((c): [string, Num][] => [
      [`${c.condition}: ${f.reasoningLeft}`, c.length],
      [`${c.condition}: ${f.endedEarly}`, c.ended],
      [`${c.condition}: ${f.accuracyBeside}`, c.accuracy],
    ]),
  ]);
const contextPanel = (m: ReportModel) => m.context;
const context = ({ context: c }: ReportModel) =>
  Object.fromEntries([
    ...c.rows.flatMap((r): [string, Num][] => [
      [`${r.condition}: ${f.sensitivity}`, r.sensitivity],
      [`${r.condition}: ${f.directionality}`, r.directionality],
      [`${r.condition}: ${f.violations}`, r.violations],
    ]),
    ...c.monotonicity.map((n): [string, Num] => [f.monotonicity(n.name), n]),
  ]);

/** Consistency shows answers in other words, paired with reliance on the image, and what reasoning and card do. */
export const Consistency = ({ models, onPick }: Props) => (
  <div className={css.grid}>
    <Stacks
      title={f.quadrants}
      note={f.quadrantsNote}
      rows={models.map(({ model, name }) => ({ id: `${model.key}|0`, name, parts: model.consistency.quadrants }))}
      tones={quadrantTones}
      missing={missingIn(models, consistencyPanel)}
      onPick={(row, label) =>
        onPick({
          model: keyOf(row),
          title: t.report.picked([row.name, t.report.label(label)]),
          where: (x) => x.quadrant === label,
        })
      }
    />
    <Forest title={f.levels} note={f.levelsNote} models={models} of={levels} panel={consistencyPanel} range={[0, 1]} />
    <Forest title={f.text} note={f.textNote} models={models} of={reasoning} panel={textPanel} />
    <Forest title={f.context} note={f.contextNote} models={models} of={context} panel={contextPanel} range={[0, 1]} />
  </div>
);

const placesPanel = (m: ReportModel) => m.localisation;
const places = ({ localisation: l }: ReportModel) =>
  named({
    iou: l.iou,
    miou: l.miou,
    acc_half: l.acc_half,
    pointing: l.pointing,
    precision: l.precision,
    entailed: l.entailed,
    wrong_side: l.wrong_side,
    frames: l.frames,
  });
const calibrationPanel = (m: ReportModel) => m.calibration;
const scores = ({ calibration: c }: ReportModel) =>
  named({ brier: c.brier, ece: c.ece, auroc: c.auroc, aurc: c.aurc, defer: c.defer });

/** Calibration shows confidence, and the places that are cited. */
export const Calibration = ({ models }: Props) => {
  const sure = useMemo(() => models.filter((m) => m.model.calibration.estimable), [models]);
  const reliability = useCallback(
    (ink: Ink) =>
      curveOption(
        sure.map(({ model, look, name }) => ({
          id: model.key,
          name,
          look,
          points: model.calibration.bins.flatMap((b): [number, number][] =>
            typeof b.confidence === 'number' && typeof b.accuracy === 'number' ? [[b.confidence, b.accuracy]] : [],
          ),
        })),
        ['confidence', 'accuracy'],
        true,
        ink,
      ),
    [sure],
  );
  const risk = useCallback(
    (ink: Ink) =>
      curveOption(
        sure.map(({ model, look, name }) => ({
          id: model.key,
          name,
          look,
          points: model.calibration.curve.map((p): [number, number] => [p.coverage, p.risk]),
        })),
        ['coverage', 'share wrong'],
        false,
        ink,
      ),
    [sure],
  );
  const missing = missingIn(models, calibrationPanel);
  return (
    <div className={css.grid}>
      <Figure
        title={f.reliability}
        note={f.reliabilityNote}
        head={[t.report.headModel, 'confidence', 'accuracy', t.report.headN]}
        rows={sure.flatMap(({ model, name }) =>
          model.calibration.bins
            .filter((b) => b.n > 0)
            .map((b) => ({ cells: [name, share(b.confidence), share(b.accuracy), b.n] })),
        )}
        option={reliability}
        height={230}
        missing={missing}
      />
      <Figure
        title={f.risk}
        note={f.riskNote}
        head={[t.report.headModel, 'coverage', 'risk']}
        rows={sure.flatMap(({ model, name }) =>
          model.calibration.curve.map((p) => ({ cells: [name, share(p.coverage), share(p.risk)] })),
        )}
        option={risk}
        height={230}
        missing={missing}
      />
      <Forest
        title={f.scores}
        note={f.scoresNote}
        models={models}
        of={scores}
        panel={calibrationPanel}
        range={[0, 1]}
      />
      <Forest title={f.places} note={f.placesNote} models={models} of={places} panel={placesPanel} range={[0, 1]} />
    </div>
  );
};
