import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useCopy } from '../../backend/queries';
import { useAgreement } from '../../backend/studying';
import { agreementCSV, comparedAt, stagesOf, withinReaders } from '../../lib/agreement';
import type { Agreement } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { AgreementTable } from './AgreementTable';
import { Overturns } from './Overturns';
import css from './study.module.css';

/** AgreementTab shows how far readers agree, from labels before adjudication. */
export const AgreementTab = () => {
  const agreement = useAgreement();
  if (agreement.isError) {
    return <Trouble title={t.fault.title} text={troubleOf(agreement.error).text || t.fault.unknown} />;
  }
  if (!agreement.data) return <p className={form.soft}>{t.agreement.loading}</p>;
  return <Shown rows={agreement.data} />;
};

const Shown = ({ rows }: { rows: readonly Agreement[] }) => {
  const [k, setK] = useState(0);
  const copy = useCopy();
  const between = comparedAt(rows, k);
  const within = withinReaders(rows);
  const said = copy.isError ? t.library.notCopied : copy.isSuccess ? t.library.copied(copy.data) : '';
  return (
    <div className={css.page} data-testid="agreement">
      <div className={css.bar}>
        <span className={css.views} role="group" aria-label={t.agreement.stage}>
          {[{ k: 0, label: t.agreement.allStages }, ...stagesOf(rows)].map((s) => (
            <button
              key={s.k}
              type="button"
              aria-pressed={k === s.k}
              data-testid={`stage-${s.k}`}
              onClick={() => {
                copy.reset();
                setK(s.k);
              }}
            >
              {s.label}
            </button>
          ))}
        </span>
        <span className={form.soft}>{t.agreement.note}</span>
        <span className={css.end}>
          <span role="status" className={form.soft}>
            {said}
          </span>
          <Button
            onClick={() => copy.mutate({ text: agreementCSV(rows), count: rows.length + 1 })}
            data-testid="copy-agreement"
          >
            {t.agreement.copy}
          </Button>
        </span>
      </div>
      {between.length === 0 ? (
        <p className={form.soft}>{t.agreement.none}</p>
      ) : (
        <AgreementTable title={t.agreement.between} rows={between} />
      )}
      {within.length > 0 && k === 0 && <AgreementTable title={t.agreement.within} rows={within} />}
      <Overturns />
    </div>
  );
};
