// A look that is not committed yet is kept on this machine, so that closing the window loses nothing.
import type { CaseView } from '../../lib/nouns';
import type { Draft } from './state';

const keyOf = (assignment: string, question: string) => `plumbline/draft/${assignment}/${question}`;

const isDraft = (v: unknown): v is Draft =>
  typeof v === 'object' &&
  v !== null &&
  typeof (v as Draft).answer === 'string' &&
  typeof (v as Draft).confidence === 'number' &&
  Array.isArray((v as Draft).evidence);

/** loadDrafts brings back what was begun for the open questions of a case. */
export const loadDrafts = (view: CaseView, store: Storage = localStorage): Record<string, Draft> => {
  const found: Record<string, Draft> = {};
  for (const q of view.case.questions) {
    try {
      const v: unknown = JSON.parse(store.getItem(keyOf(view.assignment, q.id)) ?? 'null');
      if (isDraft(v)) found[q.id] = v;
    } catch {
      store.removeItem(keyOf(view.assignment, q.id));
    }
  }
  return found;
};

/** keepDraft stores a draft; undefined forgets it. */
export const keepDraft = (
  assignment: string,
  question: string,
  draft: Draft | undefined,
  store: Storage = localStorage,
) => {
  if (draft) store.setItem(keyOf(assignment, question), JSON.stringify(draft));
  else store.removeItem(keyOf(assignment, question));
};
