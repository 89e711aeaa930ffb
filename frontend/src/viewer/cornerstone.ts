// The one place that knows Cornerstone: a stack viewport on an element, fed by our image loader and drawn by our painter.
//
// The viewport runs without WebGL. Measured in the windows this program runs in, its software WebGL needs twice the time of a
// 2D canvas for a frame, and the canvas is scaled by the graphics card anyway where there is one. So the greys are computed
// once (grey.ts), are the same on every machine, and are drawn through Cornerstone's render hook of an image.

import {
  cache,
  Enums,
  imageLoader,
  metaData,
  RenderingEngine,
  setUseCPURendering,
  type Types,
  utilities,
} from '@cornerstonejs/core';
import type { FullFrame } from './props';
import type { Picture } from './samples';

const scheme = 'plumbline';

/** What a pane shows: where frames come from, and how one is drawn on the canvas. */
export interface PaneSource {
  count: number;
  modality: string;
  frame: (position: number) => FullFrame | undefined;
  load: (position: number) => Promise<Picture>;
  draw: (canvas: HTMLCanvasElement, position: number, picture: Picture) => void;
}

/** A Cornerstone viewport with a stack on it. */
export interface Pane {
  /** Shows a frame; resolves when Cornerstone has taken it, before it is drawn. */
  show: (position: number) => Promise<void>;
  /** Draws again at the next animation frame. */
  redraw: () => void;
  /** Follows the size of the element. */
  resize: () => void;
  forget: (position: number) => void;
  close: () => void;
}

// Cornerstone's loaders and metadata providers are global and find their pane by the name in the image id.
const panes = new Map<string, PaneSource>();

const idOf = (pane: string, position: number) => `${scheme}:${pane}/${position}`;

function parse(imageId: string): { source: PaneSource; position: number } | undefined {
  const [, pane = '', position = ''] = /^plumbline:(.*)\/(\d+)$/.exec(imageId) ?? [];
  const source = panes.get(pane);
  return source && { source, position: Number(position) };
}

function loadImage(imageId: string) {
  const at = parse(imageId);
  const promise = at
    ? at.source.load(at.position).then((picture) => imageOf(imageId, at.source, at.position, picture))
    : Promise.reject(new Error(`no viewer is open for ${imageId}`));
  return { promise };
}

function imageOf(imageId: string, source: PaneSource, position: number, picture: Picture): Types.IImage {
  const { rows, columns, samples, bytes } = picture;
  const perPixel = picture.color ? 3 : 1;
  const voxelManager = utilities.VoxelManager.createImageVoxelManager({
    width: columns,
    height: rows,
    numberOfComponents: perPixel,
    scalarData: samples as Types.PixelDataTypedArray,
  });
  return {
    imageId,
    rows,
    columns,
    width: columns,
    height: rows,
    color: picture.color,
    rgba: false,
    numberOfComponents: perPixel,
    minPixelValue: picture.min,
    maxPixelValue: picture.max,
    slope: 1,
    intercept: 0,
    windowCenter: 128,
    windowWidth: 256,
    voiLUTFunction: Enums.VOILUTFunctionType.LINEAR,
    getPixelData: () => samples as Types.PixelDataTypedArray,
    getCanvas: () => document.createElement('canvas'),
    columnPixelSpacing: 1,
    rowPixelSpacing: 1,
    invert: false,
    sizeInBytes: bytes,
    dataType: samples.constructor.name as Types.PixelDataTypedArrayString,
    voxelManager: voxelManager as Types.IImage['voxelManager'],
    render: (enabled) => {
      if (enabled.canvas) source.draw(enabled.canvas, position, picture);
    },
  };
}

function metadata(type: string, imageId: unknown): unknown {
  const at = parse(String(imageId));
  const frame = at?.source.frame(at.position);
  if (!at || !frame) return undefined;
  switch (type) {
    case Enums.MetadataModules.IMAGE_PIXEL:
      return {
        bitsAllocated: frame.bits_allocated,
        bitsStored: frame.bits_stored,
        highBit: frame.bits_stored - 1,
        samplesPerPixel: frame.samples,
        pixelRepresentation: frame.signed ? 1 : 0,
        photometricInterpretation: frame.samples === 3 ? 'RGB' : 'MONOCHROME2',
      };
    case Enums.MetadataModules.GENERAL_SERIES:
      return { modality: at.source.modality };
    case Enums.MetadataModules.IMAGE_PLANE:
      return {
        rows: frame.rows,
        columns: frame.columns,
        rowPixelSpacing: frame.spacing_mm?.[0],
        columnPixelSpacing: frame.spacing_mm?.[1],
        rowCosines: frame.orientation?.slice(0, 3),
        columnCosines: frame.orientation?.slice(3, 6),
        imageOrientationPatient: frame.orientation ?? undefined,
        imagePositionPatient: frame.position ?? undefined,
      };
    default:
      return undefined;
  }
}

/** Opens a pane on an element. */
export function openPane(element: HTMLDivElement, source: PaneSource): Pane {
  // Never used twice, so that no picture of an earlier pane can be found under a name of this one.
  const name = utilities.uuidv4();
  setUseCPURendering(true, false); // of this pane: those that are open would lose their pictures
  imageLoader.registerImageLoader(scheme, loadImage);
  metaData.removeProvider(metadata);
  metaData.addProvider(metadata, 1000);
  panes.set(name, source);
  const engine = new RenderingEngine(`${scheme}-${name}`);
  engine.enableElement({ viewportId: name, type: Enums.ViewportType.STACK, element });
  const viewport = engine.getViewport(name) as Types.IStackViewport;
  const ids = Array.from({ length: source.count }, (_, i) => idOf(name, i));
  let begun = false;
  return {
    show: async (position) => {
      if (begun) await viewport.setImageIdIndex(position);
      else {
        begun = true;
        await viewport.setStack(ids, position);
      }
    },
    redraw: () => viewport.render(),
    resize: () => engine.resize(true, true),
    forget: (position) => {
      const id = idOf(name, position);
      if (cache.getImageLoadObject(id)) cache.removeImageLoadObject(id, { force: true });
    },
    close: () => {
      for (const id of ids) if (cache.getImageLoadObject(id)) cache.removeImageLoadObject(id, { force: true });
      panes.delete(name);
      engine.destroy();
    },
  };
}
