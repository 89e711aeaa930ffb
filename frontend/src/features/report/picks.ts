import type { Fact } from '../../lib/report';

/** Pick is a selection: whose answers, which of them, and what it is called. */
export interface Pick {
  model: string;
  title: string;
  where: (f: Fact) => boolean;
}

/** OnPick shows the cases of a selection. */
export type OnPick = (pick: Pick) => void;

/** matching gives the facts of a selection. */
export const matching = (facts: readonly Fact[], pick: Pick): Fact[] => facts.filter(pick.where);

/** casesOf counts the cases of facts. */
export const casesOf = (facts: readonly Fact[]): number => new Set(facts.map((f) => f.case)).size;
