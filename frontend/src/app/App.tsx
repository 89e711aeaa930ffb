import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { type Progress, troubleOf } from '../backend/client';
import { useBackend, useDeskState, useStart } from '../backend/queries';
import type { ComparedAt } from '../features/compare/CompareScreen';
import { LibraryScreen } from '../features/library/LibraryScreen';
import type { Looked } from '../features/report/ReportScreen';
import type { Start, State } from '../lib/nouns';
import { t } from '../lib/texts';
import { ActionsProvider, useActions } from '../ui/actions';
import { Button, Trouble } from '../ui/basics';
import { Frame } from './Frame';
import { Guard } from './Guard';
import { HelpSheet } from './HelpSheet';
import { Arriving, Later } from './later';
import { Notice } from './Notice';
import { go, type Route, useRoute } from './route';
import { usePreferences } from './usePreferences';

// The library is the first place; what else there is comes once it is on the screen, the viewer first.
const reading = new Later(async () => (await import('../features/reading/ReadingScreen')).ReadingScreen);
const adjudication = new Later(
  async () => (await import('../features/adjudication/AdjudicationScreen')).AdjudicationScreen,
);
const study = new Later(async () => (await import('../features/study/StudyScreen')).StudyScreen);
const experiment = new Later(async () => (await import('../features/experiment/ExperimentScreen')).ExperimentScreen);
const compare = new Later(async () => (await import('../features/compare/CompareScreen')).CompareScreen);
const report = new Later(async () => (await import('../features/report/ReportScreen')).ReportScreen);
const settings = new Later(async () => (await import('../features/settings/SettingsScreen')).SettingsScreen);
const about = new Later(async () => (await import('../features/settings/AboutScreen')).AboutScreen);

/** App is the whole page below its providers. */
export const App = () => {
  const preferences = usePreferences();
  const state = useDeskState();
  const started = useStart();
  const [seen, setSeen] = useState(false);
  useNoNavigation();
  useFirstPaint();
  useFirstPlace(started.data);
  if (state.isError) {
    return (
      <div style={{ padding: 24 }}>
        <Trouble title={t.fault.title} text={troubleOf(state.error).text || t.fault.unknown}>
          <Button onClick={() => state.refetch()}>{t.fault.again}</Button>
        </Trouble>
      </div>
    );
  }
  if (!state.data || started.isPending) return <Loading />;
  if (started.isError && !seen) {
    return (
      <div style={{ padding: 24 }}>
        <Trouble title={t.fault.title} text={troubleOf(started.error).text || t.fault.unknown}>
          <Button onClick={() => setSeen(true)}>{t.fault.close}</Button>
        </Trouble>
      </div>
    );
  }
  return (
    <ActionsProvider remap={preferences.remap}>
      {state.data.consent || !state.data.open ? (
        <Screens state={state.data} preferences={preferences} />
      ) : (
        <Notice reader={state.data.reader} />
      )}
    </ActionsProvider>
  );
};

interface ScreensProps {
  state: State;
  preferences: ReturnType<typeof usePreferences>;
}

const Screens = ({ state, preferences }: ScreensProps) => {
  const route = useRoute();
  const [help, setHelp] = useState(false);
  const looked = useRef<Looked | undefined>(undefined);
  useActions([
    { id: 'help', run: () => setHelp(true) },
    { id: 'go-library', run: () => go({ at: 'library' }) },
    { id: 'go-study', run: () => go({ at: 'study' }) },
    { id: 'go-report', run: () => go({ at: 'report' }) },
    { id: 'go-experiment', run: () => state.role === 'coordinator' && go({ at: 'experiment' }) },
    { id: 'go-compare', run: () => state.role === 'coordinator' && go({ at: 'compare' }) },
    { id: 'go-settings', run: () => go({ at: 'settings' }) },
    { id: 'go-adjudication', run: () => state.adjudication !== '' && go({ at: 'adjudication' }) },
  ]);
  const open = (id: string) => go({ at: 'case', id });
  const inFrame = (screen: ReactNode) => (
    <Frame route={route} state={state} onHelp={() => setHelp(true)}>
      <Guard key={route.at}>{screen}</Guard>
    </Frame>
  );
  return (
    <>
      {screenOf(route, state, preferences, open, inFrame, looked)}
      <HelpSheet open={help} onClose={() => setHelp(false)} />
    </>
  );
};

