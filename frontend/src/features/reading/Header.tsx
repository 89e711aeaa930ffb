import type { Action } from '../../lib/actions';
import { clockOf } from '../../lib/format';
import { t } from '../../lib/texts';
import { Bar, Button, cx } from '../../ui/basics';
import css from './reading.module.css';
import { nothingAsked, type Shown } from './state';
import { TrainingNote } from './Training';
import type { Reading } from './useReading';

interface Props {
  reading: Reading;
  reader: string;
  actions: Action[];
  onCase: (id: string) => void;
  onLibrary: () => void;
}

/** Header names the case, says what is saved, and shows the phases. */
export const Header = ({ reading, reader, actions, onLibrary }: Props) => {
  const { view, s, move, stack } = reading;
  const described = stack?.description.toUpperCase().startsWith(stack.modality.toUpperCase());
  const modality = described ? stack?.description : [stack?.modality, stack?.description].filter(Boolean).join(' · ');
  const facts = [modality, stack && t.reading.frames(stack.frames.length), stack?.synthetic && t.library.synthetic];
  const by = (id: Action['id']) => actions.find((a) => a.id === id);
  const phases: { shown: Shown; label: string; done: boolean; why: string }[] = [
    { shown: 'look', label: t.reading.look, done: view.phase !== 'look', why: '' },
    {
      shown: 'judge',
      label: t.reading.judge,
      done: view.phase === 'signed',
      why: view.phase === 'look' ? t.reading.hidden : view.chains.length === 0 ? t.reading.viewOnly : '',
    },
    {
      shown: 'sign',
      label: view.phase === 'signed' ? t.reading.signed : t.reading.sign,
      done: view.phase === 'signed',
      why: view.phase === 'look' ? t.reading.lookFirst : '',
    },
  ];
  return (
    <header className={css.header}>
      <Button
        look="quiet"
        onClick={onLibrary}
        aria-label={t.reading.back}
        title={t.reading.back}
        data-testid="to-library"
      >
        ‹
      </Button>
      <h1 className={css.code}>{view.case.id}</h1>
      <TrainingNote reading={reading} />
      <span className={css.soft}>{facts.filter(Boolean).join(' · ')}</span>
      <Bar done={view.position} total={view.total} label={t.reading.position(view.position, view.total)} />
      <span className={css.soft}>
        <Button
          look="quiet"
          aria-label={t.reading.previous}
          why={by('previous-case')?.can?.()}
          onClick={by('previous-case')?.run}
          data-testid="previous-case"
        >
          ‹
        </Button>
        {t.reading.position(view.position, view.total)}
        <Button
          look="quiet"
          aria-label={t.reading.next}
          why={by('next-case')?.can?.()}
          onClick={by('next-case')?.run}
          data-testid="next-case"
        >
          ›
        </Button>
      </span>
      <SavedMark reading={reading} reader={reader} />
      <nav
        className={css.phases}
        aria-label={t.groups.cases}
        data-testid="phase"
        data-phase={view.phase}
        data-shown={s.shown}
      >
        {!nothingAsked(view) &&
          phases.map((p) => (
            <button
              key={p.shown}
              type="button"
              aria-current={s.shown === p.shown ? 'step' : undefined}
              aria-disabled={p.why ? true : undefined}
              title={p.why}
              data-testid={`phase-${p.shown}`}
              onClick={() => !p.why && move({ do: 'show', shown: p.shown })}
            >
              {p.done && '✓ '}
              {p.label}
            </button>
          ))}
      </nav>
    </header>
  );
};

const SavedMark = ({ reading, reader }: { reading: Reading; reader: string }) => {
  const { view, waiting, failures } = reading;
  const state = failures.length > 0 ? 'failed' : waiting.length > 0 ? 'saving' : view.saved_at ? 'saved' : 'none';
  const words = {
    failed: t.reading.notSaved,
    saving: t.reading.saving,
    saved: t.reading.saved(clockOf(view.saved_at)),
    none: '',
  }[state];
  return (
    <span className={css.faint}>
      {t.reading.reader(reader)}
      {words && ' · '}
      <span
        className={cx(css.saved, state === 'failed' && css.unsaved)}
        role="status"
        data-testid="saved"
        data-state={state}
        data-at={view.saved_at}
      >
        {words}
      </span>
    </span>
  );
};
