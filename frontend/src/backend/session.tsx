// What belongs to a sitting at the desk: the check of the display, asked once, and the training that comes before the worklist.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Display } from '../lib/nouns';
import { keys, useBackend, useDeskAct, useDeskState } from './queries';

const later = ['display', 'later'];

/** useDisplayCheck tells whether the display is to be checked, and takes the answer, or "later". */
export const useDisplayCheck = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  const state = useDeskState().data;
  const put = useQuery({ queryKey: later, queryFn: () => false, initialData: false }).data;
  const { screen } = window;
  const display = {
    columns: screen.width,
    rows: screen.height,
    pixel_ratio: window.devicePixelRatio,
    depth: screen.colorDepth,
  };
  const { mutate, isPending } = useMutation({
    mutationFn: (seen: Pick<Display, 'dark_seen' | 'bright_seen'>) => backend.checkDisplay({ ...display, ...seen }),
    onSuccess: (now) => cache.setQueryData(keys.state, now),
  });
  return {
    wanted: !!state?.open && !state.display_checked && !put,
    checked: !!state?.display_checked,
    say: mutate,
    busy: isPending,
    later: () => cache.setQueryData(later, true),
  };
};

/** useRetryTraining begins another attempt of the training. */
export const useRetryTraining = () => useDeskAct<void>((backend) => backend.retryTraining());
