// The list of problems as people filter it and take it elsewhere.
import type { Problem } from '../../lib/nouns';
import { t } from '../../lib/texts';

/** problemsWith keeps the problems whose file, field or words hold the text. */
export const problemsWith = (all: readonly Problem[], text: string): readonly Problem[] => {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return all;
  return all.filter((p) => `${p.file} ${p.field ?? ''} ${p.text}`.toLowerCase().includes(wanted));
};

// One cell is one line without tabs. Spreadsheets run what begins like a formula, and the text comes from other people's files.
const cell = (text: string) => text.replace(/\s+/g, ' ').replace(/^([=+\-@])/, "'$1");

/** problemsText writes problems as tab-separated lines under a line of column names. */
export const problemsText = (problems: readonly Problem[]): string => {
  const head = [t.library.file, t.library.line, t.library.field, t.library.reason];
  const rows = problems.map((p) => [p.file, p.line ? String(p.line) : '', p.field ?? '', p.text].map(cell));
  return [head, ...rows].map((row) => `${row.join('\t')}\n`).join('');
};
