import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Region, Stack } from '../lib/nouns';
import { Cine } from './Cine';
import { Cuts, Drawn } from './Drawn';
import type { Followed } from './following';
import { LayerKey } from './LayerKey';
import { Layers } from './Layers';
import { Lens } from './Lens';
import { Marks } from './Marks';
import { Measures } from './Measures';
import {
  type FullFrame,
  shownOn,
  standardBudget,
  type ViewerHandle,
  type ViewerProps,
  type ViewerState,
} from './props';
import { inWords, Regions } from './Regions';
import { before, Screen, type Snapshot } from './screen';
import { Track } from './Track';
import { useCrosshair } from './useCrosshair';
import { useGestures } from './useGestures';
import { usePictureKeys } from './usePictureKeys';
import css from './Viewer.module.css';
import { fileWindows, presetsOf } from './windows';

/** The picture of one image of a case, with everything that stands on it. Pixels in, gestures out. */
export function Viewer(props: ViewerProps) {
  return <Picture key={`${props.caseId}/${props.stack.image}`} {...props} />;
}

function stateOf(screen: Screen | undefined, snap: Snapshot, modality: string, lens: boolean): ViewerState {
  const painted = snap.trouble ? undefined : snap.painted;
  const grey = painted && !painted.picture.color ? painted : undefined;
  return {
    painted: painted?.position,
    loading: snap.loading,
    trouble: snap.trouble,
    window: grey && { center: grey.shown.center, width: grey.shown.width, explanation: grey.shown.explanation },
    inverted: snap.inverted,
    zoom: painted?.view.zoom ?? 0,
    cine: snap.cine,
    rate: screen?.rate().rate ?? 0,
    rateOfFile: screen?.rate().ofFile ?? false,
    smooth: snap.smooth,
    lens,
    canWindow: grey !== undefined,
    presets: presetsOf(modality, grey?.frame),
    fileWindows: grey ? fileWindows(grey.frame) : [],
  };
}

/** The Screen of a component: made when its element is there, closed with it. */
function useScreen(props: ViewerProps) {
  const host = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<Screen>();
  const onFrame = useEffectEvent((at: number) => props.onFrame(at));
  const onSeen = useEffectEvent((seen: Parameters<NonNullable<ViewerProps['onSeen']>>[0]) => props.onSeen?.(seen));
  const onLook = useEffectEvent((change: Followed) => props.onLook?.(change));
  const urlOf = useEffectEvent((frame: FullFrame) => props.frameURL(props.stack.image, frame.index));
  const begin = useEffectEvent((element: HTMLDivElement) => {
    return new Screen(element, {
      stack: props.stack,
      urlOf: (frame) => urlOf(frame),
      frames: props.frames ?? standardBudget,
      ahead: props.ahead,
      fetcher: props.fetcher ?? ((url, init) => fetch(url, init)),
      onFrame: (at) => onFrame(at),
      onSeen: (seen) => onSeen(seen),
      onLook: (change) => onLook(change),
    });
  });

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const made = begin(element);
    setScreen(made);
    const observer = new ResizeObserver(() =>
      made.resize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.close();
    };
  }, []);

  const snap = useSyncExternalStore(screen?.subscribe ?? never, screen?.snapshot ?? beforehand);
  return { host, screen, snap };
}

const never = () => () => {};
const beforehand = () => before;

/** Regions with the one that was clicked marked as chosen, unless the screen around decides that. */
function useChosen(given: ViewerProps): ViewerProps {
  const [chosen, setChosen] = useState<string>();
  const regions = given.regions.map((r) => ({ ...r, selected: r.selected ?? r.region.id === chosen }));
  const onRegionSelect = (region: Region | undefined) => {
    setChosen(region?.id);
    given.onRegionSelect?.(region);
  };
  return { ...given, regions, onRegionSelect };
}

