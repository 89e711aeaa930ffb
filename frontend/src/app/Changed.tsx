import { useChanges } from '../backend/changes';
import { troubleOf } from '../backend/client';
import { useImport } from '../backend/queries';
import { t } from '../lib/texts';
import { Button } from '../ui/basics';
import css from './app.module.css';

/** Changed says that files of the open data changed on the disk, and offers to open them again. */
export const Changed = ({ open }: { open: boolean }) => {
  const changes = useChanges(open);
  const again = useImport();
  if (changes.all === 0) return null;
  return (
    <div className={css.changed} role="status" data-testid="changed">
      <span>{t.changed.said(changes.all, changes.first)}</span>
      {again.isError && <span className={css.bad}>{troubleOf(again.error).text || t.fault.unknown}</span>}
      <Button
        why={again.isPending ? t.changed.opening : ''}
        onClick={() => again.mutate(changes.data)}
        data-testid="open-again"
      >
        {again.isPending ? t.changed.opening : t.changed.again}
      </Button>
    </div>
  );
};
