// Which picture an arm was asked a question with, and how two pictures go together.
import type { Arm, Comparison, Stack } from '../../lib/nouns';

/** Sight is one image as an arm saw it. */
export interface Sight {
  stack: Stack | undefined;
  /** Made for the condition: its samples lie under the arm. Otherwise they are the case's own. */
  made: boolean;
  /** 0-based numbers of the frames that the condition changed. */
  changed: number[];
  /** What the image is under this condition: 'occ'; '' where that is not told. */
  image: string;
  fill: string;
  donor: string;
  /** Why there is nothing to see. */
  reason: string;
}

/** sightOf finds the picture with which an arm was asked a question, for the k-th image of the case. */
export const sightOf = (of: Comparison, arm: Arm, question: string, k: number): Sight => {
  const own = of.stacks[k];
  const image = arm.origin?.condition.image ?? '';
  const bare = { made: false, changed: [], image, fill: '', donor: '', reason: '' };
  if (image === 'none') return { ...bare, stack: undefined };
  const picture = arm.pictures.find((p) => p.questions.includes(question));
  if (!picture) return { ...bare, stack: own };
  const sent = picture.stacks[k];
  const stack = sent?.frames.length ? sent : undefined;
  return {
    ...bare,
    // What is said of places is said of the case's image, also where another patient's stands in for it.
    stack: stack && own ? { ...stack, image: own.image } : stack,
    made: stack !== undefined,
    changed: picture.changed[k] ?? [],
    fill: picture.recipe.fill ?? '',
    donor: picture.recipe.donor ?? '',
    reason: picture.reason,
  };
};

/** positionOf is where in a stack the frame with this number is, or the nearest one. */
export const positionOf = (stack: Stack, index: number): number => {
  const exact = stack.frames.findIndex((f) => f.index === index);
  if (exact >= 0) return exact;
  let best = 0;
  stack.frames.forEach((f, i) => {
    if (Math.abs(f.index - index) < Math.abs((stack.frames[best]?.index ?? 0) - index)) best = i;
  });
  return best;
};

/** nextChanged is the nearest changed frame after (1) or before (−1) this one; undefined: there is none. */
export const nextChanged = (changed: readonly number[], index: number, by: 1 | -1): number | undefined =>
  by === 1 ? changed.find((n) => n > index) : changed.findLast((n) => n < index);
