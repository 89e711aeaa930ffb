import { type KeyboardEvent, type PointerEvent, useState } from 'react';

const least = 380;
const most = 760;
const store = 'plumbline/right-width';
const scale = () => Number(getComputedStyle(document.documentElement).getPropertyValue('--scale')) || 1;
const within = (w: number) => Math.min(most, Math.max(least, Math.min(w, window.innerWidth - 480)));

/** useRightWidth is the width of the right column in CSS pixels, kept on this machine, with what a grip needs to change it. */
export const useRightWidth = () => {
  const [width, setWidth] = useState(() => within(Number(localStorage.getItem(store)) || 456));
  const keep = (w: number) => {
    const next = within(w);
    setWidth(next);
    localStorage.setItem(store, String(next));
  };
  return {
    width,
    least,
    most,
    onPointerDown: (e: PointerEvent<HTMLElement>) => e.currentTarget.setPointerCapture(e.pointerId),
    onPointerMove: (e: PointerEvent<HTMLElement>) => {
      if (!e.currentTarget.hasPointerCapture(e.pointerId)) return;
      const right = e.currentTarget.parentElement?.getBoundingClientRect().right ?? window.innerWidth;
      keep((right - e.clientX) / scale());
    },
    onKeyDown: (e: KeyboardEvent<HTMLElement>) => {
      if (e.key === 'ArrowLeft') keep(width + 16);
      else if (e.key === 'ArrowRight') keep(width - 16);
      else return;
      e.preventDefault();
      e.stopPropagation();
    },
  };
};

export type RightWidth = ReturnType<typeof useRightWidth>;
