// The panes of a case as a screen keeps them: what they show, what they said last, and how one follows another.

import { useEffectEvent, useRef, useState } from 'react';
import type { PixelPoint } from '../lib/geometry';
import type { Stack } from '../lib/nouns';
import { type PlaneInSpace, planeInSpace, sameSpace, toPatient } from '../lib/space';
import type { Followed } from './following';
import { activated, activePane, gone, onePane, onScreen, type Panes, pointed } from './panes';
import { drawing, type SeenPicture, type ViewerHandle, type ViewerState } from './props';
import type { ViewsProps } from './Views';

/** Which panes there are; what the screen around wants and hears of them. `stacks` are the images and the planes that are open. */
export function usePanes(props: ViewsProps, stacks: readonly Stack[]) {
  const { image, frame } = props;
  const [panes, setPanes] = useState(() => onePane(image, frame));
  const [told, setTold] = useState({ image, frame }); // what the screen around knows
  const states = useRef<(ViewerState | undefined)[]>([]);
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
    const said = next.active === state.active ? undefined : states.current[next.active];
    if (said) props.onState?.(said);
  };

  /** A pane said how it is. */
  const tell = (pane: number, said: ViewerState) => {
    states.current[pane] = said;
    if (pane === state.active) props.onState?.(said);
  };

  const stackAt = (pane: number) => stacks.find((x) => x.image === state.panes[pane]?.image);
  return { state, change, tell, stackAt, isReal };
}

export type PanesNow = ReturnType<typeof usePanes>;

/** Window and zoom of one pane, taken over by the others as far as they are linked. */
export function useFollowing({ state, stackAt }: PanesNow) {
  const handles = useRef<(ViewerHandle | null)[]>([]);
  const follow = useEffectEvent((pane: number, what: Followed) => {
    if (!(what.kind === 'window' ? state.links.window : state.links.zoom)) return;
    const from = stackAt(pane);
    for (const i of onScreen(state)) {
      const to = stackAt(i);
      if (i !== pane && from && to) handles.current[i]?.follow(what, from === to || sameSpace(from, to));
    }
  });
  return { handles, follow };
}

/** Tells the screen around of every picture that came into a pane, with all that are on the screen then. Planes across are none. */
export function useSeenAll({ state, isReal }: PanesNow, onSeen: ViewsProps['onSeen']) {
  const seen = useRef(new Map<number, SeenPicture>());
  return (pane: number, picture: SeenPicture) => {
    if (!isReal(picture.image)) return;
    const there = onScreen(state);
    seen.current.set(pane, picture);
    for (const i of seen.current.keys()) if (!there.includes(i)) seen.current.delete(i);
    onSeen?.(picture, [...seen.current.values()]);
  };
}

/** The planes of the other panes of one space, as they are now. */
export function cutsOf({ state, stackAt }: PanesNow, pane: number): PlaneInSpace[] {
  const here = stackAt(pane);
  return onScreen(state).flatMap((i) => {
    const other = i === pane ? undefined : stackAt(i);
    const shown = other?.frames[state.panes[i]?.frame ?? 0];
    return (here && other && shown && sameSpace(here, other) && planeInSpace(shown)) || [];
  });
}

/** The panes after a pixel point of one of them was pointed at. */
export function pointedAt(
  now: PanesNow,
  pane: number,
  at: PixelPoint,
  position: number,
  stacks: readonly Stack[],
): Panes {
  const shown = now.stackAt(pane)?.frames[position];
  const plane = shown && planeInSpace(shown);
  return plane ? pointed(now.state, pane, toPatient(plane, at), stacks) : now.state;
}
