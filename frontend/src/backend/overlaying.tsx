import { useQuery } from '@tanstack/react-query';
import { keys, useBackend } from './queries';

/**
 * useOverlays lists what may lie over the images of a case. What may be seen changes with the phase, and with what is signed elsewhere: it is
 * asked anew for each opening.
 */
export const useOverlays = (id: string, phase: string, enabled: boolean) => {
  const backend = useBackend();
  return useQuery({
    queryKey: keys.overlays(id, phase),
    queryFn: () => backend.overlays(id),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
};
