import type { RefObject } from 'react';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { ContextCard } from './ContextCard';
import { DisplayCheck } from './DisplayCheck';
import { JudgePanel } from './JudgePanel';
import { LookPanel } from './LookPanel';
import css from './reading.module.css';
import { SignPanel } from './SignPanel';
import type { Reading } from './useReading';
import type { RightWidth } from './useRightWidth';

interface Props {
  reading: Reading;
  panel: RefObject<HTMLElement | null>;
  right: RightWidth;
  signFault: string;
  onSign: () => void;
  onCase: (id: string) => void;
  onCorrect: () => void;
  onLibrary: () => void;
}

/** Panel is the right column: context, then what the phase asks. */
export const Panel = (p: Props) => {
  const { reading, right } = p;
  const { s } = reading;
  return (
    <aside
      className={css.aside}
      ref={p.panel}
      data-zone="steps"
      tabIndex={0}
      aria-label={t.groups.steps}
      data-testid="panel"
    >
      <div
        className={css.grip}
        role="separator"
        aria-orientation="vertical"
        aria-label={t.reading.width}
        aria-valuenow={right.width}
        aria-valuemin={right.least}
        aria-valuemax={right.most}
        tabIndex={0}
        onPointerDown={right.onPointerDown}
        onPointerMove={right.onPointerMove}
        onKeyDown={right.onKeyDown}
      />
      <DisplayCheck />
      <Troubles reading={reading} />
      {s.correcting && (
        <div className={css.correcting} data-testid="correcting">
          <span>{t.reading.correcting(s.correcting)}</span>
          <Button onClick={() => reading.move({ do: 'correct', reason: '' })}>{t.reading.correctEnd}</Button>
        </div>
      )}
      <ContextCard reading={reading} />
      {s.shown === 'look' && <LookPanel reading={reading} />}
      {s.shown === 'judge' && <JudgePanel reading={reading} />}
      {s.shown === 'sign' && <SignPanel {...p} />}
    </aside>
  );
};

/** Troubles says loudly what is not saved: it is kept and tried again, or waits for the reader's word. */
const Troubles = ({ reading }: { reading: Reading }) => {
  const { failures, queue, waiting } = reading;
  if (failures.length === 0) return null;
  return (
    <div className={css.troubles} data-testid="save-trouble">
      {failures.map((f) => (
        <Trouble
          key={f.key}
          title={t.reading.unsaved(waiting.filter((w) => w.key === f.key).length)}
          text={[f.text || t.fault.unknown, f.kind === 'again' && t.reading.keptHere].filter(Boolean).join('. ')}
        >
          <Button onClick={() => queue.retry(f.key)}>{t.reading.retry}</Button>
          {f.kind === 'stuck' && <Button onClick={() => queue.takeBack(f.key)}>{t.reading.takeBack}</Button>}
        </Trouble>
      ))}
    </div>
  );
};
