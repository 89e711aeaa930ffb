import { type PixelPoint, toScreen, type View } from '../lib/geometry';
import { type Measure, measureText } from './measures';
import { outlineOf } from './Regions';
import type { Painted } from './screen';
import css from './Viewer.module.css';

const line = (view: View, points: readonly PixelPoint[]) =>
  points.length < 2
    ? ''
    : `M${points
        .map((p) => toScreen(view, p))
        .map((s) => `${s.x} ${s.y}`)
        .join('L')}`;

function shapeOf(m: Pick<Measure, 'kind' | 'points'>, view: View): string {
  const [p, q] = m.points;
  if (m.kind === 'distance' || m.kind === 'angle') return line(view, m.points);
  if (!p || !q) return '';
  const { columns, rows } = view.plane;
  const coords = [
    Math.min(p.x, q.x) / columns,
    Math.min(p.y, q.y) / rows,
    Math.max(p.x, q.x) / columns,
    Math.max(p.y, q.y) / rows,
  ];
  return outlineOf({ id: '', image: '', shape: m.kind, coords }, view);
}

// The words stand beside the lower end, or the right corner of an area, and within the picture area.
function placeOf(
  m: Pick<Measure, 'kind' | 'points'>,
  view: View,
  size: { width: number; height: number },
  lines: readonly string[],
) {
  const ends = m.points.map((p) => toScreen(view, p));
  const vertex = m.kind === 'angle' ? ends[1] : undefined;
  const right = vertex ?? ends.reduce((a, b) => (b.x > a.x ? b : a), ends[0] ?? { x: 0, y: 0 });
  const width = Math.max(...lines.map((l) => l.length), 0) * 7.3;
  const x = right.x + 8 + width > size.width ? Math.max(4, right.x - 8 - width) : right.x + 8;
  const y = Math.min(size.height - 15 * lines.length, Math.max(28, right.y - 6));
  return { x, y };
}

interface MeasureProps {
  painted: Painted;
  size: { width: number; height: number };
  items: readonly Measure[];
  draft: Pick<Measure, 'kind' | 'points'> | undefined;
  chosen: string | undefined;
}

/** What was measured on this frame, and what is being measured. */
export function Measures({ painted, size, items, draft, chosen }: MeasureProps) {
  return (
    <>
      {items.map((m) => (
        <One key={m.id} painted={painted} size={size} measure={m} id={m.id} chosen={m.id === chosen} />
      ))}
      {draft ? <One painted={painted} size={size} measure={draft} /> : null}
    </>
  );
}

interface OneProps {
  painted: Painted;
  size: { width: number; height: number };
  measure: Pick<Measure, 'kind' | 'points'>;
  id?: string;
  chosen?: boolean;
}

function One({ painted, size, measure, id, chosen }: OneProps) {
  const { view, frame, picture } = painted;
  const d = shapeOf(measure, view);
  const lines = measureText(frame, picture, measure);
  const at = placeOf(measure, view, size, lines);
  return (
    <g className={`${css.measure} ${chosen ? css.strong : ''}`}>
      <path className={css.halo} d={d} />
      <path d={d} data-mark="measure-line" />
      {id ? <path className={css.hit} d={d} data-measure={id} /> : null}
      {chosen
        ? measure.points.map((p, i) => {
            const s = toScreen(view, p);
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place in the list
                key={i}
                className={css.grip}
                x={s.x - 4}
                y={s.y - 4}
                width={8}
                height={8}
                data-measure={id}
                data-point={i}
              />
            );
          })
        : null}
      <text data-mark="measure" data-measured={id}>
        {lines.map((text, i) => (
          <tspan key={text} x={at.x} y={at.y + 15 * i}>
            {text}
          </tspan>
        ))}
      </text>
    </g>
  );
}
