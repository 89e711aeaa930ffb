// Packages: work that goes to readers' own workstations, and what they said that comes back.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Opened } from '../lib/nouns';
import { t } from '../lib/texts';
import { type Backend, type Progress, troubleOf } from './client';
import { keys, useBackend } from './queries';

const packages = ['packages'];

/** useGoing tells how far a long act is, a package's unless say has other words, and stops it. */
export const useGoing = (busy: boolean, say = t.packages.going) => {
  const backend = useBackend();
  const [at, setAt] = useState<Progress>();
  useEffect(() => backend.onProgress(setAt), [backend]);
  useEffect(() => {
    if (!busy) setAt(undefined);
  }, [busy]);
  const going = busy && at && at.total > 0 ? say(at.done, at.total) : '';
  return { going, stop: () => void (busy && backend.cancel()) };
};

/** usePackages tells what went out and what came back. */
export const usePackages = () => {
  const backend = useBackend();
  return useQuery({ queryKey: packages, queryFn: () => backend.packages(), refetchOnMount: 'always' });
};

/** useMakeWork packs a reader's work; without a path nobody named a file. */
export const useMakeWork = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (p: { reader: string; passphrase: string; recipient: string }) =>
      backend.makeWork(t.packages.makeTitle(p.reader), p.reader, p.passphrase, p.recipient),
    onSuccess: () => cache.invalidateQueries({ queryKey: packages }),
  });
};

/** useHandBack packs what was said here, for whoever sent the work. */
export const useHandBack = () => {
  const backend = useBackend();
  return useMutation({ mutationFn: () => backend.handBack(t.packages.handBackTitle, '') });
};

// usePackageFile asks for a package and opens it; where it is locked with a passphrase it waits for that.
const usePackageFile = <T,>(
  title: string,
  open: (backend: Backend, path: string, passphrase: string) => Promise<T>,
  then: (got: T) => Promise<unknown>,
) => {
  const backend = useBackend();
  const [path, setPath] = useState('');
  const [why, setWhy] = useState('');
  const act = useMutation({
    mutationFn: async (passphrase: string) => {
      let at = path;
      if (passphrase === '') {
        at = await backend.choosePackage(title);
        if (at === '') return undefined;
      }
      try {
        const got = await open(backend, at, passphrase);
        await then(got);
        setPath('');
        setWhy('');
        return got;
      } catch (reason) {
        const { kind, text } = troubleOf(reason);
        if (kind !== 'refused' || !text.includes('passphrase')) {
          setPath('');
          throw reason;
        }
        setPath(at);
        setWhy(passphrase === '' ? '' : t.packages.wrong);
        return undefined;
      }
    },
  });
  return {
    choose: () => act.mutate(''),
    give: (passphrase: string) => act.mutate(passphrase),
    /** asked tells that a passphrase is needed. */
    asked: path !== '',
    why,
    stop: () => {
      setPath('');
      setWhy('');
    },
    forget: act.reset,
    got: act.data,
    fault: act.isError ? troubleOf(act.error).text || t.fault.unknown : '',
    busy: act.isPending,
  };
};

/** useMerge takes back what a reader handed back. Where it is signed by another key than before, otherKey names that, to be accepted or not. */
export const useMerge = () => {
  const cache = useQueryClient();
  const [trust, setTrust] = useState('');
  const file = usePackageFile(
    t.packages.mergeTitle,
    (backend, path, passphrase) => backend.merge(path, passphrase, trust),
    () => {
      setTrust('');
      cache.removeQueries({ queryKey: ['case'] });
      return Promise.all(
        [packages, keys.state, keys.cases, keys.progress, keys.agreement, keys.disagreements].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      );
    },
  );
  const otherKey = /this package is signed with ([A-Z2-7-]+)/.exec(file.fault)?.[1] ?? '';
  return { ...file, otherKey, trust, accept: () => setTrust(otherKey) };
};

const opened = ['opened'];

/** useOpened gives what the last package of work brought, until it is put aside: a new workspace asks for the notice first. */
export const useOpened = () => {
  const cache = useQueryClient();
  const { data } = useQuery<Opened | null>({ queryKey: opened, queryFn: () => null });
  return { got: data ?? undefined, forget: () => cache.setQueryData(opened, null) };
};

/** useOpenWork makes a reader's workspace of a package and goes there. */
export const useOpenWork = () => {
  const cache = useQueryClient();
  return usePackageFile(
    t.packages.openTitle,
    (backend, path, passphrase) => backend.openWork(path, passphrase),
    (got) => {
      cache.removeQueries({
        predicate: (q) => !['state', 'about', 'rubric', 'preferences'].includes(String(q.queryKey[0])),
      });
      cache.setQueryData(opened, got);
      return cache.invalidateQueries({ queryKey: keys.state });
    },
  );
};

export type PackageFile = Pick<ReturnType<typeof useOpenWork>, 'give' | 'asked' | 'why' | 'stop' | 'busy'>;
