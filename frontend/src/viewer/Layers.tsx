import { useEffect, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Region } from '../lib/nouns';
import type { Drawings } from './drawings';
import {
  type Colour,
  colourOf,
  type Drawing,
  drawsOver,
  type Layer,
  type LayerLook,
  lookOf,
  paintHeat,
  paintPicture,
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
  drawings: Drawings;
}

// The sheets of drawings that were painted last, so that moving and zooming paint none anew.
class Sheets {
  private readonly kept = new Map<Drawing, { by: string; sheet: HTMLCanvasElement }>();

  of(drawing: Drawing, by: string, paint: (out: Uint32Array) => void): HTMLCanvasElement {
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
function draw(canvas: HTMLCanvasElement, sheets: Sheets, { painted, image, layers, looks, drawings }: LayersProps) {
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
  const order = [...layers.entries()].sort(([, a], [, b]) => Number(b.picture ?? false) - Number(a.picture ?? false));
  for (const [n, layer] of order) {
    const look = lookOf(layer, looks);
    if (!look.shown || layer.image !== image) continue;
    const colour = colourOf(layer, n);
    context.globalAlpha = look.opacity;
    const got = drawsOver(layer, frame.index) ? drawings.of(layer, frame.index) : undefined;
    if (got && 'drawing' in got) {
      const { drawing } = got;
      const { heat } = layer;
      const sheet = heat
        ? sheets.of(drawing, `${heat.low} ${heat.high} ${look.threshold}`, (out) =>
            paintHeat(drawing, heat, look.threshold, out),
          )
        : sheets.of(drawing, `${colour}`, (out) =>
            layer.picture ? paintPicture(drawing, out) : paintPlane(drawing, colour, out),
          );
      lay(sheet, heat !== undefined || layer.picture === true);
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
  const { drawings, layers, looks, image, painted } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const sheets = useRef<Sheets>(undefined);
  const pane = useId();
  const shown = layers.filter((l) => l.image === image && lookOf(l, looks).shown);
  const asked = shown.map((l) => l.id).join('\n');
  useSyncExternalStore(drawings.subscribe, drawings.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: layers with the same ids draw the same
  useEffect(() => drawings.want(pane, shown, painted.frame.index), [drawings, pane, asked, painted.frame.index]);
  useEffect(() => () => drawings.want(pane, [], 0), [drawings, pane]);
  useLayoutEffect(() => {
    sheets.current ??= new Sheets();
    if (canvas.current) draw(canvas.current, sheets.current, props);
  });
  // An empty sheet would be put over the picture, at its full size, each time that anything on the screen changes.
  return shown.length > 0 ? <canvas ref={canvas} className={css.layers} data-mark="layers" /> : null;
}
