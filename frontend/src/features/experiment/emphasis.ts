// The words that can be pointed to.
import type { Question } from '../../lib/nouns';

const least = 4; // letters of a word in Latin script that says something

/** wordsOf gives the words of a question and its options that can be pointed to, each once, in their order. */
export const wordsOf = (questions: readonly Question[]): string[] => {
  const words = questions
    .flatMap((q) => [q.text, ...q.options.map((o) => o.text)])
    .flatMap((text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? [])
    .filter((w) => [...w].length >= least || !/^[\p{Script=Latin}\p{N}]+$/u.test(w));
  const seen = new Set<string>();
  return words.filter((w) => !seen.has(w.toLowerCase()) && seen.add(w.toLowerCase()));
};

/** listed reads words that were written, parted by commas. */
export const listed = (text: string): string[] =>
  text
    .split(/[,;、，]/)
    .map((w) => w.trim())
    .filter(Boolean);
