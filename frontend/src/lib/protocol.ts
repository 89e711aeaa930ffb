// The protocol as the page edits it: the JSON of a protocol file, whole and in the desk's own order (dataset.md). The desk checks it.
import type { Problem } from './nouns';

export interface ProtocolReader {
  code: string;
  role: 'reader' | 'adjudicator';
  specialty: string;
  years: number;
}

export interface Protocol {
  schema: string;
  name: string;
  readers: ProtocolReader[];
  design: 'crossed' | 'split';
  reads_per_case: number;
  sessions: number;
  washout_days: number;
  seed?: number;
  chains_per_case: number | 'all';
  repeats?: { share: number; min_distance: number } | null;
  look: { first: boolean; questions: 'all' | 'last' };
  /** In which a reader reads; left out: random. */
  order?: 'random' | 'uncertain';
  training: string[];
  training_pass?: number;
  idle_seconds: number;
  rubric: { name: string; version: string };
  hidden_until: 'patient_signed' | 'study_closed';
  /** Left out: hidden. */
  overlays?: 'hidden' | 'planes' | 'all';
  closed: boolean;
}

/** protocolOf reads a protocol as the desk wrote it; none while there is nothing that the desk could read. */
export const protocolOf = (text: string): Protocol | undefined => (text === '' ? undefined : JSON.parse(text));

/** protocolText writes a protocol as the desk does. */
export const protocolText = (p: Protocol): string => `${JSON.stringify(p, null, 2)}\n`;

/** problemAt gives in words what is wrong with a field, '' where nothing is. */
export const problemAt = (problems: readonly Problem[], field: string): string =>
  problems.find((p) => p.field === field)?.text ?? '';

/** idsOf reads case ids, one a line; an id may hold spaces. */
export const idsOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
