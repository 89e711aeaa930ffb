// A long operation of the desk: it shows how far it is and can be cancelled.
import { useEffect, useState } from 'react';
import { useFetchStudies } from '../../backend/archive';
import { type Progress, troubleOf } from '../../backend/client';
import { useBackend, useDeskAct, useImport, useImported } from '../../backend/queries';
import type { ArchiveAsk } from '../../lib/nouns';
import { t } from '../../lib/texts';

/** useLongAct gives the ways to bring data in and what is going on now. */
export const useLongAct = () => {
  const backend = useBackend();
  const [progress, setProgress] = useState<Progress>();
  const { imported, forget } = useImported();
  const [fault, setFault] = useState('');
  const sample = useDeskAct<void>((b) => b.openSample());
  const workspace = useDeskAct<string>((b, dir) => b.openWorkspace(dir));
  const load = useImport();
  const fetched = useFetchStudies();
  useEffect(() => backend.onProgress(setProgress), [backend]);

  const run = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    setFault('');
    forget();
    setProgress(undefined);
    try {
      return await act();
    } catch (reason) {
      const trouble = troubleOf(reason);
      if (trouble.kind !== 'cancelled') setFault(trouble.text || t.fault.unknown);
      return undefined;
    }
  };
  const bring = async (path: string) => {
    if (path.trim() === '') return;
    await run(() => load.mutateAsync(path.trim()));
  };
  const choose = async (title: string, then: (dir: string) => Promise<unknown>) => {
    const dir = await run(() => backend.chooseFolder(title));
    if (dir) await then(dir);
  };
  const importing = load.isPending || fetched.isPending;
  const busy = sample.isPending || workspace.isPending || importing;
  return {
    busy,
    progress: busy ? progress : undefined,
    importing,
    fetching: fetched.isPending,
    imported,
    fault,
    forget: () => {
      setFault('');
      forget();
    },
    cancel: () => void backend.cancel(),
    openSample: () => run(() => sample.mutateAsync()),
    openWorkspace: (dir: string) => run(() => workspace.mutateAsync(dir)),
    import: bring,
    /** fetch brings studies in from an archive; undefined: it did not. */
    fetch: (ask: ArchiveAsk, studies: string[]) => run(() => fetched.mutateAsync({ ask, studies })),
    chooseImport: () => choose(t.library.chooseTitle, bring),
    chooseWorkspace: () => choose(t.library.chooseWorkspace, (dir) => run(() => workspace.mutateAsync(dir))),
  };
};

export type LongAct = ReturnType<typeof useLongAct>;
