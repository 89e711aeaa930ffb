import { useState } from 'react';
import type { RubricName } from '../../lib/nouns';
import { idsOf, type Protocol } from '../../lib/protocol';
import { t } from '../../lib/texts';
import { Choice, Field, NumberInput, useProblemAt, Wrong } from './fields';
import css from './study.module.css';

interface Props {
  protocol: Protocol;
  onChange: (part: Partial<Protocol>) => void;
}

/** Reads edits how often a case is read, and what of it. */
export const Reads = ({ protocol: p, onChange }: Props) => (
  <section className={css.card}>
    <h2>{t.study.reads}</h2>
    <Choice
      label={t.study.design}
      of="design"
      value={p.design}
      choices={t.study.designs}
      onChoice={(design) => onChange({ design, reads_per_case: design === 'crossed' ? 0 : p.reads_per_case || 2 })}
    />
    <div className={css.row}>
      {p.design === 'split' && (
        <Field label={t.study.readsPerCase} of="reads_per_case">
          {(given) => (
            <NumberInput
              {...given}
              value={p.reads_per_case}
              min={1}
              onNumber={(reads_per_case) => onChange({ reads_per_case })}
            />
          )}
        </Field>
      )}
      <Field label={t.study.sessions} of="sessions">
        {(given) => (
          <NumberInput {...given} value={p.sessions} min={1} onNumber={(sessions) => onChange({ sessions })} />
        )}
      </Field>
      <Field label={t.study.washout} of="washout_days">
        {(given) => (
          <NumberInput
            {...given}
            value={p.washout_days}
            min={0}
            onNumber={(washout_days) => onChange({ washout_days })}
          />
        )}
      </Field>
    </div>
    <div className={css.row}>
      <Choice
        label={t.study.chains}
        of="chains_per_case"
        value={p.chains_per_case === 'all' ? 'all' : 'some'}
        choices={{ all: t.study.allChains, some: t.study.someChains }}
        onChoice={(c) => onChange({ chains_per_case: c === 'all' ? 'all' : 1 })}
      />
      {p.chains_per_case !== 'all' && (
        <NumberInput
          value={p.chains_per_case}
          min={1}
          aria-label={t.study.chains}
          className={css.beside}
          onNumber={(n) => onChange({ chains_per_case: n })}
        />
      )}
    </div>
    <Repeats protocol={p} onChange={onChange} />
  </section>
);

const Repeats = ({ protocol: { repeats }, onChange }: Props) => (
  <div className={css.row}>
    <Choice
      label={t.study.repeats}
      of="repeats"
      value={repeats ? 'some' : 'none'}
      choices={{ none: t.study.noRepeats, some: t.study.someRepeats }}
      onChoice={(c) => onChange({ repeats: c === 'none' ? null : { share: 0.1, min_distance: 5 } })}
    />
    {repeats && (
      <>
        <Field label={t.study.share} of="repeats.share">
          {(given) => (
            <NumberInput
              {...given}
              value={Math.round(repeats.share * 1000) / 10}
              min={0}
              max={100}
              onNumber={(percent) => onChange({ repeats: { ...repeats, share: percent / 100 } })}
            />
          )}
        </Field>
        <Field label={t.study.distance} of="repeats.min_distance">
          {(given) => (
            <NumberInput
              {...given}
              value={repeats.min_distance}
              min={1}
              onNumber={(min_distance) => onChange({ repeats: { ...repeats, min_distance } })}
            />
          )}
        </Field>
      </>
    )}
  </div>
);

