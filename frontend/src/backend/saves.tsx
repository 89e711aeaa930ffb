// What a reader says goes through one queue, is shown at once, and counts as saved when the backend has answered.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { CaseView, ChainRating, Look, OwnAnswer, Rating, Saved } from '../lib/nouns';
import { SaveQueue, type Waiting } from '../lib/queue';
import { passes, troubleOf } from './client';
import { keys, useBackend } from './queries';

const Context = createContext<SaveQueue | undefined>(undefined);

/** newSaves makes the queue of the program. */
export const newSaves = () =>
  new SaveQueue((reason) => {
    const trouble = troubleOf(reason);
    return { text: trouble.text, again: passes(trouble) };
  });

export const SavesProvider = ({ queue, children }: { queue: SaveQueue; children: ReactNode }) => (
  <Context.Provider value={queue}>{children}</Context.Provider>
);

/** useSaves gives the queue and what waits in it now. */
export const useSaves = () => {
  const queue = useContext(Context);
  if (!queue) throw new Error('no save queue above');
  return { queue, ...useSyncExternalStore(queue.subscribe, queue.snapshot) };
};

const ratingKey = (assignment: string, chain: string, step: string) => `${assignment}|rating|${chain}|${step}`;
const ownKey = (assignment: string, chain: string, step: string) => `${assignment}|own|${chain}|${step}`;
const chainKey = (assignment: string, chain: string) => `${assignment}|chain|${chain}`;
const lookKey = (assignment: string, question: string) => `${assignment}|look|${question}`;

/** settled puts the answer of an act into the case as the cache holds it. */
export const settled = (view: CaseView, saved: Saved): CaseView => ({
  ...view,
  phase: saved.phase,
  done: saved.done,
  required: saved.required,
  missing: saved.missing,
  saved_at: saved.at,
  revisions: view.revisions + (saved.revision > 1 ? 1 : 0),
  chains: saved.chains.length > 0 ? saved.chains : view.chains,
});

/** withRating puts a step's rating into a case. */
export const withRating = (view: CaseView, chain: string, rating: Rating): CaseView => ({
  ...view,
  chains: view.chains.map((c) =>
    c.id === chain ? { ...c, ratings: [...c.ratings.filter((r) => r.step !== rating.step), rating] } : c,
  ),
});

const withOwnAnswer = (view: CaseView, chain: string, own: OwnAnswer): CaseView => ({
  ...view,
  chains: view.chains.map((c) =>
    c.id === chain ? { ...c, own_answers: [...c.own_answers.filter((o) => o.step !== own.step), own] } : c,
  ),
});

const withChainRating = (view: CaseView, chain: string, rating: ChainRating): CaseView => ({
  ...view,
  chains: view.chains.map((c) => (c.id === chain ? { ...c, rating } : c)),
});

/** asShown lays what still waits over what the backend has confirmed: a click is seen at once. */
export const asShown = (view: CaseView, waiting: readonly Waiting[]): CaseView => {
  const latest = new Map(waiting.map((w) => [w.key, w.value]));
  if (latest.size === 0) return view;
  let shown = view;
  for (const chain of view.chains) {
    const whole = latest.get(chainKey(view.assignment, chain.id));
    if (whole) shown = withChainRating(shown, chain.id, whole as ChainRating);
    for (const step of chain.answers.flatMap((a) => a.steps)) {
      const rating = latest.get(ratingKey(view.assignment, chain.id, step.id));
      if (rating) shown = withRating(shown, chain.id, rating as Rating);
      const own = latest.get(ownKey(view.assignment, chain.id, step.id));
      if (own) shown = withOwnAnswer(shown, chain.id, own as OwnAnswer);
    }
  }
  return shown;
};

/** useReadingActs gives what a reader can say of a case. */
export const useReadingActs = (id: string) => {
  const backend = useBackend();
  const cache = useQueryClient();
  const { queue } = useSaves();

  const put = (saved: Saved, also: (view: CaseView) => CaseView = (v) => v) => {
    cache.setQueryData<CaseView>(keys.case(id), (view) => view && settled(also(view), saved));
    void cache.invalidateQueries({ queryKey: keys.cases, refetchType: 'none' });
    void cache.invalidateQueries({ queryKey: keys.state, refetchType: 'none' });
  };

  const chainNow = (chain: string) => cache.getQueryData<CaseView>(keys.case(id))?.chains.find((c) => c.id === chain);

  return {
    /** ratingNow is what was last said of a step, saved or still waiting; undefined: nothing yet. */
    ratingNow: (assignment: string, chain: string, step: string) =>
      (queue.last(ratingKey(assignment, chain, step)) as Rating | undefined) ??
      chainNow(chain)?.ratings.find((r) => r.step === step),
    chainRatingNow: (assignment: string, chain: string) =>
      (queue.last(chainKey(assignment, chain)) as ChainRating | undefined) ?? chainNow(chain)?.rating ?? undefined,
    look: (assignment: string, look: Look) =>
      queue.add(lookKey(assignment, look.question), look, async () => {
        const saved = await backend.look(assignment, look);
        put(saved, (v) => ({ ...v, looks: [...v.looks.filter((l) => l.question !== look.question), look] }));
      }),
    rate: (assignment: string, chain: string, rating: Rating, reason: string) =>
      queue.add(ratingKey(assignment, chain, rating.step), rating, async () => {
        put(await backend.rate(assignment, chain, rating, reason), (v) => ({
          ...withRating(v, chain, rating),
          place: { ...v.place, case: id, chain, step: rating.step },
        }));
      }),
    ownAnswerNow: (assignment: string, chain: string, step: string) =>
      (queue.last(ownKey(assignment, chain, step)) as OwnAnswer | undefined) ??
      chainNow(chain)?.own_answers.find((o) => o.step === step),
    ownAnswer: (assignment: string, chain: string, own: OwnAnswer, reason: string) =>
      queue.add(ownKey(assignment, chain, own.step), own, async () => {
        put(await backend.ownAnswer(assignment, chain, own, reason), (v) => withOwnAnswer(v, chain, own));
      }),
    rateChain: (assignment: string, chain: string, rating: ChainRating, reason: string) =>
      queue.add(chainKey(assignment, chain), rating, async () => {
        put(await backend.rateChain(assignment, chain, rating, reason), (v) => withChainRating(v, chain, rating));
      }),
    /** sign waits for everything said of the case before it asks. */
    sign: async (assignment: string) => {
      await queue.idle(`${assignment}|`);
      put(await backend.sign(assignment));
      // A signed training case shows what was expected, and may open the worklist.
      if (cache.getQueryData<CaseView>(keys.case(id))?.training) {
        cache.removeQueries({ predicate: (q) => q.queryKey[0] === 'case' && q.queryKey[1] !== id });
        await Promise.all([keys.case(id), keys.state].map((queryKey) => cache.invalidateQueries({ queryKey })));
      }
    },
    /** prefetch opens another case quietly, so that it is there when the reader comes. */
    prefetch: (other: string) =>
      cache.prefetchQuery({ queryKey: keys.case(other), queryFn: () => backend.openCase(other) }),
  };
};

/** useUnsavedCount counts what the backend has not confirmed yet. */
export const useUnsavedCount = () => useSaves().waiting.length;