const screenOf = (
  route: Route,
  state: State,
  preferences: ScreensProps['preferences'],
  open: (id: string) => void,
  inFrame: (screen: ReactNode) => ReactNode,
  looked: RefObject<Looked | undefined>,
): ReactNode => {
  if (route.at === 'case' && state.open && state.adjudication !== 'decide') {
    return (
      <Guard key={route.id}>
        <Arriving
          screen={reading}
          given={{ id: route.id, reader: state.reader, onCase: open, onLibrary: () => go({ at: 'library' }) }}
        />
      </Guard>
    );
  }
  // Where an adjudicator sits there is nothing to see beside what is to be decided.
  const at =
    state.adjudication === 'decide' && !['settings', 'about', 'library'].includes(route.at) ? 'adjudication' : route.at;
  switch (at) {
    case 'adjudication':
      if (state.adjudication === '') return inFrame(<LibraryScreen state={state} onOpen={open} />);
      return inFrame(<Arriving screen={adjudication} given={{}} />);
    case 'study':
      return inFrame(<Arriving screen={study} given={{ open: state.open, role: state.role }} />);
    case 'experiment':
      return inFrame(<Arriving screen={experiment} given={{ open: state.open, role: state.role }} />);
    case 'compare':
      return inFrame(
        <Arriving
          screen={compare}
          given={{
            open: state.open,
            role: state.role,
            at: route.at === 'compare' ? route : { at: 'compare' as const },
            onAt: (to: ComparedAt) => go({ at: 'compare', ...to }),
          }}
        />,
      );
    case 'report':
      return inFrame(<Arriving screen={report} given={{ open: state.open, of: state.workspace, looked }} />);
    case 'settings':
      return inFrame(
        <Arriving screen={settings} given={{ state, remap: preferences.remap, onRemap: preferences.setRemap }} />,
      );
    case 'about':
      return inFrame(<Arriving screen={about} given={{}} />);
    default:
      return inFrame(<LibraryScreen state={state} onOpen={open} />);
  }
};

// Loading says what the desk is doing before there is anything to show: the first start writes the sample study.
const Loading = () => {
  const backend = useBackend();
  const [progress, setProgress] = useState<Progress>();
  useEffect(() => backend.onProgress(setProgress), [backend]);
  return (
    <p style={{ padding: 24 }} role="status">
      {t.loading} {progress && progress.total > 0 ? `${progress.done} / ${progress.total}` : ''}
    </p>
  );
};

// The first thing on the screen is marked for whoever measures the start.
const useFirstPaint = () => {
  const backend = useBackend();
  useEffect(() => {
    requestAnimationFrame(() => {
      void backend.mark('page');
      // A failure here is told where the screen is shown.
      void Promise.allSettled(
        [reading, study, experiment, compare, adjudication, report, settings, about].map((screen) => screen.fetch()),
      );
    });
  }, [backend]);
};

// The command line may ask for the reading screen; it opens where the reader left off.
const useFirstPlace = (started: Start | undefined) => {
  useEffect(() => {
    if (started?.case) go({ at: 'case', id: started.case });
  }, [started]);
};

// A file dropped on the page would make the window leave the program and show the file.
const useNoNavigation = () => {
  useEffect(() => {
    const stop = (e: Event) => e.preventDefault();
    window.addEventListener('dragover', stop);
    window.addEventListener('drop', stop);
    return () => {
      window.removeEventListener('dragover', stop);
      window.removeEventListener('drop', stop);
    };
  }, []);
};
