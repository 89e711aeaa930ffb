// Files that change on the disk while their data are open.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys, useBackend } from './queries';

const lookAgain = 20_000; // ms

/** useChanges looks now and then, and whenever the window is come back to, whether files of the open data changed. */
export const useChanges = (open: boolean) => {
  const backend = useBackend();
  const cache = useQueryClient();
  const { data } = useQuery({
    queryKey: ['changes'],
    queryFn: () => backend.changes(),
    enabled: open,
    staleTime: 0,
    refetchInterval: lookAgain,
    refetchOnWindowFocus: true,
    retry: false,
  });
  const all = open ? (data?.all ?? 0) : 0;
  useEffect(() => {
    if (all > 0) void cache.invalidateQueries({ queryKey: keys.problems }); // they stand there too
  }, [all, cache]);
  return { all, data: data?.data ?? '', first: data?.named[0]?.file ?? '' };
};
