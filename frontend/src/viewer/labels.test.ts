// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { screenPoint } from '../lib/geometry';
import { type Label, placeLabels } from './labels';

const size = { width: 800, height: 600 };
const box = (x: number, y: number, side: number) =>
  [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ].map(([a = 0, b = 0]) => screenPoint(a, b));
const model = (corners: Label['corners'], text = 'model · step 3'): Label => ({ text, owner: 'model', corners });
const mine = (corners: Label['corners'], text = '1'): Label => ({ text, owner: 'mine', corners });

// Measured apart from the program's own numbers: what Chromium draws of 12 px fixed-width type is at most this.
const wordsOf = (at: { x: number; y: number }, text: string) => ({
  left: at.x,
  right: at.x + 7.23 * text.length,
  top: at.y - 10,
  bottom: at.y + 2,
});
const rim = (corners: Label['corners']) => ({
  left: Math.min(...corners.map((c) => c.x)),
  right: Math.max(...corners.map((c) => c.x)),
  top: Math.min(...corners.map((c) => c.y)),
  bottom: Math.max(...corners.map((c) => c.y)),
});
type Rect = ReturnType<typeof rim>;
const meet = (a: Rect, b: Rect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe('the words beside regions', () => {
  it('stand above at the left for the model, below for the reader', () => {
    const [a, b] = placeLabels([model(box(100, 100, 40)), mine(box(300, 100, 40))], size);
    expect(a?.x).toBe(100);
    expect(a?.y).toBeLessThan(100);
    expect(b?.x).toBe(300);
    expect(b?.y).toBeGreaterThan(140);
  });

  const crowds: [string, Label[]][] = [
    ['two of the model on one place', [model(box(100, 100, 30)), model(box(100, 100, 30))]],
    ['two of the model side by side', [model(box(100, 100, 30)), model(box(140, 104, 30))]],
    ['one just below another', [mine(box(100, 100, 20)), mine(box(100, 125, 20), '2'), model(box(102, 150, 20))]],
    ['the reader’s on the model’s', [model(box(100, 100, 30)), mine(box(100, 100, 30))]],
    ['points close together', [mine([screenPoint(200, 200)]), mine([screenPoint(206, 203)], '2')]],
    ['at the top edge', [model(box(100, 2, 30)), model(box(140, 2, 30))]],
    ['at the right edge', [model(box(765, 300, 30)), mine(box(768, 320, 30), 'mine')]],
    ['at the bottom edge', [mine(box(300, 568, 30)), mine(box(310, 560, 30), '2')]],
  ];
  it.each(crowds)('cover neither a small region nor each other: %s', (_, labels) => {
    const words = placeLabels(labels, size).map((at, i) => wordsOf(at, labels[i]?.text ?? ''));
    for (const [i, w] of words.entries()) {
      expect(w.left >= 0 && w.right <= size.width && w.top >= 0 && w.bottom <= size.height).toBe(true);
      expect(labels.filter((l) => meet(w, rim(l.corners)))).toEqual([]);
      expect(words.slice(0, i).filter((other) => meet(w, other))).toEqual([]);
    }
  });

  it('may stand within a large region, and stand somewhere when there is no room at all', () => {
    const [inner] = placeLabels([model(box(300, 300, 20)), model(box(100, 100, 400), 'model · step 4')], size);
    expect(inner?.x).toBe(300);
    const tiny = placeLabels([model(box(0, 0, 10))], { width: 20, height: 20 });
    expect(tiny).toHaveLength(1);
  });
});
