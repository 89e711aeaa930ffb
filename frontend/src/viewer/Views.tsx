import { type Ref, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import type { Stack } from '../lib/nouns';
import { sameSpace } from '../lib/space';
import { t } from '../lib/texts';
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
  put,
  scrolled,
  sizeOf,
} from './panes';
import { type SeenPicture, standardBudget, type ViewerHandle, type ViewerProps, type ViewerState } from './props';
import { Strip } from './Strip';
import { Viewer } from './Viewer';
import css from './Views.module.css';

/** What keys and menus do to the panes. */
export interface ViewsHandle {
  panes(): Panes;
  layout(to?: Layout): void;
  /** Only the active pane, over the whole area, or all of them again. */
  alone(on?: boolean): void;
  next(by?: 1 | -1): void;
  link(what: keyof Links): void;
  put(image: string): void;
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
  const { stacks, image, frame } = props;
  const [panes, setPanes] = useState(() => onePane(image, frame));
  const [budget] = useState(() => new Budget(props.budget ?? standardBudget));
  const [looks, setLooks] = useState<Readonly<Record<string, LayerLook>>>({});
  const handles = useRef<(ViewerHandle | null)[]>([]);
  const states = useRef<(ViewerState | undefined)[]>([]);
  const seen = useRef(new Map<number, SeenPicture>());

  // The screen around wants another frame, or another image.
  const now = activePane(panes);
  let state = panes;
  if (now.image !== image || now.frame !== frame) {
    state = gone(panes, image, frame, stacks);
    setPanes(state);
  }

  const change = (next: Panes) => {
    if (next === state) return;
    setPanes(next);
    const { image: nowImage, frame: nowFrame } = activePane(next);
    if (nowImage !== image || nowFrame !== frame) props.onFrame(nowFrame, nowImage);
    if (next.active !== state.active) {
      const told = states.current[next.active];
      if (told) props.onState?.(told);
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
    const there = onScreen(state);
    seen.current.set(pane, picture);
    for (const i of seen.current.keys()) if (!there.includes(i)) seen.current.delete(i);
    props.onSeen?.(picture, [...seen.current.values()]);
  };

  useImperativeHandle(props.views, () => ({
    panes: () => state,
    layout: (to = nextLayout(state, stacks.length)) => change(laidOut(state, to, stacks)),
    alone: (on = !state.alone) => change({ ...state, alone: on && state.panes.length > 1 }),
    next: (by) => change(nextPane(state, by)),
    link: (what) => change(linked(state, what, stacks)),
    put: (to) => change(put(state, state.active, to, stacks)),
  }));

  const drop = (what: string, at: { x: number; y: number }) => {
    const over = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('[data-pane]');
    if (over) change(put(state, Number(over.dataset.pane), what, stacks));
  };

  const { rows, columns } = state.alone ? { rows: 1, columns: 1 } : sizeOf(state.layout);
  const several = rows * columns > 1;
  const strip = props.thumbURL && stacks.length > 1;
  return (
    <div className={css.views}>
      <div
        className={css.grid}
        style={{ gridTemplate: `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))` }}
        data-layout={state.layout}
        data-rows={rows}
        data-testid="panes"
      >
        {onScreen(state).map((pane, place) => {
          const stack = stackAt(pane);
          const active = pane === state.active;
          return (
            <div
              key={pane}
              className={css.pane}
              data-pane={pane}
              data-active={several && active ? '' : undefined}
              data-edge={place % columns === 0 ? '' : undefined}
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
      {strip && props.thumbURL ? (
        <Strip
          stacks={stacks}
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
