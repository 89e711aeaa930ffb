// What the Export tab asks the desk.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { ExportOrder } from '../lib/nouns';
import { useBackend } from './queries';

/** useExportFormats lists what can be written; it never changes. */
export const useExportFormats = () => {
  const backend = useBackend();
  return useQuery({
    queryKey: ['export-formats'],
    queryFn: () => backend.exportFormats(),
    staleTime: Number.POSITIVE_INFINITY,
  });
};

/** useExport asks for a folder and writes there; null: none was chosen. */
export const useExport = (title: string) => {
  const backend = useBackend();
  return useMutation({
    mutationFn: async (order: Omit<ExportOrder, 'dir'>) => {
      const dir = await backend.chooseFolder(title);
      return dir === '' ? null : backend.exportAs({ ...order, dir });
    },
  });
};

/** useChooseList asks for a list of a split or the manifest of another export. */
export const useChooseList = (title: string) => {
  const backend = useBackend();
  return useMutation({ mutationFn: () => backend.chooseList(title) });
};

/** useAddSite asks for the folder that a site gave. */
export const useAddSite = (title: string) => {
  const backend = useBackend();
  return useMutation({ mutationFn: () => backend.chooseFolder(title) });
};

/** usePoolSites adds up what lies in folders, each time as it lies there now. */
export const usePoolSites = (dirs: string[]) => {
  const backend = useBackend();
  return useQuery({
    queryKey: ['pool', dirs],
    queryFn: () => backend.poolSites(dirs),
    enabled: dirs.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
};
