// Experiments: which models there are, the run that goes on, and chains beside each other.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Comparison, ContinueOrder, Models, PairName, RunNow, RunOrder } from '../lib/nouns';
import type { Backend } from './client';
import { keys, useBackend } from './queries';

const of = {
  models: ['models'],
  conditions: ['condition-list'],
  cases: ['any-cases'],
  run: ['run-now'],
  runs: ['past-runs'],
  arms: ['arms'],
  pairs: ['pairs'],
} as const;

/** useForgetChains makes whatever shows runs, chains or their figures ask anew, and more where it is named. */
export const useForgetChains = (...more: (readonly string[])[]) => {
  const cache = useQueryClient();
  const stale = [of.run, of.runs, of.arms, of.pairs, keys.report, ...more];
  return () => Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey })));
};

/** useModels lists the models that can be asked. */
export const useModels = (enabled = true) => {
  const backend = useBackend();
  return useQuery({ queryKey: of.models, queryFn: () => backend.models(), enabled, refetchOnMount: 'always' });
};

/** useModelAct changes the profiles; what it answers is the list from then on. */
export const useModelAct = <In,>(act: (backend: Backend, given: In) => Promise<Models>) => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (given: In) => act(backend, given),
    onSuccess: (models) => cache.setQueryData(of.models, models),
  });
};

export const useConditionList = () => {
  const backend = useBackend();
  return useQuery({ queryKey: of.conditions, queryFn: () => backend.conditionList() });
};

/** useCheckedConditions says what conditions change and which can be compared; the answer before stays until the new one is there. */
export const useCheckedConditions = (conditions: readonly string[]) => {
  const backend = useBackend();
  return useQuery({
    queryKey: ['checked-conditions', conditions],
    queryFn: () => backend.checkConditions([...conditions]),
    placeholderData: keepPreviousData,
    enabled: conditions.length > 0,
    gcTime: 60_000,
  });
};

export const useAnyCases = () => {
  const backend = useBackend();
  return useQuery({ queryKey: of.cases, queryFn: () => backend.anyCases(), refetchOnMount: 'always' });
};

/** useEstimate says what an order would come to, once it names models and conditions. */
export const useEstimate = (order: RunOrder, enabled: boolean) => {
  const backend = useBackend();
  return useQuery({
    queryKey: ['estimate', order],
    queryFn: () => backend.estimateRun(order),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 60_000,
    retry: false,
  });
};

const every = 400; // ms between looks at a run that goes on

/** useRunNow follows the run of this window, wherever it was begun; what a run changes is asked anew when it ends. */
export const useRunNow = (enabled = true) => {
  const backend = useBackend();
  const cache = useQueryClient();
  const now = useQuery({
    queryKey: of.run,
    queryFn: () => backend.runNow(),
    enabled,
    refetchOnMount: 'always',
    refetchInterval: (q) => (q.state.data?.running ? every : false),
  });
  const running = now.data?.running ?? false;
  const before = useRef(false);
  useEffect(() => {
    if (before.current && !running)
      for (const queryKey of [of.runs, of.arms, of.pairs]) void cache.invalidateQueries({ queryKey });
    before.current = running;
  }, [running, cache]);
  return now;
};

const useRunAct = <In,>(act: (backend: Backend, given: In) => Promise<RunNow>) => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (given: In) => act(backend, given),
    onSuccess: async (now) => {
      cache.setQueryData(of.run, now);
      await cache.invalidateQueries({ queryKey: of.runs });
    },
  });
};

/** useRun begins, pauses and ends a run. */
export const useRun = () => ({
  start: useRunAct<RunOrder>((b, order) => b.startRun(order)),
  pause: useRunAct<boolean>((b, paused) => b.pauseRun(paused)),
  cancel: useRunAct<void>((b) => b.cancelRun()),
});

export const usePastRuns = (enabled = true) => {
  const backend = useBackend();
  return useQuery({ queryKey: of.runs, queryFn: () => backend.pastRuns(), enabled, refetchOnMount: 'always' });
};

export const useArms = () => {
  const backend = useBackend();
  return useQuery({ queryKey: of.arms, queryFn: () => backend.arms(), refetchOnMount: 'always' });
};

/** usePairs lists the chains of two arms by case. */
export const usePairs = (name: PairName, enabled: boolean) => {
  const backend = useBackend();
  return useQuery({
    queryKey: [...of.pairs, name],
    queryFn: () => backend.pairsOf(name),
    enabled,
    refetchOnMount: 'always',
  });
};

const comparison = (caseID: string, before: string, after: string) => ['comparison', caseID, before, after];

export const useComparison = (caseID: string, before: string, after: string) => {
  const backend = useBackend();
  return useQuery({
    queryKey: comparison(caseID, before, after),
    queryFn: () => backend.compareChains(caseID, before, after),
    enabled: caseID !== '' && before !== '' && after !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
};

/** useContinue asks the later stages of a chain again; the new chain stands beside the one before. */
export const useContinue = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  const forget = useForgetChains();
  return useMutation({
    mutationFn: (order: ContinueOrder) => backend.continueFrom(order),
    onSuccess: async (got: Comparison) => {
      const [before, after] = got.arms;
      if (before && after) cache.setQueryData(comparison(got.case, before.chain, after.chain), got);
      await forget();
    },
  });
};

/** useKept keeps what a screen is about while another one is looked at, as long as the workspace stays open. */
export const useKept = <T,>(of: string, first: T): [T, (next: T) => void] => {
  const cache = useQueryClient();
  const queryKey = ['kept', of];
  const { data } = useQuery<T>({
    queryKey,
    queryFn: () => first,
    initialData: first,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return [data ?? first, (next) => cache.setQueryData(queryKey, next)];
};
