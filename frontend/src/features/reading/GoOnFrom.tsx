import { troubleOf } from '../../backend/client';
import { useContinue } from '../../backend/experimenting';
import { useDeskState } from '../../backend/queries';
import type { Action } from '../../lib/actions';
import { compareAddress } from '../../lib/places';
import { t } from '../../lib/texts';
import { useActions, useKeyOf } from '../../ui/actions';
import { Chip, Kbd } from '../../ui/basics';
import css from './reading.module.css';
import type { Reading } from './useReading';

const none: Action[] = [];

/**
 * GoOnFrom has the model go on from what was said in place of a step, and shows both chains beside each other. Only the coordinator is
 * offered it, and only once the reading is signed: what comes names the model.
 */
export const GoOnFrom = ({ reading }: { reading: Reading }) => {
  const { view, chain } = reading;
  const state = useDeskState();
  const goOn = useContinue();
  const keyOf = useKeyOf();
  const may = state.data?.role === 'coordinator' && view.phase === 'signed' && chain !== undefined;
  const run = () => {
    if (!may || goOn.isPending) return;
    goOn.mutate(
      { case: view.case.id, chain: chain.id, reader: '', model: '', own: [] },
      {
        onSuccess: ({ case: id, arms: [before, after] }) => {
          if (before && after) window.location.hash = compareAddress(id, before.chain, after.chain);
        },
      },
    );
  };
  useActions(may ? [{ id: 'go-on-from', run }] : none);
  if (!may) return null;
  return (
    <>
      <Chip data-testid="go-on-from" onClick={run}>
        {goOn.isPending ? t.compare.asking : t.compare.goOn} {keyOf('go-on-from') && <Kbd of={keyOf('go-on-from')} />}
      </Chip>
      {goOn.isError && (
        <span className={css.small} role="alert">
          {troubleOf(goOn.error).text || t.fault.unknown}
        </span>
      )}
    </>
  );
};
