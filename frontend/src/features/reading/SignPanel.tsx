import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { Button, Trouble } from '../../ui/basics';
import css from './reading.module.css';
import { nothingAsked, placeOf } from './state';
import { TrainingResult } from './Training';
import type { Reading } from './useReading';

interface Props {
  reading: Reading;
  signFault: string;
  onSign: () => void;
  onCase: (id: string) => void;
  onCorrect: () => void;
  onLibrary: () => void;
}

/** SignPanel says in words what is still missing, and signs. */
export const SignPanel = (p: Props) => {
  const { view, s, move, waiting } = p.reading;
  const keyOf = useKeyOf();
  const signed = view.phase === 'signed';
  const nothing = nothingAsked(view);
  const jump = (m: (typeof view.missing)[number]) => {
    const at = placeOf(m);
    if (at.shown === 'judge') p.reading.openPart(at.chain, at.part, at.row);
    else move({ do: 'show', shown: 'look' });
  };
  return (
    <>
      <div className={css.scroll}>
        <section className={css.block} data-testid="sign-panel">
          <h2>{nothing ? t.reading.viewOnly : signed ? t.reading.isSigned : t.reading.missing}</h2>
          {signed && view.revisions > 0 && <p className={css.small}>{t.reading.revisions(view.revisions)}</p>}
          {!nothing && !signed && view.missing.length === 0 && <p className={css.small}>{t.reading.nothingMissing}</p>}
          {view.missing.length > 0 && (
            <ul className={css.missing} data-testid="missing">
              {view.missing.map((m) => (
                <li key={`${m.chain}/${m.part}/${m.field}`}>
                  <button type="button" onClick={() => jump(m)}>
                    {m.text}
                  </button>
                </li>
              ))}
            </ul>
          )}
          <TrainingResult reading={p.reading} onLibrary={p.onLibrary} />
          {p.signFault && <Trouble title={t.fault.title} text={p.signFault} />}
        </section>
      </div>
      <div className={css.foot}>
        {signed || nothing ? (
          <>
            {signed && !view.training && (
              <Button
                onClick={s.correcting ? () => move({ do: 'correct', reason: '' }) : p.onCorrect}
                data-testid="correct"
              >
                {s.correcting ? t.reading.correctEnd : t.reading.correct}
              </Button>
            )}
            <Button
              look="primary"
              style={{ marginLeft: 'auto' }}
              keys={keyOf('next-case')}
              why={view.next ? '' : t.reading.noNext}
              onClick={() => p.onCase(view.next)}
              data-testid="go-next"
            >
              {t.reading.next}
            </Button>
          </>
        ) : (
          <>
            <span className={css.small}>{t.reading.signNote}</span>
            <Button
              look="primary"
              style={{ marginLeft: 'auto' }}
              keys={keyOf('commit')}
              why={
                view.missing.length > 0
                  ? t.reading.missingCount(view.missing.length)
                  : waiting.length > 0
                    ? t.reading.saving
                    : ''
              }
              onClick={p.onSign}
              data-testid="sign"
            >
              {t.reading.signNow}
            </Button>
          </>
        )}
      </div>
    </>
  );
};
