import { type PixelPoint, pixelPoint, toPixel, toScreen, toUnit, unitBox, type View } from '../lib/geometry';
import { type PlaneInSpace, planeInSpace } from '../lib/space';
import { cutLine } from './mpr';
import type { Tool } from './props';
import { outlineOf } from './Regions';
import type { Painted } from './screen';
import type { Crosshair } from './useCrosshair';
import type { useGestures } from './useGestures';
import css from './Viewer.module.css';

interface DrawnProps {
  painted: Painted;
  gestures: ReturnType<typeof useGestures>;
  cross: Crosshair | undefined;
  tool: Tool;
}

const line = (view: View, points: readonly PixelPoint[]) =>
  points.length > 1
    ? `M${points
        .map((p) => toScreen(view, p))
        .map((s) => `${s.x} ${s.y}`)
        .join('L')}`
    : '';

const outline = (view: View, shape: string, from: PixelPoint, to: PixelPoint) =>
  outlineOf({ id: '', image: '', shape, coords: unitBox(view.plane, from, to) }, view);

/** What the reader is drawing: not evidence until it is given out. */
export function Drawn({ painted, gestures, cross, tool }: DrawnProps) {
  const { draft, pointer } = gestures;
  const { view } = painted;
  return (
    <>
      {draft ? (
        <g className={`${css.region} ${css.mine}`}>
          <path
            className={css.outline}
            data-mark="draft"
            d={
              draft.shape === 'polygon'
                ? line(view, pointer ? [...draft.points, toPixel(view, pointer)] : draft.points)
                : outline(view, draft.shape, draft.points[0] as PixelPoint, draft.points[1] as PixelPoint)
            }
          />
        </g>
      ) : null}
      {cross ? <Cross view={view} cross={cross} tool={tool} /> : null}
    </>
  );
}

function Cross({ view, cross, tool }: { view: View; cross: Crosshair; tool: Tool }) {
  const { columns, rows } = view.plane;
  const { x, y } = cross.at;
  const across = [pixelPoint(0, y), pixelPoint(columns, y)];
  const down = [pixelPoint(x, 0), pixelPoint(x, rows)];
  const at = toScreen(view, cross.at);
  const u = toUnit(view.plane, cross.at);
  const [first] = cross.corners;
  const shape = tool === 'ellipse' || tool === 'roi-ellipse' ? 'ellipse' : 'box';
  const lines = tool === 'polygon' || tool === 'measure' || tool === 'angle';
  const begun = lines ? line(view, [...cross.corners, cross.at]) : first && outline(view, shape, first, cross.at);
  return (
    <g className={`${css.region} ${css.mine}`}>
      <path
        className={css.crosshair}
        d={line(view, across) + line(view, down)}
        data-mark="crosshair"
        data-x={u.x}
        data-y={u.y}
      />
      {begun ? <path className={css.outline} d={begun} /> : null}
      <text x={at.x + 8} y={at.y - 8}>
        x {Math.floor(x)} y {Math.floor(y)} · Enter
      </text>
    </g>
  );
}

/** The lines where the planes of other pictures cut this one. */
export function Cuts({ painted, cuts }: { painted: Painted; cuts: readonly PlaneInSpace[] }) {
  const here = planeInSpace(painted.frame);
  const lines = here ? cuts.map((other) => cutLine(here, painted.frame, other)) : [];
  const d = lines
    .filter((l) => l !== undefined)
    .map(([x0, y0, x1, y1]) => line(painted.view, [pixelPoint(x0, y0), pixelPoint(x1, y1)]))
    .join('');
  return d ? <path className={css.cut} d={d} data-mark="cuts" /> : null;
}
