// What the Export tab asks the desk.
import { useMutation, useQuery } from '@tanstack/react-query';
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
