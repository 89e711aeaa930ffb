import { useState } from 'react';
import { isAddress } from '../../backend/archive';
import type { State } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, cx } from '../../ui/basics';
import css from './library.module.css';
import type { LongAct } from './useLongAct';

interface Props {
  state: State;
  long: LongAct;
  onOpenWork: () => void;
  onArchive: (address: string) => void;
  small?: boolean;
  onDone?: () => void;
}

/** Start offers every way to bring data in: the sample study, a folder, a path, a drop, an earlier workspace. */
export const Start = ({ state, long, onOpenWork, onArchive, small, onDone }: Props) => {
  const [path, setPath] = useState('');
  const then = (act: () => unknown) => () => {
    onDone?.();
    void act();
  };
  return (
    <section className={css.start} aria-label={t.library.welcome}>
      {!small && (
        <>
          <h1>{t.library.welcome}</h1>
          <p className={css.soft}>
            {t.notice.research} {t.notice.device} {t.notice.diagnosis}
          </p>
        </>
      )}
      <div className={css.ways}>
        <button
          type="button"
          className={cx(css.way, css.first)}
          data-testid="sample-study"
          onClick={then(long.openSample)}
        >
          <strong>{t.library.sample}</strong>
          <span className={css.soft}>{t.library.sampleNote}</span>
        </button>
        <button type="button" className={css.way} data-testid="open-folder" onClick={then(long.chooseImport)}>
          <strong>{t.library.open}</strong>
          <span className={css.soft}>{t.library.openNote}</span>
        </button>
        <button type="button" className={css.way} data-testid="open-work" onClick={then(onOpenWork)}>
          <strong>{t.packages.openWay}</strong>
          <span className={css.soft}>{t.packages.openNote}</span>
        </button>
      </div>
      <form
        className={css.line2}
        onSubmit={(e) => {
          e.preventDefault();
          then(() => (isAddress(path) ? onArchive(path.trim()) : long.import(path)))();
        }}
      >
        <input
          className={cx(css.input, css.grow)}
          value={path}
          onChange={(e) => setPath(e.target.value)}
          aria-label={t.library.path}
          placeholder={t.library.pathPlaceholder}
          data-testid="import-path"
        />
        <Button type="submit" data-testid="import">
          {t.library.import}
        </Button>
        <Button onClick={then(long.chooseWorkspace)}>{t.library.openWorkspace}</Button>
      </form>
      <p className={css.soft}>{t.library.drop}</p>
      {state.recent.length > 0 && (
        <div className={css.recent}>
          <span className={css.soft}>{t.library.recent}</span>
          {state.recent.slice(0, 6).map((dir) => (
            <button key={dir} type="button" data-testid="recent" onClick={then(() => long.openWorkspace(dir))}>
              {dir}
            </button>
          ))}
        </div>
      )}
    </section>
  );
};
