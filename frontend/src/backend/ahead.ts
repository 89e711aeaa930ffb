// The first picture of the next case, fetched while the reader is still on this one. It lies in the cache below its case, so that
// whatever forgets the case (an import, another workspace) forgets the picture.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CaseView } from '../lib/nouns';
import { keys, useBackend } from './queries';

/** aheadMost is how many bytes of samples may wait for the reader: a larger picture is not fetched ahead. */
export const aheadMost = 32 * 1024 * 1024;

interface Waiting {
  bytes: ArrayBuffer;
  kind: string;
}

const name = 'first-picture';
const keyOf = (id: string, url: string) => [...keys.case(id), name, url] as const;

// The window system never tells the desk that a fetch was given up: requests have names, and the desk is told which to end.
const session = Math.random().toString(36).slice(2);
let named = 0;
let given: string[] = [];

const stopGiven = () => {
  void fetch(`/stop/${given.join(',')}`).catch(() => {}); // a request that goes on is no trouble
  given = [];
};

/** fetchNamed fetches what the desk is to stop working on when it is given up. */
export const fetchNamed = async (url: string, signal: AbortSignal): Promise<Response> => {
  const name = `${session}-${named++}`;
  const stop = () => {
    if (given.push(name) === 1) queueMicrotask(stopGiven); // those that are given up together are told together
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await fetch(`${url}${url.includes('?') ? '&' : '?'}r=${name}`, { signal });
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const load = async (url: string, signal: AbortSignal): Promise<Waiting> => {
  const response = await fetchNamed(url, signal);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return { bytes: await response.arrayBuffer(), kind: response.headers.get('X-Plumbline-Samples') ?? '' };
};

/** fetchAhead fetches one picture; the one before it, there or on its way, is given up. */
export const fetchAhead = (cache: QueryClient, id: string, url: string): void => {
  cache.removeQueries({ predicate: (q) => q.queryKey[2] === name && q.queryKey[3] !== url });
  void cache.prefetchQuery({
    queryKey: keyOf(id, url),
    queryFn: ({ signal }) => load(url, signal),
    retry: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
};

/** fetchFrame gives the picture that was fetched ahead, once, and asks for any other. */
export const fetchFrame = async (cache: QueryClient, url: string, signal: AbortSignal): Promise<Response> => {
  const query = cache
    .getQueryCache()
    .find({ queryKey: ['case'], exact: false, predicate: (q) => q.queryKey[2] === name && q.queryKey[3] === url });
  if (!query) return fetchNamed(url, signal);
  const waiting = await Promise.resolve(query.promise).catch(() => undefined);
  const held = (query.state.data ?? waiting) as Waiting | undefined;
  cache.getQueryCache().remove(query);
  signal.throwIfAborted();
  return held ? new Response(held.bytes, { headers: { 'X-Plumbline-Samples': held.kind } }) : fetchNamed(url, signal);
};

/** useFrames gives the viewer its frames, and opens the next case with its first picture ahead of the reader. */
export const useFrames = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMemo(
    () => ({
      fetch: (url: string, { signal }: { signal: AbortSignal }) => fetchFrame(cache, url, signal),
      open: (id: string): Promise<CaseView> =>
        cache.fetchQuery({ queryKey: keys.case(id), queryFn: () => backend.openCase(id) }),
      ahead: (id: string, image: string, n: number) => fetchAhead(cache, id, backend.frameURL(id, image, n)),
    }),
    [backend, cache],
  );
};
