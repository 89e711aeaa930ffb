import { useCallback, useMemo } from 'react';
import { share } from '../../lib/format';
import { t } from '../../lib/texts';
import { type Ink, type Stack, stackOption } from './charts';
import { Figure } from './Figure';

interface Props {
  title: string;
  note: string;
  rows: Stack[];
  tones?: Record<string, string>;
  missing?: string;
  onPick: (row: Stack, label: string) => void;
}

/** Stacks shows shares of counts, a bar for each row; every part is a door to its cases. */
export const Stacks = ({ title, note, rows: all, tones, missing: lacking, onPick }: Props) => {
  const rows = useMemo(() => all.filter((r) => r.parts.some((p) => p.n > 0)), [all]);
  const missing = lacking ?? (rows.length === 0 ? t.report.nothingToCount : undefined);
  const option = useCallback((ink: Ink) => stackOption(rows, t.report.label, ink, tones), [rows, tones]);
  const total = (r: Stack) => r.parts.reduce((sum, p) => sum + p.n, 0);
  return (
    <Figure
      title={title}
      note={note}
      head={[t.report.headWhat, t.report.headWhat, t.report.headShare, t.report.headN].map((h, i) =>
        i === 0 ? t.report.headModel : h,
      )}
      rows={rows.flatMap((r) =>
        r.parts.map((p) => ({
          cells: [r.name, t.report.label(p.label), total(r) ? share(p.n / total(r)) : '–', p.n],
          pick: p.n > 0 ? () => onPick(r, p.label) : undefined,
        })),
      )}
      option={option}
      height={(new Set(rows.flatMap((r) => r.parts.map((x) => x.label))).size > 4 ? 64 : 44) + rows.length * 26}
      missing={missing}
      onPick={({ series, index }) => {
        const row = rows[index];
        if (row && series) onPick(row, series);
      }}
    />
  );
};
