// What the coordinator asks of the desk: the rules of the study, who stands where, and how far readers agree.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, useBackend } from './queries';

/** useRules gives the protocol as text and the rubrics that it can name. */
export const useRules = (enabled: boolean) => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.rules, queryFn: () => backend.rules(), enabled, refetchOnMount: 'always' });
};

/** useCheckedProtocol tells what is wrong in a protocol while it is written; the answer before stays until the new one is there. */
export const useCheckedProtocol = (text: string) => {
  const backend = useBackend();
  return useQuery({
    queryKey: ['checked', text],
    queryFn: () => backend.checkProtocol(text),
    placeholderData: keepPreviousData,
    enabled: text !== '',
    gcTime: 60_000,
  });
};

// The rules decide who reads what: whatever was known of the worklist is asked anew.
const useForget = () => {
  const cache = useQueryClient();
  return () => {
    cache.removeQueries({ queryKey: ['case'] });
    return Promise.all(
      [keys.state, keys.cases, keys.rubric, keys.progress, keys.agreement, keys.rules, ['checked']].map((queryKey) =>
        cache.invalidateQueries({ queryKey }),
      ),
    );
  };
};

export const useSetProtocol = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  const forget = useForget();
  return useMutation({
    mutationFn: (text: string) => backend.setProtocol(text),
    onSuccess: async (rules) => {
      cache.setQueryData(keys.rules, rules);
      await forget();
    },
  });
};

export const useAssign = () => {
  const backend = useBackend();
  const cache = useQueryClient();
  const forget = useForget();
  return useMutation({
    mutationFn: () => backend.assign(),
    onSuccess: async (standing) => {
      cache.setQueryData(keys.progress, standing);
      await forget();
    },
  });
};

export const useProgress = () => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.progress, queryFn: () => backend.progress(), refetchOnMount: 'always' });
};

export const useAgreement = () => {
  const backend = useBackend();
  return useQuery({ queryKey: keys.agreement, queryFn: () => backend.agreement(), refetchOnMount: 'always' });
};

/** useLoadText asks for a file and gives what it holds; undefined when none was chosen. */
export const useLoadText = (title: string) => {
  const backend = useBackend();
  return useMutation({
    mutationFn: async () => {
      const file = await backend.loadText(title);
      return file.name === '' ? undefined : file;
    },
  });
};

/** useSaveText asks for a name and writes a file; its path, or '' when none was named. */
export const useSaveText = (title: string) => {
  const backend = useBackend();
  return useMutation({
    mutationFn: ({ name, text }: { name: string; text: string }) => backend.saveText(title, name, text),
  });
};

/** useAddRubric asks for a rubric file and adds it, once nothing is wrong in it; its name, or what is wrong. */
export const useAddRubric = (title: string) => {
  const backend = useBackend();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const file = await backend.loadText(title);
      if (file.name === '') return undefined;
      const { problems } = await backend.checkRubric(file.text);
      if (problems.length > 0) return { file: file.name, problems };
      return { file: file.name, problems, added: await backend.addRubric(file.text) };
    },
    onSuccess: (done) => done?.added && cache.invalidateQueries({ queryKey: keys.rules }),
  });
};
