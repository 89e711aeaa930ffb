// Where the words beside regions stand: never on a small region, never on other words.

import { type ScreenPoint, type Size, screenPoint } from '../lib/geometry';

/** Words to place beside the corners of a region on the screen. */
export interface Label {
  text: string;
  owner: 'model' | 'mine';
  corners: readonly ScreenPoint[];
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// The words are set in 12 px of the fixed-width type: so wide is a letter, so far the line reaches above its foot and below.
const letter = 7.3;
const above = 11;
const below = 3;
const line = above + below + 1;
// From the outline to the words.
const gap = 5;
// Room around a lone point, which has no box of its own.
const pointRoom = 11;
// A region up to this size would vanish under words; a larger one can be seen beside them.
const small = 80;
// Further off, words no longer belong to their region.
const farthest = 6;

const meets = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function boxOf(corners: readonly ScreenPoint[]): Box {
  const xs = corners.map((c) => c.x);
  const ys = corners.map((c) => c.y);
  const room = corners.length === 1 ? pointRoom : 0;
  return {
    left: Math.min(...xs) - room,
    top: Math.min(...ys) - room,
    right: Math.max(...xs) + room,
    bottom: Math.max(...ys) + room,
  };
}

const wordsAt = (x: number, y: number, text: string): Box => ({
  left: x,
  top: y - above,
  right: x + letter * text.length,
  bottom: y + below,
});

// The places for one label, best first: above the model's region, below the reader's, at its left end; then its right end, the
// other side, and further off.
function* places({ text, owner, corners }: Label): Generator<ScreenPoint> {
  const box = boxOf(corners);
  const ends = [box.left, box.right - letter * text.length];
  for (let far = 0; far < farthest; far++) {
    const up = box.top - gap - below - far * line;
    const down = box.bottom + gap + above + far * line;
    for (const y of owner === 'model' ? [up, down] : [down, up]) for (const x of ends) yield screenPoint(x, y);
  }
}

/**
 * The foot of the first letter of every label, in their order. A label that finds no free place within the picture stands at its
 * first.
 */
export function placeLabels(labels: readonly Label[], size: Size): ScreenPoint[] {
  const picture = { left: 0, top: 0, right: size.width, bottom: size.height };
  const taken = labels
    .map((l) => boxOf(l.corners))
    .filter((b) => b.right - b.left <= small && b.bottom - b.top <= small);
  const inside = (b: Box) =>
    b.left >= picture.left && b.top >= picture.top && b.right <= picture.right && b.bottom <= picture.bottom;
  return labels.map((label) => {
    const tried = [...places(label)];
    const free = tried.find((p) => {
      const words = wordsAt(p.x, p.y, label.text);
      return inside(words) && !taken.some((b) => meets(words, b));
    });
    const at = free ?? (tried[0] as ScreenPoint);
    taken.push(wordsAt(at.x, at.y, label.text));
    return at;
  });
}
