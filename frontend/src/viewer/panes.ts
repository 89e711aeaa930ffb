// Which image is in which pane: no React. A frame here is a position in stack.frames.

import type { Stack } from '../lib/nouns';
import { matching, nearest, sameSpace, type Vec } from '../lib/space';

/** Rows × columns of panes. */
export type Layout = '1x1' | '1x2' | '2x1' | '2x2';
export const layouts: readonly Layout[] = ['1x1', '1x2', '2x1', '2x2'];

export const sizeOf = (layout: Layout): { rows: number; columns: number } => ({
  rows: Number(layout[0]),
  columns: Number(layout[2]),
});
const countOf = (layout: Layout) => sizeOf(layout).rows * sizeOf(layout).columns;

/** What a pane shows; an image of '' is an empty pane. */
export interface Pane {
  image: string;
  frame: number;
}

/** What the panes do together. */
export interface Links {
  /** Frames: by position where the images lie in one space, else by the fraction of the way through. */
  scroll: boolean;
  /** The window, among images of one modality and unit. */
  window: boolean;
  zoom: boolean;
}

export interface Panes {
  layout: Layout;
  /** As many as the layout has, row by row. */
  panes: readonly Pane[];
  /** The pane that keys, buttons and the reading speak of. */
  active: number;
  /** Only the active one is on the screen, over the whole area. */
  alone: boolean;
  links: Links;
  /** Where each image was left. */
  left: Readonly<Record<string, number>>;
}

type Stacks = readonly Stack[];

const middle = (stack: Stack | undefined) => Math.max(0, Math.floor(((stack?.frames.length ?? 1) - 1) / 2));

/** One pane with a picture in it. */
export const onePane = (image: string, frame: number): Panes => ({
  layout: '1x1',
  panes: [{ image, frame }],
  active: 0,
  alone: false,
  links: { scroll: true, window: false, zoom: false },
  left: { [image]: frame },
});

export const activePane = (s: Panes): Pane => s.panes[s.active] ?? { image: '', frame: 0 };

/** The numbers of the panes that are on the screen. */
export const onScreen = (s: Panes): number[] => (s.alone ? [s.active] : s.panes.map((_, i) => i));

// The frame on which an image opens beside the active pane: the one that goes with it, or where it was left, or its middle.
function opening(s: Panes, image: string, stacks: Stacks): number {
  const stack = stacks.find((x) => x.image === image);
  const now = activePane(s);
  const beside = stacks.find((x) => x.image === now.image);
  const linked =
    s.links.scroll && stack && beside && now.image !== image ? matching(beside, now.frame, stack) : undefined;
  return linked ?? s.left[image] ?? middle(stack);
}

/** Another layout: what is shown stays, the active pane above all, and new panes take the images that are not on the screen yet. */
export function laidOut(s: Panes, layout: Layout, stacks: Stacks): Panes {
  const count = countOf(layout);
  const now = activePane(s);
  const active = Math.min(s.active, count - 1);
  const kept = s.panes.slice(0, count);
  if (active !== s.active) kept[active] = now;
  const free = stacks.filter((x) => !kept.some((p) => p.image === x.image)).map((x) => x.image);
  while (kept.length < count) {
    const image = free.shift() ?? '';
    kept.push({ image, frame: image ? opening(s, image, stacks) : 0 });
  }
  for (const [i, pane] of kept.entries()) {
    const image = pane.image === '' ? free.shift() : undefined;
    if (image) kept[i] = { image, frame: opening(s, image, stacks) };
  }
  return { ...s, layout, panes: kept, active, alone: false };
}

/** The layout after this one; of a case with two images none has room for four. */
export function nextLayout(s: Panes, images: number): Layout {
  const fitting = layouts.filter((l) => l === '1x1' || countOf(l) <= Math.max(2, images + 1));
  const at = fitting.indexOf(s.layout);
  return fitting[(at + 1) % fitting.length] as Layout;
}

/** A pane becomes the active one; an empty one cannot. */
export const activated = (s: Panes, pane: number): Panes =>
  s.panes[pane]?.image && pane !== s.active ? { ...s, active: pane } : s;

