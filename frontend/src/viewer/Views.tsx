import { type Ref, useImperativeHandle, useState } from 'react';
import type { Problem, Stack } from '../lib/nouns';
import { t } from '../lib/texts';
import { SlabBar, useAcross } from './Across';
import type { Drawings } from './drawings';
import { Frames } from './frames';
import type { LayerLook } from './layers';
import {
  activated,
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
  reimaged,
  scrolled,
  sizeOf,
  withAcross,
} from './panes';
import { drawing, type SeenPicture, standardBudget, type ViewerHandle, type ViewerProps } from './props';
import { Strip } from './Strip';
import { useLayers } from './useLayers';
import { cutsOf, pointedAt, useFollowing, usePanes, useSeenAll } from './usePanes';
import { Viewer } from './Viewer';
import css from './Views.module.css';
import { Volume } from './volume';

// Planes across are made as they are wanted: only the next few wait for the reader.
const planesAhead = 4;

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
  /** Opens or closes the list of what lies over the pictures. */
  layers(open?: boolean): void;
}

type Passed = Omit<
  ViewerProps,
  'stack' | 'frame' | 'onFrame' | 'onSeen' | 'onLook' | 'onTwice' | 'frames' | 'ahead' | 'layerLooks' | 'drawings'
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
  /** What does not lie over the pictures although it was to, and why. */
  layerProblems?: readonly Problem[];
  /** Bytes of samples of all panes together. */
  budget?: number;
  views?: Ref<ViewsHandle>;
}

/** The panes of a case with what links them, and a strip of its images below. Of one image there is one pane and no strip. */
export function Views(props: ViewsProps) {
  const { image } = props;
  const [frames] = useState(() => new Frames(props.budget ?? standardBudget));
  const across = useAcross(props, frames);
  const stacks: readonly Stack[] = [...props.stacks, ...across.stacks];
  const now = usePanes(props, stacks);
  const { state, change } = now;
  const layers = useLayers(props, now, (to) => change(scrolled(state, state.active, to, stacks)));
  useImperativeHandle(props.views, () => ({ ...handleOf(props, stacks, now, across), layers: layers.toggle }));

  const drop = (what: string, at: { x: number; y: number }) => {
    const over = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('[data-pane]');
    if (over) change(put(state, Number(over.dataset.pane), what, stacks));
  };
  const choose = (to: string) => {
    const has = onScreen(state).find((i) => state.panes[i]?.image === to);
    change(has === undefined ? put(state, state.active, to, stacks) : activated(state, has));
  };
  return (
    <div className={css.views}>
      <Grid
        {...props}
        frames={frames}
        layerLooks={layers.looks}
        drawings={layers.drawings}
        stacks={stacks}
        now={now}
        across={across}
      />
      {layers.list}
      {across.volume ? (
        <SlabBar
          volume={across.volume}
          slab={across.slab}
          onSlab={(slab) => {
            // Another slab is another image: what was shown is shown through it.
            const before = across.stacks;
            change(reimaged(state, before, across.reslab(slab)));
          }}
        />
      ) : null}
      {props.thumbURL && props.stacks.length > 1 ? (
        <Strip
          stacks={props.stacks}
          thumbURL={props.thumbURL}
          active={image}
          shown={onScreen(state).map((i) => state.panes[i]?.image ?? '')}
          onDrop={drop}
          onChoose={choose}
        />
      ) : null}
    </div>
  );
}

type Now = ReturnType<typeof usePanes>;
type Across = ReturnType<typeof useAcross>;

function handleOf(
  props: ViewsProps,
  stacks: readonly Stack[],
  { state, change }: Now,
  across: Across,
): Omit<ViewsHandle, 'layers'> {
  const { image, frame } = props;
  return {
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
  };
}

interface GridProps extends ViewsProps {
  frames: Frames;
  layerLooks: Readonly<Record<string, LayerLook>>;
  drawings: Drawings;
  now: Now;
  across: Across;
}

/** The panes beside each other. */
function Grid(props: GridProps) {
  const { now, across, stacks } = props;
  const { state, change } = now;
  const { handles, follow } = useFollowing(now);
  const see = useSeenAll(now, props.onSeen);
  const { rows, columns } = state.alone ? { rows: 1, columns: 1 } : sizeOf(state.layout);
  const several = rows * columns > 1;
  return (
    <div
      className={css.grid}
      style={{ gridTemplate: `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))` }}
      data-layout={state.layout}
      data-rows={rows}
      data-several={several ? '' : undefined}
      data-testid="panes"
    >
      {onScreen(state).map((pane, nth) => {
        const stack = now.stackAt(pane);
        const active = pane === state.active;
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
                {...ofKind(props, stack)}
                ref={(handle) => {
                  handles.current[pane] = handle;
                  if (active) hand(props.ref, handle);
                }}
                stack={stack}
                fetcher={across.fetcher}
                cuts={cutsOf(now, pane)}
                onPlace={(at, position) => across.of && change(pointedAt(now, pane, at, position, stacks))}
                frame={state.panes[pane]?.frame ?? 0}
                onFrame={(to) => change(scrolled(state, pane, to, stacks))}
                onState={(said) => now.tell(pane, said)}
                onSeen={(picture) => see(pane, picture)}
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
  );
}

// A plane across is no frame of a file: it is made here, and takes no evidence.
function ofKind(props: GridProps, stack: Stack): Pick<ViewerProps, 'frameURL' | 'ahead' | 'tool' | 'onRegion'> {
  const { tool, frameURL, onRegion } = props;
  if (props.now.isReal(stack.image)) return { frameURL, tool, onRegion };
  const harmless = drawing.includes(tool) ? 'window' : tool;
  return { frameURL: Volume.urlOf, ahead: planesAhead, tool: harmless, onRegion: undefined };
}

function hand(ref: ViewerProps['ref'], handle: ViewerHandle | null) {
  if (typeof ref === 'function') ref(handle);
  else if (ref) ref.current = handle;
}
