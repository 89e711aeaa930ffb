import type { ReactNode } from 'react';
import type { Rating, Region } from '../lib/nouns';
import { complete, gradeOf, type StepRowId, stepRows, stepValueOf } from '../lib/rubric';
import { t } from '../lib/texts';
import { Chip, cx, ModelText } from '../ui/basics';
import css from './card.module.css';
import { frameNumber, type Numbered } from './outline';
import { Grades, Rows } from './Rows';

/** StepCardProps: a step, what the reader said of it, and what can be done. */
export interface StepCardProps {
  numbered: Numbered;
  rating: Rating;
  now: boolean;
  row: string;
  readOnly: boolean;
  lit: string;
  onOpen: () => void;
  onRow: (row: string) => void;
  onChoose: (row: StepRowId, value: string) => void;
  onNote: (text: string) => void;
  onRegion: (region: Region) => void;
  onLight: (region: Region | undefined) => void;
  evidence: ReactNode;
  /** What the reader would have said instead, in short; '' for nothing. */
  own: string;
  /** Where they say it. */
  would: ReactNode;
}

/** StepCard is one claim of the model: closed it says what was given, open it asks. */
export const StepCard = (p: StepCardProps) => {
  const { step, number } = p.numbered;
  const all = stepRows(p.rating, p.numbered);
  const rows = all.filter((r) => r.id !== 'support');
  return (
    <article
      className={cx(css.step, p.now && css.now)}
      data-testid={`step-${step.id}`}
      data-part={step.id}
      data-now={p.now || undefined}
      data-graded={p.rating.support || undefined}
      aria-current={p.now ? 'step' : undefined}
      onMouseEnter={() => p.onLight(step.regions[0])}
      onMouseLeave={() => p.onLight(undefined)}
    >
      <div className={css.claim}>
        <em>{number}</em>
        <div
          className={css.open}
          role="button"
          tabIndex={p.now ? -1 : 0}
          aria-expanded={p.now}
          onClick={p.onOpen}
          onKeyDown={(e) => (e.key === 'Enter' || e.key === ' ') && !e.ctrlKey && p.onOpen()}
        >
          {step.text ? <ModelText text={step.text} /> : <span className={css.latent}>{t.reading.latent}</span>}
        </div>
        {step.regions.map((region) => (
          <RegionChip
            key={region.id}
            region={region}
            lit={p.lit === region.id}
            onRegion={p.onRegion}
            onLight={p.onLight}
          />
        ))}
      </div>
      {p.now ? (
        <>
          <Grades
            choices={all.find((r) => r.id === 'support')?.choices ?? []}
            value={p.rating.support}
            active={p.row === 'support'}
            readOnly={p.readOnly}
            onChoose={(g) => p.onChoose('support', g)}
          />
          <Rows
            rows={rows}
            values={(id) => stepValueOf(p.rating, id as StepRowId)}
            active={p.row}
            readOnly={p.readOnly}
            onRow={p.onRow}
            onChoose={(id, value) => p.onChoose(id as StepRowId, value)}
            onText={(_, text) => p.onNote(text)}
            regions={() => p.evidence}
          />
          {p.would}
        </>
      ) : (
        <Given rating={p.rating} numbered={p.numbered} own={p.own} />
      )}
    </article>
  );
};

const Given = ({ rating, numbered, own }: { rating: Rating; numbered: Numbered; own: string }) => {
  const grade = gradeOf(rating.support);
  const would = own && <div className={css.would}>{t.own.said(own)}</div>;
  if (!grade) {
    return (
      <div className={css.given}>
        {t.reading.notRated}
        {would}
      </div>
    );
  }
  const wholeImage = rating.evidence.some((r) => r.shape === 'whole_image');
  const said = [
    rating.evidence.length > 0 && (wholeImage ? t.reading.wholeImage : t.reading.regions(rating.evidence.length)),
    rating.confidence > 0 && t.reading.confidenceIs(rating.confidence),
    !complete(rating, numbered) && t.reading.incomplete,
  ].filter(Boolean);
  return (
    <div className={css.given} style={{ '--grade': `var(--${grade.value})` } as React.CSSProperties}>
      <b>
        <span aria-hidden="true">{grade.shape}</span> {grade.label}
      </b>
      {said.map((s) => ` · ${s}`)}
      {would}
    </div>
  );
};

/** RegionChip jumps to a region of the model; pointing at it lights the region. */
export const RegionChip = ({
  region,
  lit,
  onRegion,
  onLight,
}: {
  region: Region;
  lit: boolean;
  onRegion: (region: Region) => void;
  onLight: (region: Region | undefined) => void;
}) => {
  const frame = frameNumber(region);
  return (
    <Chip
      kind="model"
      lit={lit}
      data-testid={`chip-${region.id}`}
      aria-label={frame ? t.reading.toRegion(frame) : t.reading.wholeImage}
      onClick={() => onRegion(region)}
      onFocus={() => onLight(region)}
      onBlur={() => onLight(undefined)}
      onMouseEnter={() => onLight(region)}
    >
      ◎ {frame ?? t.reading.wholeImage}
    </Chip>
  );
};
