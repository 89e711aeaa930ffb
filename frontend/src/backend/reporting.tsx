// The report: the whole of it or a part, what stands behind its bars, and figures that are saved.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { Pair, ReportFilter } from '../lib/report';
import { keys, useBackend } from './queries';

/** useReport computes the report of what passes a filter; the one before stays until it is there. */
export const useReport = (enabled: boolean, filter: ReportFilter) => {
  const backend = useBackend();
  return useQuery({
    queryKey: [...keys.report, filter],
    queryFn: () => backend.reportOf(filter),
    enabled,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
};

/** useBehind lists what stands behind the bars of a model. */
export const useBehind = (filter: ReportFilter, key: string) => {
  const backend = useBackend();
  return useQuery({
    queryKey: [...keys.report, 'behind', filter, key],
    queryFn: () => backend.behindReport(filter, key),
    enabled: key !== '',
    gcTime: 0,
  });
};

/** useCompared gives the paired differences of a pair. */
export const useCompared = (filter: ReportFilter, pair: Pair) => {
  const backend = useBackend();
  return useQuery({
    queryKey: [...keys.report, 'compare', filter, pair],
    queryFn: () => backend.compareReport(filter, pair),
    enabled: pair.a !== '' && pair.b !== '' && (pair.a !== pair.b || pair.condition_a !== pair.condition_b),
    gcTime: 0,
    retry: false,
  });
};

/** useSaveFigure writes a figure where the reader says. */
export const useSaveFigure = (title: string) => {
  const backend = useBackend();
  return useMutation({
    mutationFn: ({ name, content }: { name: string; content: string }) => backend.saveFigure(title, name, content),
  });
};
