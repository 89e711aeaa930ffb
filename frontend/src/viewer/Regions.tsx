import { fromUnit, type Plane, type ScreenPoint, type Size, toScreen, unitPoint, type View } from '../lib/geometry';
import type { Region } from '../lib/nouns';
import { placeLabels } from './labels';
import type { ViewerRegion } from './props';
import css from './Viewer.module.css';

/** The corners and points of a region on the screen, in the order of its coordinates. */
export function cornersOf(region: Region, view: View): ScreenPoint[] {
  const c = region.coords;
  const at = (x: number, y: number) => toScreen(view, fromUnit(view.plane, unitPoint(x, y)));
  if (region.shape === 'box' || region.shape === 'ellipse') {
    const [x0 = 0, y0 = 0, x1 = 1, y1 = 1] = c;
    return [at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)];
  }
  return Array.from({ length: Math.floor(c.length / 2) }, (_, i) => at(c[2 * i] as number, c[2 * i + 1] as number));
}

/** The outline of a region as an SVG path; "" where it has none on the picture. */
export function outlineOf(region: Region, view: View): string {
  const p = cornersOf(region, view);
  switch (region.shape) {
    case 'box':
    case 'polygon':
      return p.length > 2 ? `M${p.map((q) => `${q.x} ${q.y}`).join('L')}Z` : '';
    case 'ellipse': {
      const [a, b, c, d] = p as [ScreenPoint, ScreenPoint, ScreenPoint, ScreenPoint];
      const rx = Math.hypot(b.x - a.x, b.y - a.y) / 2;
      const ry = Math.hypot(d.x - a.x, d.y - a.y) / 2;
      const tilt = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
      const from = { x: (a.x + d.x) / 2, y: (a.y + d.y) / 2 };
      const to = { x: (b.x + c.x) / 2, y: (b.y + c.y) / 2 };
      const arc = `A${rx} ${ry} ${tilt} 1 0`;
      return `M${from.x} ${from.y}${arc} ${to.x} ${to.y}${arc} ${from.x} ${from.y}Z`;
    }
    case 'point': {
      const q = p[0];
      if (!q) return '';
      const r = 9;
      const gap = 3;
      const arms = [
        [0, 1],
        [0, -1],
        [1, 0],
        [-1, 0],
      ] as const;
      return arms.map(([x, y]) => `M${q.x + x * gap} ${q.y + y * gap}L${q.x + x * r} ${q.y + y * r}`).join('');
    }
    default:
      return '';
  }
}

/** The words beside a region. */
export const labelOf = ({ label, owner }: ViewerRegion) => label ?? owner;

// What stands at the corners, by reader: a square, a disc, a triangle, a diamond, then again.
const signs = [
  'M-4 -4h8v8h-8Z',
  'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z',
  'M0 -5.5L5.5 4.5H-5.5Z',
  'M0 -6L6 0L0 6L-6 0Z',
] as const;

// The sign of a reader, as a path around 0,0.
const signOf = (reader: number): string => signs[(reader - 1) % signs.length] as string;

// Where the signs of a region stand: an ellipse is touched halfway along the sides of the box around it.
const signPlaces = (region: Region, corners: readonly ScreenPoint[]) =>
  region.shape === 'ellipse'
    ? corners.map((c, i) => {
        const next = corners[(i + 1) % corners.length] ?? c;
        return { x: (c.x + next.x) / 2, y: (c.y + next.y) / 2 };
      })
    : corners;

interface ShapeProps {
  item: ViewerRegion;
  view: View;
  /** Where in the list of regions: what a press on it refers to. */
  index: number;
  /** Where its words stand. */
  words: ScreenPoint | undefined;
}

function Shape({ item, view, index, words }: ShapeProps) {
  const { region, owner, highlighted, selected } = item;
  const d = outlineOf(region, view);
  if (!d) return null;
  const corners = cornersOf(region, view);
  const tone = owner === 'model' ? css.model : css.mine;
  const weight = highlighted || selected ? css.strong : '';
  if (item.area) return <path className={css.filled} d={d} />;
  return (
    <g className={`${css.region} ${tone} ${weight}`}>
      <path className={css.halo} d={d} />
      <path className={css.outline} d={d} />
      <path className={css.hit} d={d} data-region={index} />
      {item.reader
        ? signPlaces(region, corners).map((c, i) => (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: a corner is its place in the list
              key={i}
              className={css.sign}
              d={signOf(item.reader ?? 1)}
              transform={`translate(${c.x} ${c.y})`}
            />
          ))
        : null}
      {words ? (
        <text x={words.x} y={words.y}>
          {labelOf(item)}
        </text>
      ) : null}
      {selected && owner === 'mine'
        ? corners.map((c, i) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a corner is its place in the list
              key={i}
              className={css.handle}
              x={c.x - 4}
              y={c.y - 4}
              width={8}
              height={8}
              data-region={index}
              data-corner={i}
            />
          ))
        : null}
    </g>
  );
}

