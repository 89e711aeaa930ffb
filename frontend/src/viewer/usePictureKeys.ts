// What keys do to what is drawn on the picture, before anybody else hears of them.

import { type KeyboardEvent, useState } from 'react';
import { back } from '../lib/geometry';
import type { Region } from '../lib/nouns';
import type { ViewerProps } from './props';
import { grown, movedBy } from './Regions';
import type { Painted } from './screen';
import { arrows, type useCrosshair } from './useCrosshair';
import type { useGestures } from './useGestures';

/** The keys of a region that is chosen or drawn, and of measurements. `nudged` is the chosen region while a key moves it. */
export function usePictureKeys(
  painted: Painted | undefined,
  props: ViewerProps,
  gestures: ReturnType<typeof useGestures>,
  crosshair: ReturnType<typeof useCrosshair>,
) {
  const [nudged, setNudged] = useState<Region>();

  // Alt moves the chosen region by a pixel as seen on the screen, Alt and Shift its lower right corner; Ctrl makes it ten.
  const nudges = (e: KeyboardEvent, region: Region): boolean => {
    const way = arrows[e.key];
    if (!way || !e.altKey || !painted || !props.onRegionChange) return false;
    const far = e.ctrlKey ? 10 : 1;
    const [dx, dy] = back(painted.camera.turn, ...way);
    const { plane } = painted.view;
    const by = [(dx * far) / plane.columns, (dy * far) / plane.rows] as const;
    setNudged(e.shiftKey ? grown(region, plane, ...by) : movedBy(region, plane, ...by));
    return true;
  };
  // A key that is held down is one change, made when it is let go.
  const letGo = () => {
    if (!nudged) return;
    setNudged(undefined);
    props.onRegionChange?.(nudged);
  };

  const onKeyDown = (e: KeyboardEvent) => {
    const own = props.regions.find((r) => r.selected && r.owner === 'mine');
    const { chosen } = gestures.measures;
    const taken =
      (gestures.draft?.shape === 'polygon' && e.key === 'Enter' && act(gestures.closePolygon)) ||
      crosshair.onKey(e) ||
      (gestures.draft !== undefined && e.key === 'Escape' && act(gestures.cancelDraft)) ||
      (gestures.measures.begun && e.key === 'Escape' && act(gestures.measures.cancel)) ||
      (e.key === 'Delete' && chosen !== undefined && act(() => gestures.measures.remove(chosen))) ||
      (own !== undefined && nudges(e, nudged ?? own.region)) ||
      (own !== undefined && e.key === 'Delete' && act(() => props.onRegionDelete?.(own.region)));
    if (!taken) return;
    e.preventDefault();
    e.stopPropagation();
  };

  return { nudged, letGo, onKeyDown };
}

function act(run: () => void): true {
  run();
  return true;
}
