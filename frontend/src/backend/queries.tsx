// What the backend said, kept in one cache; acts put their answers straight into it.
import { notifyManager, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { About, Imported, State } from '../lib/nouns';
import type { ReportFilter } from '../lib/report';
import { type Backend, troubleOf } from './client';

const Context = createContext<Backend | undefined>(undefined);

/** BackendProvider gives the desk to everything below it. */
export const BackendProvider = ({ backend, children }: { backend: Backend; children: ReactNode }) => (
  <Context.Provider value={backend}>{children}</Context.Provider>
);

/** useBackend is the desk. */
export const useBackend = (): Backend => {
  const backend = useContext(Context);
  if (!backend) throw new Error('no backend above');
  return backend;
};

/** newCache makes the cache: the desk is on this machine and alone, so nothing goes stale by itself. */
export const newCache = () => {
  // What the cache learns is on the screen before the save that brought it counts as done; by default it would come a timer later, and
  // for a moment an answer would seem to be gone.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: (count, reason) => troubleOf(reason).kind === 'busy' && count < 3,
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
};

export const keys = {
  state: ['state'],
  cases: ['cases'],
  problems: ['problems'],
  case: (id: string) => ['case', id],
  imported: ['imported'],
  report: ['report'],
  about: ['about'],
  madeOf: ['about', 'page'],
  rubric: ['rubric'],
  disagreements: ['disagreements'],
  disagreement: (id: string) => ['disagreement', id],
  overturns: ['overturns'],
  preferences: ['preferences'],
  rules: ['rules'],
  progress: ['progress'],
  agreement: ['agreement'],
  overlays: (id: string, phase: string) => ['case', id, 'overlays', phase],
} as const;

/** useStart does once what the command line asked for; its state goes into the cache. */
export const useStart = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useQuery({
    queryKey: ['start'],
    queryFn: async () => {
      const started = await backend.start();
      cache.setQueryData(keys.state, started.state);
      return started;
    },
    retry: false,
  });
};

export const useDeskState = () => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.state, queryFn: () => backend.state() });
};

export const useCases = (enabled: boolean) => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.cases, queryFn: () => backend.cases(), enabled });
};

export const useProblems = (enabled: boolean) => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.problems, queryFn: () => backend.problems(), enabled });
};

export const useCase = (id: string) => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.case(id), queryFn: () => backend.openCase(id) });
};

/** useSaveReport asks for a folder and writes the report of what passes a filter there; no folder, no file. */
export const useSaveReport = (title: string, filter: ReportFilter) => {
  const backend = useBackend();
  return useMutation({
    mutationFn: async () => {
      const dir = await backend.chooseFolder(title);
      return dir === '' ? [] : backend.saveReport(dir, filter);
    },
  });
};

export const useRubric = () => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.rubric, queryFn: () => backend.rubric() });
};

export const useAbout = () => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.about, queryFn: () => backend.about() });
};

/** useMadeOf lists the packages that the page is made of; the build puts the list beside the page. */
export const useMadeOf = () =>
  useQuery({
    queryKey: keys.madeOf,
    queryFn: async (): Promise<About['licences']> => {
      const response = await fetch('licences.json');
      if (!response.ok) throw new Error(`licences.json: status ${response.status}`);
      return response.json();
    },
  });

/** useCopy puts lines of text on the clipboard and then says how many. */
export const useCopy = () => {
  const backend = useBackend();
  return useMutation({
    mutationFn: async ({ text, count }: { text: string; count: number }) => {
      await backend.copy(text);
      return count;
    },
  });
};

/** useDeskAct runs an act that answers with the desk's state, and forgets everything that belonged to the state before. */
export const useDeskAct = <In,>(act: (backend: Backend, given: In) => Promise<State>) => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (given: In) => act(backend, given),
    onSuccess: (state) => {
      cache.removeQueries({
        predicate: (q) => !['state', 'about', 'preferences'].includes(String(q.queryKey[0])),
      });
      cache.setQueryData(keys.state, state);
    },
  });
};

/** useAcceptNotice records acceptance; what is known of the workspace stays. */
export const useAcceptNotice = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => backend.acceptNotice(),
    onSuccess: (state) => {
      cache.setQueryData(keys.state, state);
      void cache.invalidateQueries({ queryKey: keys.cases });
    },
  });
};

/** useImported gives what the last import into this workspace brought; null: nothing, or it was put aside. */
export const useImported = () => {
  const cache = useQueryClient();
  const { data } = useQuery<Imported | null>({ queryKey: keys.imported, queryFn: () => null });
  return { imported: data ?? undefined, forget: () => cache.setQueryData(keys.imported, null) };
};

/** useImport brings a folder or file in. */
export const useImport = () => useBringing((backend, path: string) => backend.import(path));

/** useBringing is an act that makes something the data of the workspace. */
export const useBringing = <T,>(act: (backend: Backend, of: T) => Promise<Imported>) => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (of: T) => act(backend, of),
    onSuccess: async (imported) => {
      cache.setQueryData(keys.imported, imported);
      cache.removeQueries({ queryKey: ['case'] });
      await Promise.all(
        [keys.state, keys.cases, keys.problems, ['changes']].map((queryKey) => cache.invalidateQueries({ queryKey })),
      );
    },
  });
};