interface RegionsProps {
  items: readonly (ViewerRegion & { index: number })[];
  view: View;
  /** Of the picture area. */
  size: Size;
}

/** Regions drawn over the picture, sharp at any zoom. */
export function Regions({ items, view, size }: RegionsProps) {
  const some = items.filter(({ region }) => outlineOf(region, view) !== '');
  // Areas lie under everything that has an outline, and have no words.
  const drawn = [...some.filter((item) => item.area), ...some.filter((item) => !item.area)];
  const areas = some.length - some.filter((item) => !item.area).length;
  const labels = drawn.slice(areas).map((item) => ({
    text: labelOf(item),
    owner: item.owner,
    corners: cornersOf(item.region, view),
  }));
  const words = placeLabels(labels, size);
  return (
    <>
      {drawn.map((item, i) => (
        <Shape
          key={`${item.owner}/${item.index}/${item.region.id}`}
          item={item}
          view={view}
          index={item.index}
          words={words[i - areas]}
        />
      ))}
    </>
  );
}

/** Regions without an outline on the picture (whole image, all of some frames, a mask file), in words. */
export const inWords = (item: ViewerRegion): string => {
  const said: Record<string, string> = { whole_image: 'whole image', slab: 'this whole frame', mask: 'mask file' };
  const words = said[item.region.shape];
  return words ? `${labelOf(item)}: ${words}` : '';
};

/** The region with one corner moved to a place, in fractions; a box keeps its opposite corner. */
export function reshaped(region: Region, corner: number, plane: Plane, to: { x: number; y: number }): Region {
  const x = Math.min(1, Math.max(0, to.x));
  const y = Math.min(1, Math.max(0, to.y));
  const coords = [...region.coords];
  if (region.shape === 'box' || region.shape === 'ellipse') {
    const [x0 = 0, y0 = 0, x1 = 1, y1 = 1] = coords;
    const fixedX = corner === 0 || corner === 3 ? x1 : x0;
    const fixedY = corner < 2 ? y1 : y0;
    const snap = (v: number, n: number) => Math.round(v * n) / n;
    const [ax, bx] = ordered(snap(x, plane.columns), fixedX, 1 / plane.columns);
    const [ay, by] = ordered(snap(y, plane.rows), fixedY, 1 / plane.rows);
    return { ...region, coords: [ax, ay, bx, by] };
  }
  coords[2 * corner] = x;
  coords[2 * corner + 1] = y;
  return { ...region, coords };
}

/** A box or ellipse with its last corner moved, in fractions of the image; anything else moves as a whole. */
export function grown(region: Region, plane: Plane, dx: number, dy: number): Region {
  if (region.shape !== 'box' && region.shape !== 'ellipse') return movedBy(region, plane, dx, dy);
  const [, , x1 = 1, y1 = 1] = region.coords;
  return reshaped(region, 2, plane, { x: x1 + dx, y: y1 + dy });
}

// The two in order, at least a pixel apart and within the image.
function ordered(moving: number, fixed: number, pixel: number): [number, number] {
  if (Math.abs(moving - fixed) >= pixel / 2) return moving < fixed ? [moving, fixed] : [fixed, moving];
  return fixed + pixel <= 1 + 1e-9 ? [fixed, Math.min(1, fixed + pixel)] : [fixed - pixel, fixed];
}

/** The region moved by fractions of the image, as far as it stays within it; boxes move by whole pixels. */
export function movedBy(region: Region, plane: Plane, dx: number, dy: number): Region {
  const shift = (axis: 0 | 1, by: number, n: number) => {
    const along = region.coords.filter((_, i) => i % 2 === axis);
    const within = Math.min(1 - Math.max(...along), Math.max(-Math.min(...along), by));
    const whole = region.shape === 'box' || region.shape === 'ellipse';
    return whole ? Math.round(within * n) / n : within;
  };
  const x = shift(0, dx, plane.columns);
  const y = shift(1, dy, plane.rows);
  return { ...region, coords: region.coords.map((v, i) => Math.min(1, Math.max(0, v + (i % 2 === 0 ? x : y)))) };
}
