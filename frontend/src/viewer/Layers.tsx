import { useLayoutEffect, useRef } from 'react';
import type { Region } from '../lib/nouns';
import {
  type Colour,
  colourOf,
  firstLook,
  heatRange,
  type Layer,
  type LayerHeat,
  type LayerLook,
  type LayerPlane,
  over,
  paintHeat,
  paintPlane,
} from './layers';
import { fitDisplay } from './painter';
import { shownOn } from './props';
import { outlineOf } from './Regions';
import type { Painted } from './screen';
import css from './Viewer.module.css';

interface LayersProps {
  painted: Painted;
  image: string;
  layers: readonly Layer[];
  looks: Readonly<Record<string, LayerLook>>;
}

// The sheets of drawings that were painted last, so that moving and zooming paint none anew.
class Sheets {
  private readonly kept = new Map<LayerPlane | LayerHeat, { by: string; sheet: HTMLCanvasElement }>();

  of(drawing: LayerPlane | LayerHeat, by: string, paint: (out: Uint32Array) => void): HTMLCanvasElement {
    const before = this.kept.get(drawing);
    if (before?.by === by) return before.sheet;
    const sheet = before?.sheet ?? document.createElement('canvas');
    sheet.width = drawing.columns;
    sheet.height = drawing.rows;
    const context = sheet.getContext('2d');
    const pixels = context?.createImageData(drawing.columns, drawing.rows);
    if (context && pixels) {
      paint(new Uint32Array(pixels.data.buffer));
      context.putImageData(pixels, 0, 0);
    }
    if (this.kept.size > 16) this.kept.clear();
    this.kept.set(drawing, { by, sheet });
    return sheet;
  }
}

/** Draws the layers over the picture. */
function draw(canvas: HTMLCanvasElement, sheets: Sheets, { painted, image, layers, looks }: LayersProps): void {
  const ratio = fitDisplay(canvas);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const { frame, view } = painted;
  const { a, b, c, d, e, f } = view.toScreen;
  const lay = (sheet: HTMLCanvasElement, smooth: boolean) => {
    context.setTransform(a * ratio, b * ratio, c * ratio, d * ratio, e * ratio, f * ratio);
    context.scale(frame.columns / sheet.width, frame.rows / sheet.height);
    context.imageSmoothingEnabled = smooth;
    context.drawImage(sheet, 0, 0);
  };
  for (const [n, layer] of layers.entries()) {
    const look = looks[layer.id] ?? firstLook;
    if (!look.shown || layer.image !== image) continue;
    const colour = colourOf(layer, n);
    context.globalAlpha = look.opacity;
    for (const plane of over(layer.planes, frame.index)) {
      lay(
        sheets.of(plane, `${colour}`, (out) => paintPlane(plane, colour, out)),
        false,
      );
    }
    const range = layer.heat && heatRange(layer.heat);
    for (const heat of over(layer.heat, frame.index)) {
      const by = `${range?.min} ${range?.max} ${look.threshold}`;
      if (range)
        lay(
          sheets.of(heat, by, (out) => paintHeat(heat, range, look.threshold, out)),
          true,
        );
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = Math.min(1, 0.4 + look.opacity); // a line is thin enough to be seen through
    for (const region of layer.regions ?? []) {
      if (shownOn(region, image, frame.index)) stroke(context, region, painted, colour);
    }
  }
}

function stroke(context: CanvasRenderingContext2D, region: Region, { view }: Painted, colour: Colour): void {
  const path = new Path2D(outlineOf(region, view));
  context.lineWidth = 3.5;
  context.strokeStyle = 'rgb(0 0 0 / 0.5)';
  context.stroke(path);
  context.lineWidth = 1.75;
  context.strokeStyle = `rgb(${colour.join(' ')})`;
  context.stroke(path);
}

/** Drawings of files and heatmaps, over the greys and under everything that somebody said. */
export function Layers(props: LayersProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const sheets = useRef<Sheets>(undefined);
  useLayoutEffect(() => {
    sheets.current ??= new Sheets();
    if (canvas.current) draw(canvas.current, sheets.current, props);
  });
  return <canvas ref={canvas} className={css.layers} data-mark="layers" />;
}
