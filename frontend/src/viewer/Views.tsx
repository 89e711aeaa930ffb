import { type Ref, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import type { PixelPoint } from '../lib/geometry';
import type { Stack } from '../lib/nouns';
import { planeInSpace, sameSpace, toPatient } from '../lib/space';
import { t } from '../lib/texts';
import { SlabBar, useAcross } from './Across';
import { Budget } from './budget';
import type { Followed } from './following';
import { LayerList } from './LayerList';
import type { LayerLook } from './layers';
import {
  activated,
  activePane,
  gone,
  type Layout,
  type Links,
  laidOut,
  linked,
  nextLayout,
  nextPane,
  onePane,
  onScreen,
  type Panes,
  pointed,
  put,
  scrolled,
  sizeOf,
  withAcross,
} from './panes';
import {
  drawing,
  type SeenPicture,
  standardBudget,
  type ViewerHandle,
  type ViewerProps,
  type ViewerState,
} from './props';
import { Strip } from './Strip';
import { Viewer } from './Viewer';
import css from './Views.module.css';
import { Volume } from './volume';

/** What keys and menus do to the panes. */
export interface ViewsHandle {
  panes(): Panes;
  layout(to?: Layout): void;
  /** Only the active pane, over the whole area, or all of them again. */
  alone(on?: boolean): void;
  next(by?: 1 | -1): void;
  link(what: keyof Links): void;
  put(image: string): void;
  /** Planes across the image of the active pane, or those there are taken away. */
  across(): void;
  /** Why there can be no planes across it, in words; '' where there can. */
  acrossTrouble(): string;
}

type Passed = Omit<
  ViewerProps,
  'stack' | 'frame' | 'onFrame' | 'onSeen' | 'onLook' | 'onTwice' | 'budget' | 'layerLooks'
>;

export interface ViewsProps extends Passed {
  /** The images of the case. */
  stacks: readonly Stack[];
  /** What the active pane shows: an image, and a position in its frames. */
  image: string;
  frame: number;
  onFrame: (frame: number, image: string) => void;
  /** A picture came on the screen, with all that are on it now in any pane. */
  onSeen?: (seen: SeenPicture, all: readonly SeenPicture[]) => void;
  thumbURL?: (image: string, n: number) => string;
  /** Bytes of samples of all panes together. */
  budget?: number;
  views?: Ref<ViewsHandle>;
}

/** The panes of a case with what links them, and a strip of its images below. Of one image there is one pane and no strip. */
export function Views(props: ViewsProps) {
  const { image, frame } = props;
  const [panes, setPanes] = useState(() => onePane(image, frame));
  const [told, setTold] = useState({ image, frame }); // what the screen around knows
  const [budget] = useState(() => new Budget(props.budget ?? standardBudget));
  const [looks, setLooks] = useState<Readonly<Record<string, LayerLook>>>({});
  const handles = useRef<(ViewerHandle | null)[]>([]);
  const states = useRef<(ViewerState | undefined)[]>([]);
  const seen = useRef(new Map<number, SeenPicture>());

  const across = useAcross(props, budget);
  const stacks: readonly Stack[] = [...props.stacks, ...across.stacks];
  const isReal = (x: string) => props.stacks.some((stack) => stack.image === x);

  let state = panes;
  // The screen around wants another frame, or another image.
  if (told.image !== image || told.frame !== frame) {
    state = gone(panes, image, frame, stacks);
    setTold({ image, frame });
  }
  // Evidence lies on frames that there are, never on a plane that was made from them.
  if (drawing.includes(props.tool) && !isReal(activePane(state).image)) {
    const real = state.panes.findIndex((p) => isReal(p.image));
    state = activated({ ...state, alone: state.alone && real < 0 }, Math.max(0, real));
  }
  if (state !== panes) setPanes(state);

  const change = (next: Panes) => {
    if (next === state) return;
    setPanes(next);
    const now = activePane(next);
    // A plane across is no frame that the screen around could speak of: it hears of the image that it spoke of last.
    const real = isReal(now.image) ? now : next.panes.find((p) => p.image === image);
    if (real && (real.image !== image || real.frame !== frame)) {
      setTold({ image: real.image, frame: real.frame });
      props.onFrame(real.frame, real.image);
    }
    if (next.active !== state.active) {
      const said = states.current[next.active];
      if (said) props.onState?.(said);
    }
  };

  const follow = useEffectEvent((pane: number, what: Followed) => {
    if (!(what.kind === 'window' ? state.links.window : state.links.zoom)) return;
    const from = stackAt(pane);
    for (const i of onScreen(state)) {
      const to = stackAt(i);
      if (i !== pane && from && to) handles.current[i]?.follow(what, from === to || sameSpace(from, to));
    }
  });
  const stackAt = (pane: number) => stacks.find((x) => x.image === state.panes[pane]?.image);

  const look = (pane: number, picture: SeenPicture) => {
    if (!isReal(picture.image)) return;
    const there = onScreen(state);
    seen.current.set(pane, picture);
    for (const i of seen.current.keys()) if (!there.includes(i)) seen.current.delete(i);
    props.onSeen?.(picture, [...seen.current.values()]);
  };

  useImperativeHandle(props.views, () => ({
    panes: () => state,
    layout: (to = nextLayout(state, props.stacks.length)) => change(laidOut(state, to, stacks)),
    alone: (on = !state.alone) => change({ ...state, alone: on && state.panes.length > 1 }),
    next: (by) => change(nextPane(state, by)),
    link: (what) => change(linked(state, what, stacks)),
    put: (to) => change(put(state, state.active, to, stacks)),
    across: () => {
      if (across.of) {
        across.close();
        change({ ...onePane(image, frame), links: state.links, left: state.left });
        return;
      }
      const made = across.open(image);
      if (made) change(withAcross(state, image, made, stacks));
    },
    acrossTrouble: () => across.trouble(image),
  }));

  // The planes of the other panes of one space, as they are now.
  const cutsOf = (pane: number) => {
    const here = stackAt(pane);
    return onScreen(state).flatMap((i) => {
      const other = i === pane ? undefined : stackAt(i);
      const shown = other?.frames[state.panes[i]?.frame ?? 0];
      return (here && other && shown && sameSpace(here, other) && planeInSpace(shown)) || [];
    });
  };
  const place = (pane: number, at: PixelPoint, position: number) => {
    const shown = across.of ? stackAt(pane)?.frames[position] : undefined;
    const plane = shown && planeInSpace(shown);
    if (plane) change(pointed(state, pane, toPatient(plane, at), stacks));
  };

  const drop = (what: string, at: { x: number; y: number }) => {
    const over = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('[data-pane]');
    if (over) change(put(state, Number(over.dataset.pane), what, stacks));
  };

  const { rows, columns } = state.alone ? { rows: 1, columns: 1 } : sizeOf(state.layout);
  const several = rows * columns > 1;
  const strip = props.thumbURL && props.stacks.length > 1;
  return (
    <div className={css.views}>
      <div
        className={css.grid}
        style={{ gridTemplate: `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))` }}
        data-layout={state.layout}
        data-rows={rows}
        data-several={several ? '' : undefined}
        data-testid="panes"
      >
        {onScreen(state).map((pane, nth) => {
          const stack = stackAt(pane);
          const active = pane === state.active;
          const real = stack !== undefined && isReal(stack.image);
          return (
            <div
              key={pane}
              className={css.pane}
              data-pane={pane}
              data-active={several && active ? '' : undefined}
              data-edge={nth % columns === 0 ? '' : undefined}
              onPointerDownCapture={() => change(activated(state, pane))}
              onFocusCapture={() => change(activated(state, pane))}
            >
              {stack ? (
                <Viewer
                  {...props}
                  ref={(handle) => {
                    handles.current[pane] = handle;
                    if (active) hand(props.ref, handle);
                  }}
                  budget={budget}
                  layerLooks={looks}
                  stack={stack}
                  fetcher={across.fetcher}
                  frameURL={real ? props.frameURL : Volume.urlOf}
                  tool={real || !drawing.includes(props.tool) ? props.tool : 'window'}
                  onRegion={real ? props.onRegion : undefined}
                  cuts={cutsOf(pane)}
                  onPlace={(at, position) => place(pane, at, position)}
                  frame={state.panes[pane]?.frame ?? 0}
                  onFrame={(to) => change(scrolled(state, pane, to, stacks))}
                  onState={(told) => {
                    states.current[pane] = told;
                    if (active) props.onState?.(told);
                  }}
                  onSeen={(picture) => look(pane, picture)}
                  onLook={(what) => follow(pane, what)}
                  onTwice={state.panes.length > 1 ? () => change({ ...state, alone: !state.alone }) : undefined}
                />
              ) : (
                <p className={css.empty}>{t.views.empty}</p>
              )}
            </div>
          );
        })}
      </div>
      {props.layers?.length ? (
        <LayerList
          layers={props.layers}
          looks={looks}
          off={props.showModelRegions === false}
          onLook={(id, to) => setLooks({ ...looks, [id]: to })}
        />
      ) : null}
      {across.of ? (
        <SlabBar
          slab={across.slab}
          onSlab={(slab) => {
            // Another slab is another image: what was shown is shown through it.
            const before = across.stacks;
            const made = across.reslab(slab);
            const panesNow = state.panes.map((p) => {
              const k = before.findIndex((x) => x.image === p.image);
              return k < 0 ? p : { ...p, image: made[k]?.image ?? p.image };
            });
            change({ ...state, panes: panesNow });
          }}
        />
      ) : null}
      {strip && props.thumbURL ? (
        <Strip
          stacks={props.stacks}
          thumbURL={props.thumbURL}
          active={image}
          shown={onScreen(state).map((i) => state.panes[i]?.image ?? '')}
          onDrop={drop}
          onChoose={(to) => {
            const has = onScreen(state).find((i) => state.panes[i]?.image === to);
            change(has === undefined ? put(state, state.active, to, stacks) : activated(state, has));
          }}
        />
      ) : null}
    </div>
  );
}

function hand(ref: ViewerProps['ref'], handle: ViewerHandle | null) {
  if (typeof ref === 'function') ref(handle);
  else if (ref) ref.current = handle;
}
