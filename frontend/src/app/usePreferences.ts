// What a person chose for this machine; stored by the desk as one JSON text.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys, useBackend } from '../backend/queries';
import { actions } from '../lib/actions';
import { type Remap, restoreRemap } from '../lib/keys';

const parsed = (json: string): Record<string, unknown> => {
  try {
    const v: unknown = JSON.parse(json || '{}');
    return typeof v === 'object' && v !== null ? { ...v } : {};
  } catch {
    return {};
  }
};

/** usePreferences gives the reader's own keys and the way to change them. */
export const usePreferences = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  const stored = useQuery({ queryKey: keys.preferences, queryFn: () => backend.preferences() });
  const json = stored.data ?? '';
  const remap = useMemo(() => restoreRemap(parsed(json).keys, actions), [json]);
  const setRemap = async (next: Remap) => {
    const text = JSON.stringify({ ...parsed(json), keys: next });
    await backend.setPreferences(text);
    cache.setQueryData(keys.preferences, text);
  };
  return { remap, setRemap };
};
