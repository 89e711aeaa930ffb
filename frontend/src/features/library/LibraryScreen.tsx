import { useCallback, useRef, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useHandBack, useOpenWork } from '../../backend/packaging';
import { useCases, useDeskState } from '../../backend/queries';
import { useRetryTraining } from '../../backend/session';
import type { State } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useActions, useKeyOf } from '../../ui/actions';
import { Bar, Button, Card, Trouble } from '../../ui/basics';
import { ArchiveDialog } from './ArchiveDialog';
import { CaseTable } from './CaseTable';
import { FilterBar } from './FilterBar';
import css from './library.module.css';
import { HandBack, HandedBack, OpenedWork } from './Packages';
import { ProblemsDialog } from './ProblemsDialog';
import { filtered, noFilters } from './rows';
import { Start } from './Start';
import { useDrop } from './useDrop';
import { type LongAct, useLongAct } from './useLongAct';

/** LibraryScreen is where data comes in and cases are chosen. */
export const LibraryScreen = ({ state: before, onOpen }: { state: State; onOpen: (id: string) => void }) => {
  const state = useDeskState().data ?? before; // asked again here: reading has changed it
  const long = useLongAct();
  const work = useOpenWork();
  const [problems, setProblems] = useState(false);
  const [address, setAddress] = useState('');
  const bring = useRef(long.import);
  bring.current = long.import;
  const dropped = useCallback((paths: string[]) => {
    const first = paths[0];
    if (first) void bring.current(first);
  }, []);
  const over = useDrop(dropped);
  return (
    <main className={css.screen} data-testid="library">
      {over && <div className={css.drop}>{t.library.dropHere}</div>}
      {long.fault && (
        <Trouble title={t.fault.title} text={long.fault}>
          <Button onClick={long.forget}>{t.fault.close}</Button>
        </Trouble>
      )}
      <OpenedWork work={work} />
      {long.busy && <Going long={long} />}
      {state.open ? (
        <Worklist
          state={state}
          long={long}
          onOpenWork={work.choose}
          onArchive={setAddress}
          onOpen={onOpen}
          onProblems={() => setProblems(true)}
        />
      ) : (
        !long.busy && <Start state={state} long={long} onOpenWork={work.choose} onArchive={setAddress} />
      )}
      <ArchiveDialog address={address} long={long} onClose={() => setAddress('')} />
      <ProblemsDialog open={problems} onClose={() => setProblems(false)} />
    </main>
  );
};

const Going = ({ long }: { long: LongAct }) => {
  const { progress } = long;
  const count =
    progress && progress.total > 0
      ? `${progress.done.toLocaleString('en')} / ${progress.total.toLocaleString('en')}`
      : '';
  return (
    <Card className={css.progress}>
      <div className={css.line2} data-testid="progress">
        <strong>
          {long.fetching && progress?.op === 'fetch'
            ? t.library.fetching
            : long.importing
              ? t.library.importing
              : t.library.opening}
        </strong>
        <span className={css.soft}>
          {count} {progress?.of}
        </span>
        <Button style={{ marginLeft: 'auto' }} onClick={long.cancel} data-testid="cancel">
          {t.library.cancel}
        </Button>
      </div>
      <Bar done={progress?.done ?? 0} total={progress?.total ?? 0} label={t.library.importing} />
    </Card>
  );
};

interface WorklistProps {
  state: State;
  long: LongAct;
  onOpenWork: () => void;
  onArchive: (address: string) => void;
  onOpen: (id: string) => void;
  onProblems: () => void;
}

