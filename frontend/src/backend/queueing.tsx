// The queue of cases of which models are unsure, which model to ask of a case, and pointing a model to something.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { EmphasisOrder } from '../lib/nouns';
import { useForgetChains, useKept } from './experimenting';
import { useBackend } from './queries';

export const useUncertain = () => {
  const backend = useBackend();
  return useQuery({ queryKey: ['queue'], queryFn: () => backend.queue(), refetchOnMount: 'always' });
};

/** useModelRoute says which model to ask of a case, and why. */
export const useModelRoute = (caseID: string) => {
  const backend = useBackend();
  return useQuery({
    queryKey: ['model-route', caseID],
    queryFn: () => backend.routeCase(caseID),
    enabled: caseID !== '',
    retry: false,
  });
};

/** useEmphasise has a model look again; the new chain stands beside the one before. */
export const useEmphasise = () => {
  const backend = useBackend();
  const forget = useForgetChains();
  return useMutation({ mutationFn: (order: EmphasisOrder) => backend.emphasise(order), onSuccess: forget });
};

/** Pointed names a chain of a case that was not convincing. */
export interface Pointed {
  case: string;
  chain: string;
}

/** usePointed keeps which chain the queue is about, so that another screen can send somebody there; '' of it: none. */
export const usePointed = () => useKept<Pointed>('pointed', { case: '', chain: '' });

/** usePointTo makes the queue of the Experiment screen about a chain. */
export const usePointTo = () => {
  const [, point] = usePointed();
  const [, setTab] = useKept<string>('experiment-tab', 'set');
  return (chain: Pointed) => {
    point(chain);
    setTab('queue');
  };
};
