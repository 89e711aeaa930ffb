// Archives that speak DICOMweb: what an address says, which studies there are, and bringing them in.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ArchiveAsk, ArchiveSearch } from '../lib/nouns';
import { useBackend, useBringing } from './queries';

/** isAddress tells the address of a server from a path. */
export const isAddress = (path: string) => /^https?:\/\//i.test(path.trim());

/** useArchive reads an address; nobody is asked for it. '' is none. */
export const useArchive = (address: string) => {
  const backend = useBackend();
  return useQuery({
    queryKey: ['archive', address],
    queryFn: () => backend.archive(address),
    enabled: address !== '',
    retry: false,
  });
};

/** useFindStudies asks which studies an archive has. */
export const useFindStudies = () => {
  const backend = useBackend();
  return useMutation({
    mutationFn: (p: { ask: ArchiveAsk; wanted: ArchiveSearch }) => backend.findStudies(p.ask, p.wanted),
  });
};

/** useFetchStudies brings studies in. */
export const useFetchStudies = () =>
  useBringing((backend, p: { ask: ArchiveAsk; studies: string[] }) => backend.fetchStudies(p.ask, p.studies));
