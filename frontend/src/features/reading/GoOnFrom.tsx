import { troubleOf } from '../../backend/client';
import { useContinue } from '../../backend/experimenting';
import { useDeskState } from '../../backend/queries';
import { compareAddress } from '../../lib/places';
import { t } from '../../lib/texts';
import { Chip } from '../../ui/basics';
import css from './reading.module.css';
import type { Reading } from './useReading';

/**
 * GoOnFrom has the model go on from what was said in place of a step, and shows both chains beside each other. Only the coordinator is
 * offered it, and only once the reading is signed: what comes names the model.
 */
export const GoOnFrom = ({ reading }: { reading: Reading }) => {
  const { view, chain } = reading;
  const state = useDeskState();
  const goOn = useContinue();
  if (state.data?.role !== 'coordinator' || view.phase !== 'signed' || !chain) return null;
  return (
    <>
      <Chip
        data-testid="go-on-from"
        onClick={() =>
          !goOn.isPending &&
          goOn.mutate(
            { case: view.case.id, chain: chain.id, reader: '', model: '', own: [] },
            {
              onSuccess: ({ case: id, arms: [before, after] }) => {
                if (before && after) window.location.hash = compareAddress(id, before.chain, after.chain);
              },
            },
          )
        }
      >
        {goOn.isPending ? t.compare.asking : t.compare.goOn}
      </Chip>
      {goOn.isError && (
        <span className={css.small} role="alert">
          {troubleOf(goOn.error).text || t.fault.unknown}
        </span>
      )}
    </>
  );
};
