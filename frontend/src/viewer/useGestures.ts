import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type PixelPoint, pixelPoint, type ScreenPoint, screenPoint, toPixel, toUnit, unitBox } from '../lib/geometry';
import type { FileWindow, Region } from '../lib/nouns';
import type { Measure } from './measures';
import { drawing, measuring, type ViewerProps, type ViewerRegion } from './props';
import { movedBy, reshaped } from './Regions';
import type { Painted, Screen } from './screen';
import { gripUnder, useMeasuring } from './useMeasuring';

/** What is being drawn and not yet given out. */
export interface Draft {
  shape: 'box' | 'ellipse' | 'polygon';
  points: PixelPoint[];
}

type Drag =
  | { kind: 'window'; start: FileWindow; from: ScreenPoint }
  | { kind: 'pan' }
  | { kind: 'zoom'; from: ScreenPoint }
  | { kind: 'shape'; shape: 'box' | 'ellipse'; from: PixelPoint }
  | { kind: 'measure'; first: boolean }
  | { kind: 'grip'; measure: Measure; point: number | undefined; from: PixelPoint }
  | { kind: 'edit'; item: ViewerRegion; corner: number | undefined; from: PixelPoint }
  | { kind: 'press' };

interface Held {
  drag: Drag;
  last: ScreenPoint;
  travelled: number;
  pressed: ViewerRegion | undefined;
}

// A press that moves less than this many CSS pixels is a click.
const clickSlop = 4;
// Trackpads tell of pixels; so many of them are one notch of a wheel.
const notch = 50;

/** Where a mouse event lies in the area, whatever zoom the page has. */
function locate(area: HTMLElement, e: { clientX: number; clientY: number }): ScreenPoint {
  const r = area.getBoundingClientRect();
  const k = area.clientWidth / r.width || 1;
  return screenPoint((e.clientX - r.left) * k, (e.clientY - r.top) * k);
}

