import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import {
  useAnyCases,
  useConditionList,
  useKept,
  useModels,
  usePastRuns,
  useRun,
  useRunNow,
} from '../../backend/experimenting';
import { dayOf } from '../../lib/format';
import type { PastRun, RunNow } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { TabList } from '../../ui/TabList';
import { Batches } from './Batches';
import css from './experiment.module.css';
import { type Draft, draftOf, emptyDraft } from './order';
import { Queue } from './Queue';
import { RunCard } from './RunCard';
import { Runs } from './Runs';
import { SetUp } from './SetUp';

const x = t.experiment;

interface Props {
  open: boolean;
  role: string;
}

/** ExperimentScreen is where the coordinator has models asked under conditions, and watches them being asked. */
export const ExperimentScreen = ({ open, role }: Props) => {
  if (!open) return <p className={css.alone}>{x.none}</p>;
  if (role !== 'coordinator')
    return (
      <p className={css.alone} data-testid="experiment-refused">
        {x.refused}
      </p>
    );
  return <Screen />;
};

const tabs = ['set', 'runs', 'batches', 'queue'] as const;
type Tab = (typeof tabs)[number];

const nothing = emptyDraft();

const Screen = () => {
  const models = useModels();
  const conditions = useConditionList();
  const cases = useAnyCases();
  const now = useRunNow();
  const past = usePastRuns();
  const [tab, setTab] = useKept<Tab>('experiment-tab', 'set');
  // What is being set up stays while another screen is looked at.
  const [draft, put] = useKept<Draft>('experiment', nothing);
  const failed = [models, conditions, cases, now, past].find((q) => q.isError);
  if (failed) {
    return (
      <div className={css.alone} data-testid="experiment">
        <Trouble title={t.fault.title} text={troubleOf(failed.error).text || t.fault.unknown}>
          <Button onClick={() => failed.refetch()}>{t.fault.again}</Button>
        </Trouble>
      </div>
    );
  }
  if (!models.data || !conditions.data || !cases.data || !now.data || !past.data) {
    return <p className={css.alone}>{t.loading}</p>;
  }
  return (
    <main className={css.screen} data-testid="experiment">
      <h1 className="hidden">{x.title}</h1>
      <Going now={now.data} past={past.data} />
      <TabList label={x.title} panel="experiment-panel" tabs={tabs} names={x.tabs} tab={tab} onTab={setTab} />
      <div id="experiment-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'set' && (
          <SetUp
            draft={draft}
            onDraft={put}
            models={models.data}
            conditions={conditions.data}
            cases={cases.data}
            running={now.data.running}
          />
        )}
        {tab === 'runs' && (
          <Runs
            all={past.data}
            busy={now.data.running}
            onSame={(run) => {
              put(draftOf(run));
              setTab('set');
            }}
          />
        )}
        {tab === 'batches' && (
          <Batches draft={draft} models={models.data} cases={cases.data} past={past.data} running={now.data.running} />
        )}
        {tab === 'queue' && (
          <Queue
            onSetUp={(model, id) => {
              put({ ...emptyDraft(), models: [model], conditions: ['original'], cases: [id] });
              setTab('set');
            }}
          />
        )}
      </div>
    </main>
  );
};

// The run of this window; or, after a start, the one that was left unfinished.
const Going = ({ now, past }: { now: RunNow; past: readonly PastRun[] }) => {
  const run = useRun();
  const [putOff, setPutOff] = useState('');
  const failed = [run.start, run.pause, run.cancel].find((act) => act.isError);
  const trouble = failed && (
    <Trouble title={t.fault.title} text={troubleOf(failed.error).text || t.fault.unknown}>
      <Button onClick={() => failed.reset()}>{t.fault.close}</Button>
    </Trouble>
  );
  if (now.status.run !== '') {
    const done = past.find((p) => p.run === now.status.run)?.done ?? false;
    return (
      <>
        {trouble}
        <RunCard now={now} done={done} run={run} />
      </>
    );
  }
  const left = past.find((p) => !p.done && p.batches === 0);
  if (!left || left.run === putOff) return trouble ?? null;
  return (
    <>
      {trouble}
      <div className={css.ask} data-testid="unfinished">
        <span className={form.grow}>{x.unfinished(dayOf(left.begun), left.chains)}</span>
        <Button
          look="primary"
          why={run.start.isPending ? x.starting : ''}
          onClick={() => run.start.mutate({ ...draftless, resume: true, run: left.run })}
          data-testid="go-on"
        >
          {x.goOn}
        </Button>
        <Button onClick={() => setPutOff(left.run)} data-testid="not-now">
          {x.notNow}
        </Button>
      </div>
    </>
  );
};

const draftless = { models: [], conditions: [], cases: [], concurrency: 0, seed: 0, budget: 0 };
