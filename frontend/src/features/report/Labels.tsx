import { Fragment } from 'react';
import type { ReportModel } from '../../lib/report';
import { gradeOf } from '../../lib/rubric';
import { t } from '../../lib/texts';
import { Badge, type Look } from './look';
import css from './report.module.css';

/** Labels shows how often each grade was given, by letter-shape and colour. */
export const Labels = ({ models }: { models: { model: ReportModel; look: Look; name: string }[] }) => {
  const grades = models[0]?.model.labels.support.map((c) => c.label) ?? [];
  return (
    <section className={css.card}>
      <h2>{t.report.labels}</h2>
      <div className={css.n}>{t.report.labelsNote}</div>
      <div className={css.bars} style={{ marginTop: 8 }}>
        {models.map(({ model, look, name }) => (
          <Fragment key={name}>
            <span className={css.named} style={{ margin: 0 }}>
              <Badge look={look} /> {name}
            </span>
            <span className={css.bar}>
              {model.labels.support
                .filter((c) => c.n > 0)
                .map((c) => (
                  <span
                    key={c.label}
                    className={css.part}
                    title={`${gradeOf(c.label)?.label ?? c.label}: ${c.n}`}
                    style={{ flex: c.n, background: `var(--${c.label})` }}
                  >
                    {c.n >= 0.09 * model.labels.step_ratings && `${gradeOf(c.label)?.shape ?? ''} ${c.n}`}
                  </span>
                ))}
            </span>
            <span className={css.n}>{model.labels.step_ratings}</span>
          </Fragment>
        ))}
      </div>
      <div className={css.legend}>
        {grades.map((g) => (
          <span key={g}>
            <b style={{ color: `var(--${g})` }}>{gradeOf(g)?.shape}</b> {gradeOf(g)?.label ?? g}
          </span>
        ))}
      </div>
    </section>
  );
};