/** Blinding edits what comes before the chains, and how long what is hidden. */
export const Blinding = ({ protocol: p, onChange }: Props) => (
  <section className={css.card}>
    <h2>{t.study.blinding}</h2>
    <div className={css.row}>
      <Choice
        label={t.study.first}
        of="look.first"
        value={p.look.first ? 'yes' : 'no'}
        choices={{ yes: t.study.yes, no: t.study.no }}
        onChoice={(c) => onChange({ look: { ...p.look, first: c === 'yes' } })}
      />
      {p.look.first && (
        <Choice
          label={t.study.questions}
          of="look.questions"
          value={p.look.questions}
          choices={t.study.questionsAre}
          onChoice={(questions) => onChange({ look: { ...p.look, questions } })}
        />
      )}
    </div>
    <Choice
      label={t.study.hidden}
      of="hidden_until"
      value={p.hidden_until}
      choices={t.study.hiddenUntil}
      onChoice={(hidden_until) => onChange({ hidden_until })}
    />
    <Choice
      label={t.study.overlays}
      of="overlays"
      value={p.overlays ?? 'hidden'}
      choices={t.study.overlaysAre}
      onChoice={(overlays) => onChange({ overlays })}
    />
  </section>
);

/** Training edits what is read for practice, and when a reader counts as idle. */
export const Training = ({ protocol: p, onChange }: Props) => {
  const [typed, setTyped] = useState<string>();
  const wrong = p.training.map((_, i) => `training[${i}]`);
  return (
    <section className={css.card}>
      <h2>{t.study.training}</h2>
      <Field label={t.study.trainingCases} of="training">
        {(given) => (
          <textarea
            {...given}
            className={css.input}
            rows={Math.min(5, Math.max(2, p.training.length + 1))}
            value={typed ?? p.training.join('\n')}
            onBlur={() => setTyped(undefined)}
            onChange={(e) => {
              setTyped(e.target.value);
              onChange({ training: idsOf(e.target.value) });
            }}
          />
        )}
      </Field>
      {wrong.map((of) => (
        <Wrong key={of} of={of} />
      ))}
      <div className={css.row}>
        {p.training.length > 0 && (
          <Field label={t.study.trainingPass} of="training_pass" note={t.study.trainingNote}>
            {(given) => (
              <NumberInput
                {...given}
                value={Math.round((p.training_pass ?? 0) * 1000) / 10}
                min={0}
                max={100}
                onNumber={(percent) => onChange({ training_pass: percent / 100 })}
              />
            )}
          </Field>
        )}
        <Field label={t.study.idle} of="idle_seconds">
          {(given) => (
            <NumberInput
              {...given}
              value={p.idle_seconds}
              min={5}
              max={3600}
              onNumber={(idle_seconds) => onChange({ idle_seconds })}
            />
          )}
        </Field>
      </div>
    </section>
  );
};

/** RubricChoice edits by which rubric readers are asked. */
export const RubricChoice = ({ protocol: p, rubrics, onChange }: Props & { rubrics: readonly RubricName[] }) => {
  const of = (r: RubricName) => JSON.stringify([r.name, r.version]);
  const known = rubrics.some((r) => of(r) === of(p.rubric));
  const all = known ? rubrics : [...rubrics, p.rubric];
  return (
    <Field label={t.study.rubric} of="rubric">
      {(given) => (
        <select
          {...given}
          className={css.input}
          value={of(p.rubric)}
          data-testid="rubric-choice"
          onChange={(e) => {
            const chosen = all.find((r) => of(r) === e.target.value);
            if (chosen) onChange({ rubric: chosen });
          }}
        >
          {all.map((r) => (
            <option key={of(r)} value={of(r)}>
              {t.study.rubricIs(r.name, r.version)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
};

/** NameField edits what the study is called. */
export const NameField = ({ protocol: p, onChange }: Props) => {
  const wrong = useProblemAt('name') !== '';
  return (
    <Field label={t.study.name} of="name">
      {(given) => (
        <input
          {...given}
          aria-invalid={wrong}
          className={css.input}
          value={p.name}
          maxLength={200}
          data-testid="study-name"
          onChange={(e) => onChange({ name: e.target.value })}
        />
      )}
    </Field>
  );
};
