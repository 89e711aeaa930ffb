import { useRunNow } from '../backend/experimenting';
import { t } from '../lib/texts';
import { Bar } from '../ui/basics';
import css from './app.module.css';
import { hashOf } from './route';

/** Going tells, on whatever screen, that a run goes on, and how far it is. */
export const Going = () => {
  const { data } = useRunNow();
  if (!data?.running) return null;
  const { status } = data;
  const of = t.experiment.of(status.units, status.of);
  return (
    <a className={css.going} href={hashOf({ at: 'experiment' })} title={of} data-testid="going">
      {status.paused ? t.experiment.paused : t.experiment.running}{' '}
      <Bar done={status.units} total={status.of} label={of} />
    </a>
  );
};
