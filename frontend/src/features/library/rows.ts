// The case table's search and filters: quick on a hundred thousand rows.
import type { CaseRow } from '../../lib/nouns';

export interface Filters {
  text: string;
  state: string; // '' is all
  stage: string;
  modality: string;
}

export const noFilters: Filters = { text: '', state: '', stage: '', modality: '' };

/** filtered keeps the rows that fit; the same list when nothing is asked. */
export const filtered = (rows: CaseRow[], f: Filters): CaseRow[] => {
  const text = f.text.trim().toLowerCase();
  if (text === '' && f.state === '' && f.stage === '' && f.modality === '') return rows;
  return rows.filter(
    (r) =>
      (f.state === '' || r.state === f.state) &&
      (f.modality === '' || r.modality === f.modality) &&
      (f.stage === '' || r.stages.includes(f.stage)) &&
      (text === '' || r.id.toLowerCase().includes(text) || r.patient.toLowerCase().includes(text)),
  );
};

/** kindsOf lists the different values of a column, in order. */
export const kindsOf = (rows: CaseRow[], of: (r: CaseRow) => string): string[] =>
  [...new Set(rows.map(of))].filter((v) => v !== '').sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
