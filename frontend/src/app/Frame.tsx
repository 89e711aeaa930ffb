import type { ReactNode } from 'react';
import { useUnsavedCount } from '../backend/saves';
import { keyLabel } from '../lib/keys';
import type { State } from '../lib/nouns';
import { t } from '../lib/texts';
import { useKeyOf } from '../ui/actions';
import { Button } from '../ui/basics';
import css from './app.module.css';
import { Changed } from './Changed';
import { Going } from './Going';
import { hashOf, type Route } from './route';

const links = ['library', 'study', 'experiment', 'compare', 'adjudication', 'report', 'settings', 'about'] as const;

/** linksFor leaves out what this seat has no use for: where an adjudicator sits, everything but the disagreements. */
const linksFor = (state: State) => {
  const decides = state.adjudication === 'decide';
  const out: Partial<Record<(typeof links)[number], boolean>> = {
    study: decides || state.role !== 'coordinator',
    experiment: decides || state.role !== 'coordinator',
    compare: decides || state.role !== 'coordinator',
    adjudication: state.adjudication === '',
    report: decides || state.role === 'reader', // it shows gold and models
  };
  return links.filter((at) => !out[at]);
};

/** Frame is the head of every screen but the reading screen, which has its own. */
export const Frame = ({
  route,
  state,
  onHelp,
  children,
}: {
  route: Route;
  state: State;
  onHelp: () => void;
  children: ReactNode;
}) => {
  const keyOf = useKeyOf();
  const unsaved = useUnsavedCount();
  return (
    <div className={css.frame}>
      <header className={css.top}>
        <span className={css.name}>{t.name}</span>
        <nav aria-label={t.name} style={{ display: 'flex', gap: 2 }}>
          {linksFor(state).map((at) => (
            <a
              key={at}
              className={css.link}
              href={hashOf({ at })}
              aria-current={route.at === at ? 'page' : undefined}
              data-testid={`nav-${at}`}
            >
              {t.nav[at]}
            </a>
          ))}
        </nav>
        <span className={css.end}>
          {state.open && state.role === 'coordinator' && state.adjudication !== 'decide' && <Going />}
          {unsaved > 0 && <span style={{ color: 'var(--bad)' }}>{t.reading.unsaved(unsaved)}</span>}
          {state.reader &&
            (state.adjudication === 'decide'
              ? t.adjudication.adjudicator(state.reader)
              : t.reading.reader(state.reader))}
          <Button look="quiet" onClick={onHelp} aria-label={t.nav.keys} data-testid="open-help">
            {keyLabel(keyOf('help')) || '?'}
          </Button>
        </span>
      </header>
      <Changed open={state.open} />
      <div className={css.place}>{children}</div>
    </div>
  );
};
