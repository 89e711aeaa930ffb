// What the adjudicator asks of the desk, and the decisions.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FinalValue } from '../lib/nouns';
import { keys, useBackend } from './queries';

/** useDisagreements lists what there is to adjudicate; it is looked up anew whenever the screen opens. */
export const useDisagreements = () => {
  const backend = useBackend();
  return useQuery({
    queryKey: keys.disagreements,
    queryFn: () => backend.disagreements(),
    refetchOnMount: 'always',
  });
};

/** useDisagreement brings one item; '' is none. */
export const useDisagreement = (id: string) => {
  const backend = useBackend();
  return useQuery({
    queryKey: keys.disagreement(id),
    queryFn: () => backend.openDisagreement(id),
    enabled: id !== '',
  });
};

/** useOverturns tells what adjudication came to. */
export const useOverturns = () => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.overturns, queryFn: () => backend.overturns(), refetchOnMount: 'always' });
};

/** useDecide gives an item its final value. */
export const useDecide = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, value, reason }: { id: string; value: FinalValue; reason: string }) =>
      backend.decide(id, value, reason),
    onSuccess: (_, { id }) =>
      Promise.all([keys.disagreements, keys.disagreement(id)].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
};

/** useAdoptUnanimous settles everything on which all reads agree, and says how much that was. */
export const useAdoptUnanimous = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => backend.adoptUnanimous(),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.disagreements }),
  });
};
