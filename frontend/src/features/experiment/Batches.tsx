import { useState } from 'react';
import { useBatches } from '../../backend/batching';
import { troubleOf } from '../../backend/client';
import { t } from '../../lib/texts';
import { Trouble } from '../../ui/basics';
import { ReadBatch } from './BatchRead';
import { type Sendable, WriteBatch } from './BatchWrite';
import css from './batches.module.css';

/** Batches sends a run out as files for a batch server, a stage at a time, and takes what came back in. */
export const Batches = (props: Sendable) => {
  const batches = useBatches();
  // What goes out: '' nothing yet, 'new', or a run that goes on.
  const [what, setWhat] = useState('');
  if (batches.isError) return <Trouble title={t.fault.title} text={troubleOf(batches.error).text || t.fault.unknown} />;
  if (!batches.data) return <p>{t.loading}</p>;
  return (
    <div className={css.sides} data-testid="batches">
      <WriteBatch {...props} what={what} onWhat={setWhat} />
      <ReadBatch batches={batches.data} running={props.running} onNext={setWhat} />
    </div>
  );
};
