// Whether a window can show what is in a region.
import type { Region } from '../lib/nouns';
import type { FullFrame } from './props';
import { modality, type Picture, paddingTest } from './samples';

// The most places along one side of a region whose values are looked at.
const most = 32;
// A point stands for the pixels this far around it.
const around = 2;

/**
 * A window fits a region when at least half of the values there lie within it, so that they are seen as different greys and not as black or
 * white alone. Of a shape the box around it is looked at; of a colour picture every window fits.
 */
export function fitting(
  frame: FullFrame,
  picture: Picture,
  window: { center: number; width: number } | undefined,
  region: Region,
): boolean {
  if (!window || picture.color) return true;
  const [left, right] = span(region.coords, 0, picture.columns);
  const [top, bottom] = span(region.coords, 1, picture.rows);
  const value = modality(frame);
  const isPadding = paddingTest(frame);
  const low = window.center - window.width / 2;
  const high = window.center + window.width / 2;
  let all = 0;
  let within = 0;
  for (let y = top; y <= bottom; y += Math.max(1, Math.floor((bottom - top + 1) / most))) {
    for (let x = left; x <= right; x += Math.max(1, Math.floor((right - left + 1) / most))) {
      const stored = picture.samples[y * picture.columns + x] as number;
      if (isPadding?.(stored)) continue;
      const v = value(stored);
      all++;
      if (v >= low && v <= high) within++;
    }
  }
  return all > 0 && within * 2 >= all;
}

/** The first and last pixel of a region along an axis: of one without coordinates, all. */
function span(coords: readonly number[], axis: 0 | 1, size: number): [number, number] {
  const along = coords.filter((_, i) => i % 2 === axis).map((c) => c * size);
  if (along.length === 0) return [0, size - 1];
  const more = along.length === 1 ? around : 0;
  const within = (v: number) => Math.min(size - 1, Math.max(0, v));
  return [
    within(Math.floor(Math.min(...along)) - more),
    within(more > 0 ? Math.floor(Math.max(...along)) + more : Math.ceil(Math.max(...along)) - 1),
  ];
}