/** Mouse on the picture: window, pan, zoom, frames, and the tools that draw. */
export function useGestures(screen: Screen | undefined, props: ViewerProps, area: RefObject<HTMLElement | null>) {
  const [pointer, setPointer] = useState<ScreenPoint>();
  const [draft, setDraft] = useState<Draft>();
  const measures = useMeasuring(props);
  const [edited, setEdited] = useState<Region>();
  const held = useRef<Held>(undefined);
  const painted = () => screen?.snapshot().painted;

  const give = (now: Painted, shape: string, coords: number[]) =>
    props.onRegion?.({ id: '', image: props.stack.image, frame: now.frame.index, shape, coords });

  const closePolygon = () => {
    const now = painted();
    if (!now || draft?.shape !== 'polygon') return;
    setDraft(undefined);
    if (draft.points.length < 3) return;
    give(
      now,
      'polygon',
      draft.points.flatMap((p) => {
        const u = toUnit(now.view.plane, p);
        return [Math.min(1, Math.max(0, u.x)), Math.min(1, Math.max(0, u.y))];
      }),
    );
  };

  const begin = (e: PointerEvent, at: ScreenPoint, now: Painted): Drag => {
    if (e.button === 1) return { kind: 'pan' };
    if (e.button === 2) return { kind: 'zoom', from: at };
    const from = toPixel(now.view, at);
    const item = regionUnder(e.target, props.regions);
    const corner = (e.target as SVGElement).dataset?.corner;
    if (item?.selected && item.owner === 'mine' && props.onRegionChange) {
      return { kind: 'edit', item, corner: corner === undefined ? undefined : Number(corner), from };
    }
    const grip = gripUnder(e.target);
    const gripped = grip && measures.grip(grip.id);
    if (grip && gripped && !measures.begun) {
      measures.choose(gripped.id);
      return { kind: 'grip', measure: gripped, point: grip.point, from };
    }
    measures.choose(undefined);
    if (measuring.includes(props.tool)) {
      measures.press(from);
      return { kind: 'measure', first: !measures.begun };
    }
    switch (props.tool) {
      case 'window': {
        const { center, width, explanation } = now.shown;
        return screen?.canWindow()
          ? { kind: 'window', start: { center, width, explanation }, from: at }
          : { kind: 'press' };
      }
      case 'pan':
        return { kind: 'pan' };
      case 'zoom':
        return { kind: 'zoom', from: at };
      case 'box':
      case 'ellipse':
        return { kind: 'shape', shape: props.tool, from };
      default:
        return { kind: 'press' };
    }
  };

  const onPointerDown = (e: PointerEvent<HTMLElement>) => {
    const now = painted();
    area.current?.focus({ preventScroll: true });
    if (!now || !area.current || held.current) return;
    e.preventDefault();
    area.current.setPointerCapture(e.pointerId);
    const at = locate(area.current, e);
    const pressed = e.button === 0 ? regionUnder(e.target, props.regions) : undefined;
    held.current = { drag: begin(e, at, now), last: at, travelled: 0, pressed };
  };

  const onPointerMove = (e: PointerEvent<HTMLElement>) => {
    if (!area.current) return;
    const at = locate(area.current, e);
    setPointer(at);
    const now = painted();
    if (!now || !screen) return;
    const hold = held.current;
    if (!hold) {
      if (draft?.shape === 'polygon') setDraft({ ...draft });
      if (measures.begun) measures.over(toPixel(now.view, at));
      return;
    }
    hold.travelled += Math.abs(at.x - hold.last.x) + Math.abs(at.y - hold.last.y);
    follow(hold, at, now, screen, e);
    hold.last = at;
  };

  const follow = (hold: Held, at: ScreenPoint, now: Painted, on: Screen, e: PointerEvent) => {
    const { drag, last } = hold;
    const here = toPixel(now.view, at);
    switch (drag.kind) {
      case 'window': {
        const pace = e.shiftKey ? 0.2 : e.ctrlKey ? 5 : 1;
        if (hold.travelled > clickSlop / 2)
          on.dragWindow(drag.start, (at.x - drag.from.x) * pace, (at.y - drag.from.y) * pace);
        break;
      }
      case 'pan':
        on.panBy(at.x - last.x, at.y - last.y);
        break;
      case 'zoom':
        // A hand that only clicks for the menu shakes a little.
        if (hold.travelled >= clickSlop) on.zoomBy(Math.exp((last.y - at.y) * (e.shiftKey ? 0.002 : 0.01)), drag.from);
        break;
      case 'shape':
        setDraft({ shape: drag.shape, points: [drag.from, here] });
        break;
      case 'measure':
        measures.over(here);
        break;
      case 'grip':
        measures.move(drag.measure, drag.point, here.x - drag.from.x, here.y - drag.from.y);
        break;
      case 'edit':
        setEdited(editOf(drag, now, here));
        break;
      default:
    }
  };

  const onPointerUp = (e: PointerEvent<HTMLElement>) => {
    const hold = held.current;
    held.current = undefined;
    const now = painted();
    if (!hold || !now || !area.current) return;
    const at = locate(area.current, e);
    const here = toPixel(now.view, at);
    const click = hold.travelled < clickSlop;
    setEdited(undefined);
    if (hold.drag.kind === 'shape') setDraft(undefined);
    if (click && e.button === 2) {
      props.onMenu?.({ x: e.clientX, y: e.clientY });
      return;
    }
    if (click && hold.pressed) {
      props.onRegionSelect?.(hold.pressed.region);
      return;
    }
    finish(hold.drag, click, now, here);
  };

  const finish = (drag: Drag, click: boolean, now: Painted, here: PixelPoint) => {
    const { plane } = now.view;
    if (drag.kind === 'edit' && !click) {
      const region = editOf(drag, now, here);
      if (region) props.onRegionChange?.(region);
    } else if (drag.kind === 'shape' && !click) {
      give(now, drag.shape, unitBox(plane, drag.from, here));
    } else if (drag.kind === 'measure') {
      measures.release(here, now, click, drag.first);
    } else if (click && drag.kind === 'press' && props.tool === 'point') {
      const u = toUnit(plane, here);
      if (u.x >= 0 && u.x <= 1 && u.y >= 0 && u.y <= 1) give(now, 'point', [u.x, u.y]);
    } else if (click && drag.kind === 'press' && props.tool === 'polygon') {
      setDraft({ shape: 'polygon', points: [...(draft?.points ?? []), here] });
    } else if (click && !drawing.includes(props.tool)) {
      props.onRegionSelect?.(undefined);
      if (drag.kind === 'window' || drag.kind === 'press') props.onPlace?.(here, now.position);
    }
  };

  // A polygon that was begun goes with its tool.
  const { tool } = props;
  useEffect(() => {
    if (tool !== 'polygon') setDraft(undefined);
  }, [tool]);

  const notches = useRef(0);
  const onWheel = useEffectEvent((e: WheelEvent) => {
    e.preventDefault();
    if (!screen || !area.current) return;
    const { deltaMode, deltaY, deltaX } = e;
    const turned = deltaY || deltaX; // Shift makes some wheels turn sideways
    const delta = deltaMode === 0 ? turned / Math.max(Math.abs(turned), notch) : Math.sign(turned);
    if (e.ctrlKey) {
      screen.zoomBy(Math.exp(-delta * 0.15), locate(area.current, e));
      return;
    }
    if (Math.sign(delta) !== Math.sign(notches.current)) notches.current = 0;
    notches.current += delta * (e.shiftKey ? 5 : 1);
    const whole = Math.trunc(notches.current);
    if (whole === 0) return;
    notches.current -= whole;
    screen.step(whole);
  });

  // React's own wheel listener is passive and could not keep the page from zooming.
  useEffect(() => {
    const node = area.current;
    if (!node) return;
    const listen = (e: WheelEvent) => onWheel(e);
    node.addEventListener('wheel', listen, { passive: false });
    return () => node.removeEventListener('wheel', listen);
  }, [area]);

  return {
    pointer,
    draft,
    measures,
    edited,
    closePolygon,
    cancelDraft: () => setDraft(undefined),
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: () => {
        held.current = undefined;
        setDraft(undefined);
        setEdited(undefined);
        measures.cancel();
      },
      onPointerLeave: () => setPointer(undefined),
      onPointerOver: (e: PointerEvent) => props.onRegionHover?.(regionUnder(e.target, props.regions)?.region),
      onDoubleClick: () => {
        if (draft?.shape === 'polygon') closePolygon();
        else if (measuring.includes(props.tool) || drawing.includes(props.tool)) return;
        else if (props.onTwice) props.onTwice();
        else screen?.fit();
      },
      onContextMenu: (e: { preventDefault: () => void }) => e.preventDefault(),
      // The middle button would start the browser's own scrolling.
      onMouseDown: (e: { button: number; preventDefault: () => void }) => {
        if (e.button === 1) e.preventDefault();
      },
    },
  };
}

function regionUnder(target: EventTarget | null, regions: readonly ViewerRegion[]): ViewerRegion | undefined {
  const at = (target as SVGElement | null)?.dataset?.region;
  return at === undefined ? undefined : regions[Number(at)];
}

function editOf(drag: Drag & { kind: 'edit' }, now: Painted, here: PixelPoint): Region {
  const { plane } = now.view;
  const { region } = drag.item;
  if (drag.corner !== undefined) return reshaped(region, drag.corner, plane, toUnit(plane, here));
  const by = toUnit(plane, pixelPoint(here.x - drag.from.x, here.y - drag.from.y));
  return movedBy(region, plane, by.x, by.y);
}