const Worklist = ({ state, long, onOpenWork, onArchive, onOpen, onProblems }: WorklistProps) => {
  const back = useHandBack();
  const cases = useCases(true);
  const [filters, setFilters] = useState(noFilters);
  const search = useRef<HTMLInputElement>(null);
  const keyOf = useKeyOf();
  const rows = cases.data ?? [];
  const shown = filtered(rows, filters);
  const { resume } = state;
  useActions([
    { id: 'search', run: () => search.current?.focus() },
    { id: 'resume', can: () => (resume.case ? '' : t.library.noCases), run: () => onOpen(resume.case) },
  ]);
  const { imported } = long;
  const decides = state.adjudication === 'decide';
  return (
    <>
      <div className={css.line2}>
        <h1>{state.name || state.workspace}</h1>
        <span className={css.soft}>
          {state.synthetic && `${t.library.synthetic} · `}
          {t.library.facts(state.patients, state.images, state.chains)}
        </span>
        {!decides && (
          <>
            <Bar done={state.signed} total={state.assigned} label={t.library.signed(state.signed, state.assigned)} />
            <span className={css.soft}>{t.library.signed(state.signed, state.assigned)}</span>
          </>
        )}
        <span style={{ marginLeft: 'auto' }} className={css.line2}>
          {state.problems > 0 && (
            <Button onClick={onProblems} data-testid="problems">
              {t.library.problems(state.problems)}
            </Button>
          )}
          {state.package && <HandBack act={back} />}
          <MoreData long={long} state={state} onOpenWork={onOpenWork} onArchive={onArchive} />
          {resume.case && (
            <Button look="primary" keys={keyOf('resume')} onClick={() => onOpen(resume.case)} data-testid="resume">
              {state.signed > 0 || resume.phase !== 'look'
                ? t.library.resume(resume.case)
                : t.library.begin(resume.case)}
            </Button>
          )}
        </span>
      </div>
      <HandedBack act={back} />
      {state.training && !state.training.passed && <Training stands={state.training} />}
      {imported && (
        <Card className={css.line2}>
          <span data-testid="imported">
            {imported.name}: {t.library.imported(imported.cases, imported.patients, imported.images, imported.variants)}
          </span>
          {imported.problems.length > 0 && (
            <Button onClick={onProblems}>{t.library.problems(imported.problems.length)}</Button>
          )}
          <Button look="quiet" style={{ marginLeft: 'auto' }} onClick={long.forget}>
            {t.fault.close}
          </Button>
        </Card>
      )}
      {!decides && (
        <FilterBar rows={rows} shown={shown.length} filters={filters} onFilters={setFilters} search={search} />
      )}
      {cases.isError && (
        <Trouble title={t.fault.title} text={troubleOf(cases.error).text || t.fault.unknown}>
          <Button onClick={() => cases.refetch()}>{t.fault.again}</Button>
        </Trouble>
      )}
      {cases.isPending ? (
        <p className={css.none}>{t.loading}</p>
      ) : shown.length > 0 ? (
        <CaseTable key={state.workspace} rows={shown} current={resume.case} onOpen={onOpen} />
      ) : (
        !cases.isError && (
          <p className={css.none}>
            {decides ? t.library.decides : rows.length > 0 ? t.library.noneShown : t.library.noCases}
          </p>
        )
      )}
    </>
  );
};

/** Training says why the worklist is closed, and offers another attempt where one was not passed. */
const Training = ({ stands }: { stands: NonNullable<State['training']> }) => {
  const retry = useRetryTraining();
  return (
    <Card className={css.line2}>
      <span data-testid="training-stands">
        {stands.done
          ? t.training.failed(stands.right, stands.expected, stands.needed)
          : t.training.going(stands.signed, stands.cases)}
      </span>
      {stands.done && (
        <Button data-testid="training-retry" onClick={() => retry.mutate()}>
          {t.training.retry}
        </Button>
      )}
    </Card>
  );
};

interface MoreProps {
  long: LongAct;
  state: State;
  onOpenWork: () => void;
  onArchive: (address: string) => void;
}

const MoreData = ({ long, state, onOpenWork, onArchive }: MoreProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen((o) => !o)} aria-expanded={open} data-testid="more-data">
        {t.library.bring}
      </Button>
      {open && (
        <div className={css.overlay}>
          <Start
            state={state}
            long={long}
            onOpenWork={onOpenWork}
            onArchive={onArchive}
            small
            onDone={() => setOpen(false)}
          />
        </div>
      )}
    </>
  );
};
