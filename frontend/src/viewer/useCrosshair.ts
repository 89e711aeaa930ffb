import { type KeyboardEvent, useState } from 'react';
import { back, clampToPlane, type PixelPoint, pixelPoint, toUnit, unitBox } from '../lib/geometry';
import { measured, pointsOf } from './measures';
import type { ViewerProps } from './props';
import type { Painted, Screen } from './screen';

/** The keyboard's pen: the middle of a pixel, and the corners that are set. */
export interface Crosshair {
  at: PixelPoint;
  corners: PixelPoint[];
}

/** The way of each arrow key, in pixels right and down. */
export const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Drawing without a mouse: arrows move by a pixel as seen on the screen (Shift: ten), Enter sets corners, Esc leaves. */
export function useCrosshair(
  screen: Screen | undefined,
  props: ViewerProps,
  onMeasured: (points: readonly PixelPoint[], now: Painted) => void,
) {
  const [cross, setCross] = useState<Crosshair>();

  const toggle = (on = cross === undefined) => {
    const painted = screen?.snapshot().painted;
    if (!on || !painted) {
      setCross(undefined);
      return;
    }
    const { plane } = painted.view;
    const { centre } = painted.camera;
    const inside = clampToPlane({ columns: plane.columns - 1, rows: plane.rows - 1 }, centre);
    setCross({ at: pixelPoint(Math.floor(inside.x) + 0.5, Math.floor(inside.y) + 0.5), corners: [] });
  };

  const enter = (now: Crosshair) => {
    const painted = screen?.snapshot().painted;
    if (!painted) return;
    const { plane } = painted.view;
    const give = (shape: string, coords: number[]) => {
      setCross(undefined);
      props.onRegion?.({ id: '', image: props.stack.image, frame: painted.frame.index, shape, coords });
    };
    const kind = measured(props.tool);
    if (kind) {
      const corners = [...now.corners, now.at];
      setCross({ ...now, corners: corners.length < pointsOf(kind) ? corners : [] });
      if (corners.length === pointsOf(kind)) onMeasured(corners, painted);
      return;
    }
    if (props.tool === 'point') {
      const u = toUnit(plane, now.at);
      give('point', [u.x, u.y]);
      return;
    }
    const last = now.corners.at(-1);
    const again = last?.x === now.at.x && last.y === now.at.y;
    if (props.tool === 'polygon' && again) {
      const units = now.corners.map((p) => toUnit(plane, p));
      if (units.length > 2)
        give(
          'polygon',
          units.flatMap((u) => [u.x, u.y]),
        );
    } else if (!last || props.tool === 'polygon') setCross({ ...now, corners: [...now.corners, now.at] });
    else give(props.tool === 'ellipse' ? 'ellipse' : 'box', unitBox(plane, last, now.at));
  };

  /** True when the key was the crosshair's. */
  const onKey = (e: KeyboardEvent): boolean => {
    const painted = screen?.snapshot().painted;
    if (!cross || !painted) return false;
    const way = arrows[e.key];
    if (way) {
      const [dx, dy] = back(painted.camera.turn, ...way);
      const far = e.shiftKey ? 10 : 1;
      const { columns, rows } = painted.view.plane;
      const within = (v: number, n: number) => Math.min(n - 0.5, Math.max(0.5, v));
      setCross({
        ...cross,
        at: pixelPoint(within(cross.at.x + dx * far, columns), within(cross.at.y + dy * far, rows)),
      });
    } else if (e.key === 'Enter' && !e.ctrlKey) enter(cross);
    else if (e.key === 'Escape') setCross(undefined);
    else return false;
    return true;
  };

  return { cross, toggle, onKey };
}
