import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useDeskAct } from '../../backend/queries';
import type { Remap } from '../../lib/keys';
import type { State } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Card, Trouble } from '../../ui/basics';
import { Patches } from '../../ui/Patches';
import { KeyList } from './KeyList';
import css from './settings.module.css';

interface Props {
  state: State;
  remap: Remap;
  onRemap: (remap: Remap) => Promise<void>;
}

/** SettingsScreen: who reads, which keys, what the display can show. */
export const SettingsScreen = ({ state, remap, onRemap }: Props) => (
  <main className={css.screen} data-testid="settings">
    <h1 className="hidden">{t.settings.title}</h1>
    <div className={css.column}>
      <Card className={css.card}>
        <ReaderSeat state={state} />
      </Card>
      <Card className={css.card}>
        <h2>{t.settings.workspace}</h2>
        <span className={css.soft}>{state.workspace || '–'}</span>
        <span className={css.soft}>
          {t.settings.seat}: {t.settings.roles[state.role] ?? (state.role || '–')}
        </span>
      </Card>
      <Card className={css.card}>
        <Display />
      </Card>
    </div>
    <Card>
      <KeyList remap={remap} onRemap={onRemap} />
    </Card>
  </main>
);

const ReaderSeat = ({ state }: { state: State }) => {
  const [code, setCode] = useState(state.reader);
  const take = useDeskAct<string>((b, reader) => b.setReader(reader));
  return (
    <>
      <h2>{t.settings.reader}</h2>
      <form
        className={css.line}
        onSubmit={(e) => {
          e.preventDefault();
          if (code.trim() !== '') take.mutate(code.trim());
        }}
      >
        <input
          className={css.input}
          value={code}
          aria-label={t.settings.readerCode}
          maxLength={64}
          data-testid="reader-code"
          onChange={(e) => setCode(e.target.value)}
        />
        <Button
          type="submit"
          data-testid="take-seat"
          why={code.trim() === state.reader ? t.reading.reader(state.reader) : ''}
        >
          {t.settings.take}
        </Button>
      </form>
      <span className={css.soft}>{t.settings.readerNote}</span>
      {take.isError && <Trouble title={t.fault.title} text={troubleOf(take.error).text || t.fault.unknown} />}
    </>
  );
};

const Display = () => (
  <>
    <h2>{t.settings.display}</h2>
    <span className={css.soft}>
      {t.settings.screen(window.screen.width, window.screen.height, window.devicePixelRatio)}
    </span>
    <Patches />
    <span className={css.soft}>{t.settings.displayNote}</span>
  </>
);
