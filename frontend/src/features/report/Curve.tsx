import { share } from '../../lib/format';
import type { Figure } from '../../lib/report';
import { type Look, Mark } from './look';
import css from './report.module.css';

/** Line is one model along the stages: what is drawn solid with intervals, and what is dashed beside it. */
export interface Line {
  name: string;
  look: Look;
  solid: Figure[];
  dashed: Figure[];
}

const width = 470;
const height = 196;
const left = 34;
const top = 10;
const bottom = 22;

const yOf = (v: number) => top + (1 - v) * (height - top - bottom);

/** Curve draws proportions along the stages, each with its 95 % interval. */
export const Curve = ({ stages, lines, label }: { stages: string[]; lines: Line[]; label: string }) => {
  const step = (width - left) / Math.max(1, stages.length);
  // Models stand a little apart, so that their intervals can be told from each other.
  const xOf = (stage: number, line: number) => left + step * (stage + 0.5) + (line - (lines.length - 1) / 2) * 9;
  const path = (figures: Figure[], line: number) =>
    figures.flatMap((f, i) => (typeof f.value !== 'number' ? [] : [`${xOf(i, line)} ${yOf(f.value)}`])).join(' L ');
  return (
    <svg className={css.chart} viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={label}>
      {[0, 0.25, 0.5, 0.75, 1].map((v) => (
        <path key={v} d={`M${left} ${yOf(v)}H${width}`} stroke="var(--rule)" />
      ))}
      {[0, 0.5, 1].map((v) => (
        <text key={v} x={left - 8} y={yOf(v) + 4} textAnchor="end">
          {v === 0 ? '0' : share(v)}
        </text>
      ))}
      {stages.map((s, i) => (
        <text key={s} x={left + step * (i + 0.5)} y={height - 5} textAnchor="middle">
          {s}
        </text>
      ))}
      {lines.map((l, j) => (
        <g key={l.name} fill="none" stroke={l.look.colour}>
          <path d={`M ${path(l.solid, j) || '0 0'}`} strokeWidth={2.2} />
          <path d={`M ${path(l.dashed, j) || '0 0'}`} strokeDasharray="5 4" />
          {l.solid.map(
            (f, i) =>
              f.interval && (
                <path
                  key={stages[i]}
                  d={`M${xOf(i, j)} ${yOf(f.interval[0] ?? 0)}V${yOf(f.interval[1] ?? 0)}`}
                  strokeOpacity={0.75}
                />
              ),
          )}
          {l.solid.map(
            (f, i) =>
              typeof f.value === 'number' && (
                <g key={stages[i]} stroke="none">
                  <title>{`${l.name}, ${stages[i]}: ${share(f.value)}`}</title>
                  <Mark look={l.look} x={xOf(i, j)} y={yOf(f.value)} />
                </g>
              ),
          )}
        </g>
      ))}
    </svg>
  );
};
