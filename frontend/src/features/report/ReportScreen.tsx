import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useReport, useSaveReport } from '../../backend/queries';
import type { ReportDocument, ReportModel } from '../../lib/report';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { Curve } from './Curve';
import { Labels } from './Labels';
import { Badge, type Look, lookOf } from './look';
import { Readers } from './Readers';
import css from './report.module.css';
import { Tile } from './Tile';

/** ReportScreen shows accuracy beside grounding and never blends them. */
export const ReportScreen = ({ open }: { open: boolean }) => {
  const report = useReport(open);
  if (!open) return <p style={{ padding: 24 }}>{t.library.noCases}</p>;
  if (report.isError) {
    const trouble = troubleOf(report.error);
    return (
      <div style={{ padding: 24 }} data-testid="report-refused">
        <Trouble
          title={trouble.kind === 'refused' ? t.report.refused : t.fault.title}
          text={trouble.text || t.fault.unknown}
        />
      </div>
    );
  }
  if (!report.data) return <p style={{ padding: 24 }}>{t.report.loading}</p>;
  return <Shown report={report.data} />;
};

interface Shown {
  model: ReportModel;
  look: Look;
  name: string;
}

const atFirst = 4;

const Shown = ({ report }: { report: ReportDocument }) => {
  const all = report.models.map(
    (model, i): Shown => ({ model, look: lookOf(i), name: t.report.conditions(model.model, model.condition) }),
  );
  const [hidden, setHidden] = useState(() => new Set(all.slice(atFirst).map((m) => m.name)));
  const models = all.filter((m) => !hidden.has(m.name));
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <div className={css.screen} data-testid="report">
      <aside className={css.side}>
        <h2>{t.report.models}</h2>
        {all.map((m) => (
          <button
            key={m.name}
            type="button"
            className={css.model}
            aria-pressed={!hidden.has(m.name)}
            onClick={() => toggle(m.name)}
          >
            <Badge look={m.look} /> {m.name}
          </button>
        ))}
      </aside>
      <main className={css.main}>
        <Head report={report} />
        {all.length === 0 && <p>{t.report.noChains}</p>}
        <div className={css.halves}>
          <Accuracy models={models} />
          <Grounding models={models} />
        </div>
        <div className={css.halves}>
          <Labels models={models} />
          <Readers report={report} />
        </div>
        <details className={css.methods}>
          <summary>{t.report.methods}</summary>
          {[...report.notes, ...report.methods].map((x) => (
            <p key={x}>{x}</p>
          ))}
        </details>
      </main>
    </div>
  );
};

const Head = ({ report }: { report: ReportDocument }) => {
  const save = useSaveReport(t.report.saveTitle);
  const { data } = report;
  return (
    <>
      <div className={css.head}>
        <h1>{report.name}</h1>
        <span className={css.soft}>
          {report.synthetic && `${t.library.synthetic} · `}
          {t.report.facts(data.cases, data.patients, data.images, data.variants, data.signed)}
        </span>
        <span className={css.n} style={{ marginLeft: 'auto' }}>
          {t.report.seed(report.seed, report.resamples)}
        </span>
        <Button onClick={() => save.mutate()} disabled={save.isPending} data-testid="save-report">
          {t.report.save}
        </Button>
      </div>
      {save.data && save.data.length > 0 && (
        <p className={css.soft} role="status" data-testid="report-saved">
          {t.report.saved(save.data)}
        </p>
      )}
      {save.isError && <Trouble title={t.fault.title} text={troubleOf(save.error).text || t.fault.unknown} />}
    </>
  );
};

// A heading, a row for each model, and the curve.
const rowsOf = (models: Shown[]) => ({ gridRow: `span ${models.length + 2}` });

const stagesOf = (models: Shown[]) => models[0]?.model.accuracy.stages.map((s) => s.name) ?? [];

const Accuracy = ({ models }: { models: Shown[] }) => (
  <section className={css.half} style={rowsOf(models)} data-testid="accuracy">
    <h2>{t.report.accuracy}</h2>
    {models.map(({ model, look, name }) => (
      <div key={name} className={css.card}>
        <div className={css.named}>
          <Badge look={look} /> {name}
        </div>
        <div className={css.tiles}>
          <Tile name={t.report.chainAccuracy} figure={model.accuracy.chain} />
          <Tile name={t.report.finalWrong} figure={model.accuracy.final_right_wrong_chain} />
        </div>
      </div>
    ))}
    <div className={css.card}>
      <h3>{t.report.accuracyCurve}</h3>
      <div className={css.n}>{t.report.accuracyNote}</div>
      <Curve
        label={t.report.accuracyCurve}
        stages={stagesOf(models)}
        lines={models.map(({ model, look, name }) => ({
          name,
          look,
          solid: model.accuracy.stages,
          dashed: model.accuracy.prefix,
        }))}
      />
    </div>
  </section>
);

const Grounding = ({ models }: { models: Shown[] }) => (
  <section className={css.half} style={rowsOf(models)} data-testid="grounding">
    <h2>{t.report.grounding}</h2>
    {models.map(({ model, look, name }) => (
      <div
        key={name}
        className={css.card}
        title={t.report.coverage(model.grounding_human.steps, model.grounding_human.of, model.grounding_human.readers)}
      >
        <div className={css.named}>
          <Badge look={look} /> {name}
        </div>
        <div className={css.tiles}>
          <Tile name={t.report.lenient} figure={model.grounding_human.lenient} />
          <Tile name={t.report.rwr} figure={model.grounding_human.rwr_human} />
        </div>
      </div>
    ))}
    <div className={css.card}>
      <h3>{t.report.groundingCurve}</h3>
      <div className={css.n}>{t.report.groundingNote}</div>
      <Curve
        label={t.report.groundingCurve}
        stages={stagesOf(models)}
        lines={models.map(({ model, look, name }) => ({
          name,
          look,
          solid: model.grounding_human.stages.map((s) => s.lenient),
          dashed: model.grounding_human.stages.map((s) => s.strict),
        }))}
      />
      {models[0]?.model.grounding_causal.reason && (
        <div className={css.n}>{t.report.causal(models[0].model.grounding_causal.reason)}</div>
      )}
    </div>
  </section>
);
