// Draws a frame on the canvas: greys in the size of the image, then scaled, turned and moved as the view says.

import type { ScreenPoint, View } from '../lib/geometry';
import { type Grading, type Kept, paint, sameGrading } from './grey';
import type { FullFrame } from './props';
import type { Picture } from './samples';

/** How a frame is to look. */
export interface Look {
  view: View;
  grading: Grading;
  inverted: boolean;
  /** Interpolate between pixels; otherwise each is a sharp square. */
  smooth: boolean;
}

/** Painter keeps the greys of the last frame, so that moving and zooming compute none. */
export class Painter {
  private readonly sheet = document.createElement('canvas');
  private readonly kept: Kept = {};
  private pixels: ImageData | undefined;
  private words = new Uint32Array();
  private last: { picture: Picture; grading: Grading; inverted: boolean } | undefined;

  draw(canvas: HTMLCanvasElement, frame: FullFrame, picture: Picture, look: Look): void {
    const ratio = fitDisplay(canvas);
    const context = this.begin(canvas, frame, picture, look);
    if (!context) return;
    const { a, b, c, d, e, f } = look.view.toScreen;
    context.setTransform(a * ratio, b * ratio, c * ratio, d * ratio, e * ratio, f * ratio);
    // Enlarged: straight lines between neighbours, which invent no value beyond them. Reduced: every pixel counts.
    context.imageSmoothingQuality = Math.hypot(a, b) * ratio < 1 || Math.hypot(c, d) * ratio < 1 ? 'high' : 'low';
    context.drawImage(this.sheet, 0, 0);
  }

  /** Draws the surroundings of a point of the screen in the middle of another canvas, so many times as large. */
  magnify(
    canvas: HTMLCanvasElement,
    frame: FullFrame,
    picture: Picture,
    look: Look,
    at: ScreenPoint,
    times: number,
  ): void {
    const ratio = fitDisplay(canvas);
    const context = this.begin(canvas, frame, picture, look);
    if (!context) return;
    const { a, b, c, d, e, f } = look.view.toScreen;
    const k = ratio * times;
    const x = canvas.width / 2 + (e - at.x) * k;
    const y = canvas.height / 2 + (f - at.y) * k;
    context.setTransform(a * k, b * k, c * k, d * k, x, y);
    context.imageSmoothingQuality = 'low';
    context.drawImage(this.sheet, 0, 0);
  }

  /** Develops the picture and clears a canvas for it; smoothness is as asked for. */
  private begin(canvas: HTMLCanvasElement, frame: FullFrame, picture: Picture, look: Look) {
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    this.develop(frame, picture, look);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = '#000';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = look.smooth;
    return context;
  }

  private develop(frame: FullFrame, picture: Picture, look: Look): void {
    const { last } = this;
    if (last?.picture === picture && last.inverted === look.inverted && sameGrading(last.grading, look.grading)) return;
    const context = this.sheet.getContext('2d');
    if (!context) return;
    if (!this.pixels || this.pixels.width !== picture.columns || this.pixels.height !== picture.rows) {
      this.sheet.width = picture.columns;
      this.sheet.height = picture.rows;
      this.pixels = context.createImageData(picture.columns, picture.rows);
      this.words = new Uint32Array(this.pixels.data.buffer);
    }
    paint(frame, picture, look.grading, look.inverted, this.words, this.kept);
    context.putImageData(this.pixels, 0, 0);
    this.last = { picture, grading: look.grading, inverted: look.inverted };
  }
}

/** Gives a canvas the pixels of the display, where Cornerstone gives it those of CSS; returns how many there are to one. */
export function fitDisplay(canvas: HTMLCanvasElement): number {
  const { clientWidth, clientHeight } = canvas;
  const onScreen = canvas.getBoundingClientRect().width;
  const ratio = ((window.devicePixelRatio || 1) * onScreen) / clientWidth || 1;
  const width = Math.max(1, Math.round(clientWidth * ratio));
  const height = Math.max(1, Math.round(clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  return ratio;
}