/** The next pane with a picture becomes the active one. */
export function nextPane(s: Panes, by: 1 | -1 = 1): Panes {
  const count = s.panes.length;
  for (let i = 1; i < count; i++) {
    const at = (((s.active + by * i) % count) + count) % count;
    if (s.panes[at]?.image) return activated(s, at);
  }
  return s;
}

/** An image is put into a pane, which becomes the active one. */
export function put(s: Panes, pane: number, image: string, stacks: Stacks): Panes {
  if (pane < 0 || pane >= s.panes.length || !stacks.some((x) => x.image === image)) return s;
  if (s.panes[pane]?.image === image) return activated(s, pane);
  const shown = { image, frame: opening(s, image, stacks) };
  return {
    ...s,
    panes: s.panes.map((p, i) => (i === pane ? shown : p)),
    active: pane,
    left: { ...s.left, [image]: shown.frame },
  };
}

/** A pane shows another frame of its image; those that are linked follow. */
export function scrolled(s: Panes, pane: number, frame: number, stacks: Stacks): Panes {
  const here = s.panes[pane];
  const from = stacks.find((x) => x.image === here?.image);
  if (!here || here.frame === frame) return s;
  const follow = (p: Pane): Pane => {
    const to = stacks.find((x) => x.image === p.image);
    const at = !s.links.scroll || !from || !to ? undefined : to === from ? frame : matching(from, frame, to);
    return at === undefined || at === p.frame ? p : { ...p, frame: at };
  };
  const panes = s.panes.map((p, i) => (i === pane ? { ...p, frame } : follow(p)));
  return { ...s, panes, left: { ...s.left, ...Object.fromEntries(panes.map((p) => [p.image, p.frame])) } };
}

/** The screen around wants a frame of an image: the active pane shows it, or the pane that has that image becomes the active one. */
export function gone(s: Panes, image: string, frame: number, stacks: Stacks): Panes {
  const now = activePane(s);
  if (now.image === image) return scrolled(s, s.active, frame, stacks);
  const has = s.panes.findIndex((p) => p.image === image);
  if (has >= 0) return scrolled({ ...s, active: has }, has, frame, stacks);
  const panes = s.panes.map((p, i) => (i === s.active ? { image, frame } : p));
  return { ...s, panes, left: { ...s.left, [image]: frame } };
}

/** A link is made or taken off; made anew, the frames follow the active pane at once. */
export function linked(s: Panes, link: keyof Links, stacks: Stacks): Panes {
  const links = { ...s.links, [link]: !s.links[link] };
  const now = activePane(s);
  if (link !== 'scroll' || !links.scroll) return { ...s, links };
  return scrolled(
    { ...s, links, panes: s.panes.map((p, i) => (i === s.active ? { ...p, frame: -1 } : p)) },
    s.active,
    now.frame,
    stacks,
  );
}

/** A place in the patient was pointed at in a pane: the others of one space with it turn to the frames that go through there. */
export function pointed(s: Panes, pane: number, place: Vec, stacks: Stacks): Panes {
  const here = stacks.find((x) => x.image === s.panes[pane]?.image);
  const panes = s.panes.map((p, i) => {
    const stack = stacks.find((x) => x.image === p.image);
    const frame = i !== pane && here && stack && sameSpace(here, stack) ? nearest(stack, place) : undefined;
    return frame === undefined ? p : { ...p, frame };
  });
  return { ...s, panes };
}

/** A stack, the planes across it, and nothing else, four in all; planes along its own frames go with the one that is shown. */
export function withAcross(s: Panes, image: string, across: readonly Stack[], stacks: Stacks): Panes {
  const frame = s.left[image] ?? 0;
  const stack = stacks.find((x) => x.image === image);
  const beside = across.map((x) => ({
    image: x.image,
    frame: s.left[x.image] ?? (stack && matching(stack, frame, x)) ?? middle(x),
  }));
  return { ...s, layout: '2x2', panes: [{ image, frame }, ...beside].slice(0, 4), active: 0, alone: false };
}

/** The images of one list in place of those of another, wherever they are shown. */
export function reimaged(s: Panes, before: readonly Stack[], after: readonly Stack[]): Panes {
  const panes = s.panes.map((p) => {
    const k = before.findIndex((x) => x.image === p.image);
    return k < 0 ? p : { ...p, image: after[k]?.image ?? p.image };
  });
  return { ...s, panes };
}
