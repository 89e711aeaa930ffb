// Batches: what one would come to, writing it into a chosen folder, and taking results in.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { BatchOrder } from '../lib/nouns';
import { useForgetChains } from './experimenting';
import { useBackend } from './queries';

const listed = ['batches'];
const queued = ['queue']; // answers to the plain condition change who is unsure of what

/** useBatches lists the batches that the workspace wrote. */
export const useBatches = () => {
  const backend = useBackend();
  return useQuery({ queryKey: listed, queryFn: () => backend.batches(), refetchOnMount: 'always' });
};

/** useBatchEstimate says what a batch would come to, once it is known what goes out. */
export const useBatchEstimate = (order: BatchOrder, enabled: boolean) => {
  const backend = useBackend();
  return useQuery({
    queryKey: [...listed, 'estimate', order],
    queryFn: () => backend.estimateBatch(order),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 60_000,
    retry: false,
  });
};

/** useWriteBatch asks for a folder and writes there; null: none was chosen. */
export const useWriteBatch = (title: string) => {
  const backend = useBackend();
  const forget = useForgetChains(listed, queued);
  return useMutation({
    mutationFn: async (order: BatchOrder) => {
      const dir = await backend.chooseFolder(title);
      return dir === '' ? null : backend.writeBatch({ ...order, dir });
    },
    onSuccess: (written) => written && forget(),
  });
};

/** useLookIntoBatch tells what lies in the folder of a batch; '' asks for the folder first; null: none was chosen. */
export const useLookIntoBatch = (title: string) => {
  const backend = useBackend();
  return useMutation({
    mutationFn: async (known: string) => {
      const dir = known || (await backend.chooseFolder(title));
      return dir === '' ? null : backend.lookIntoBatch(dir);
    },
  });
};

/** useChooseResults asks for the result files of a batch. */
export const useChooseResults = (title: string) => {
  const backend = useBackend();
  return useMutation({ mutationFn: () => backend.chooseResults(title) });
};

/** useReadBatch takes results in. */
export const useReadBatch = () => {
  const backend = useBackend();
  const forget = useForgetChains(listed, queued);
  return useMutation({
    mutationFn: ({ dir, results }: { dir: string; results: string[] }) => backend.readBatch(dir, results),
    onSuccess: forget,
  });
};
