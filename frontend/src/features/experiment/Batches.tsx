import { useState } from 'react';
import { useBatches } from '../../backend/batching';
import { troubleOf } from '../../backend/client';
import type { AnyCase, Models, PastRun } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Trouble } from '../../ui/basics';
import { ReadBatch } from './BatchRead';
import { WriteBatch } from './BatchWrite';
import css from './batches.module.css';
import type { Draft } from './order';

interface Props {
  draft: Draft;
  models: Models;
  cases: readonly AnyCase[];
  past: readonly PastRun[];
  running: boolean;
}

/** Batches sends a run out as files for a batch server, a stage at a time, and takes what came back in. */
export const Batches = ({ draft, models, cases, past, running }: Props) => {
  const batches = useBatches();
  // What goes out: '' nothing yet, 'new', or a run that goes on.
  const [what, setWhat] = useState('');
  if (batches.isError) return <Trouble title={t.fault.title} text={troubleOf(batches.error).text || t.fault.unknown} />;
  if (!batches.data) return <p>{t.loading}</p>;
  return (
    <div className={css.sides} data-testid="batches">
      <WriteBatch
        draft={draft}
        models={models}
        cases={cases}
        past={past}
        running={running}
        what={what}
        onWhat={setWhat}
      />
      <ReadBatch batches={batches.data} running={running} onNext={setWhat} />
    </div>
  );
};