function Picture(given: ViewerProps) {
  const props = useChosen(given);
  const { stack, frame, regions, tool, caseId } = props;
  const area = useRef<HTMLDivElement>(null);
  const { host, screen, snap } = useScreen(props);
  const gestures = useGestures(screen, props, area);
  const crosshair = useCrosshair(screen, props, gestures.measures.give);
  const [lens, setLens] = useState(false);
  const { painted } = snap;

  useEffect(() => screen?.renew(stack), [screen, stack]);
  // Before the browser paints: a passive effect would cost a turn of the wheel one frame.
  useLayoutEffect(() => screen?.show(frame), [screen, frame]);

  const tell = useEffectEvent((now: Snapshot) => props.onState?.(stateOf(screen, now, stack.modality, lens)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the magnifier is told of too
  useEffect(() => tell(snap), [snap, lens]);

  useImperativeHandle(props.ref, () =>
    handleOf({ screen, stack, area: area.current, gestures, crosshair, lens: [lens, setLens] }),
  );

  const { nudged, letGo, onKeyDown } = usePictureKeys(painted, props, gestures, crosshair);
  const edited = gestures.edited ?? nudged;
  const drawable = regions
    .map((item, index) => ({ ...item, index }))
    .filter((r) => r.owner === 'mine' || props.showModelRegions !== false);
  const visible = drawable
    .filter((r) => painted !== undefined && shownOn(r.region, stack.image, painted.frame.index))
    .map((r) => (r.selected && edited?.id === r.region.id ? { ...r, region: edited } : r));
  const waiting = snap.loading ? css.late : '';
  const veiled = snap.trouble || !painted ? css.veiled : '';
  const where = `${stack.description || stack.modality || 'image'}, frame ${(painted?.position ?? frame) + 1} of ${stack.frames.length}`;

  return (
    <div
      ref={area}
      className={`${css.area} ${waiting} ${veiled}`}
      data-tool={tool}
      data-painted={painted?.position ?? ''}
      data-loading={snap.loading}
      role="application"
      aria-label={`Picture: ${where}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onKeyUp={letGo}
      onBlur={letGo}
      {...gestures.handlers}
    >
      <div ref={host} className={css.canvas} />
      {painted && props.layers && props.drawings && props.showModelRegions !== false ? (
        <Layers
          painted={painted}
          image={stack.image}
          layers={props.layers}
          looks={props.layerLooks ?? {}}
          drawings={props.drawings}
        />
      ) : null}
      {painted ? (
        <svg className={css.overlay} aria-hidden="true">
          {props.cuts ? <Cuts painted={painted} cuts={props.cuts} /> : null}
          <Regions items={visible} view={painted.view} size={snap.size} />
          <Measures
            painted={painted}
            size={snap.size}
            items={gestures.measures.all.filter((m) => m.image === stack.image && m.frame === painted.frame.index)}
            draft={gestures.measures.draft}
            chosen={gestures.measures.chosen}
          />
          <Drawn painted={painted} gestures={gestures} cross={crosshair.cross} tool={tool} />
        </svg>
      ) : null}
      <Marks
        caseId={caseId}
        stack={stack}
        snap={snap}
        pointer={gestures.pointer}
        notes={visible.map(inWords).filter(Boolean)}
      />
      {painted && props.layers && props.drawings && props.showModelRegions !== false ? (
        <LayerKey
          image={stack.image}
          frame={painted.frame.index}
          layers={props.layers}
          looks={props.layerLooks ?? {}}
          drawings={props.drawings}
        />
      ) : null}
      <Track stack={stack} frame={frame} regions={drawable} onFrame={props.onFrame} />
      {lens && painted ? <Lens screen={screen} snap={snap} at={gestures.pointer} /> : null}
      {snap.cine ? <Cine screen={screen} snap={snap} /> : null}
      <Notice snap={snap} />
    </div>
  );
}

function Notice({ snap }: { snap: Snapshot }) {
  if (snap.trouble) {
    return (
      <div className={`${css.notice} ${css.trouble}`} role="alert">
        Frame {snap.wanted + 1} cannot be shown: {snap.trouble}
      </div>
    );
  }
  if (!snap.loading) return null;
  return (
    <div className={css.notice} role="status">
      loading frame {snap.wanted + 1}
    </div>
  );
}

interface Parts {
  screen: Screen | undefined;
  stack: Stack;
  area: HTMLElement | null;
  gestures: ReturnType<typeof useGestures>;
  crosshair: ReturnType<typeof useCrosshair>;
  lens: [boolean, (on: boolean) => void];
}

function handleOf({ screen, stack, area, gestures, crosshair, lens: [lens, setLens] }: Parts): ViewerHandle {
  const snap = () => screen?.snapshot() ?? before;
  return {
    reset: () => screen?.reset(),
    invert: () => screen?.invert(),
    flip: () => screen?.flip(),
    flipDown: () => screen?.flipDown(),
    rotate: () => screen?.rotate(),
    preset: (n) => screen?.preset(n),
    nextFileWindow: () => screen?.nextFileWindow(),
    fileWindow: (index) => screen?.choose({ kind: 'file', index }),
    window: (center, width) => screen?.setWindow(center, width),
    nudge: (width, center) => {
      const start = snap().painted?.shown;
      if (start) screen?.dragWindow(start, width, center);
    },
    fit: () => screen?.fit(),
    oneToOne: () => screen?.oneToOne(),
    zoomBy: (factor) => screen?.zoomBy(factor),
    panBy: (dx, dy) => screen?.panBy(dx, dy),
    step: (by) => screen?.step(by),
    cine: (on = !snap().cine) => screen?.setCine(on),
    pace: (factor) => screen?.setPace(factor),
    smooth: (on = !snap().smooth) => screen?.setSmooth(on),
    lens: (on = !lens) => setLens(on),
    follow: (change, oneSpace) => screen?.follow(change, oneSpace),
    crosshair: (on) => {
      crosshair.toggle(on);
      area?.focus({ preventScroll: true });
    },
    clearMeasures: gestures.measures.clear,
    focus: () => area?.focus({ preventScroll: true }),
    state: () => stateOf(screen, snap(), stack.modality, lens),
  };
}
