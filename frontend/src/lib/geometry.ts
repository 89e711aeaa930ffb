// Points and the one way between their spaces.
//
// A point says in its type where it lies, and only the functions here carry it across:
//   UnitPoint    in the image as stored, in fractions: 0 and 1 are the outer pixel edges (what regions are written in);
//   PixelPoint   in the image as stored, in pixels: (0,0) is the outer corner of the first pixel, whose centre is (.5,.5);
//   ScreenPoint  in the picture area, in CSS pixels from its top left corner.

declare const space: unique symbol;
type In<S extends string> = { readonly x: number; readonly y: number; readonly [space]: S };

export type UnitPoint = In<'unit'>;
export type PixelPoint = In<'pixel'>;
export type ScreenPoint = In<'screen'>;

export const unitPoint = (x: number, y: number) => ({ x, y }) as UnitPoint;
export const pixelPoint = (x: number, y: number) => ({ x, y }) as PixelPoint;
export const screenPoint = (x: number, y: number) => ({ x, y }) as ScreenPoint;

/** The size of a stored image in pixels. */
export interface Plane {
  columns: number;
  rows: number;
}

export const toUnit = (plane: Plane, p: PixelPoint) => unitPoint(p.x / plane.columns, p.y / plane.rows);
export const fromUnit = (plane: Plane, u: UnitPoint) => pixelPoint(u.x * plane.columns, u.y * plane.rows);

/** The column and row of the pixel that holds p, or undefined outside the image. */
export function pixelAt(plane: Plane, p: PixelPoint): { column: number; row: number } | undefined {
  const column = Math.floor(p.x);
  const row = Math.floor(p.y);
  return column >= 0 && row >= 0 && column < plane.columns && row < plane.rows ? { column, row } : undefined;
}

/** The nearest point that lies on the image, edges included. */
export const clampToPlane = (plane: Plane, p: PixelPoint) =>
  pixelPoint(Math.min(plane.columns, Math.max(0, p.x)), Math.min(plane.rows, Math.max(0, p.y)));

/**
 * How the picture is turned: a 2×2 matrix of −1, 0 and 1 that takes directions of the stored image (x along a row, y down a
 * column) to directions of the screen. One of the eight ways to lay a picture down.
 */
export type Turn = readonly [a: number, b: number, c: number, d: number];

export const upright: Turn = [1, 0, 0, 1];
const mirror: Turn = [-1, 0, 0, 1];
const mirrorDown: Turn = [1, 0, 0, -1];
const quarter: Turn = [0, -1, 1, 0];

// x' = a x + b y, y' = c x + d y
const times = (m: Turn, n: Turn): Turn => [
  m[0] * n[0] + m[1] * n[2] || 0,
  m[0] * n[1] + m[1] * n[3] || 0,
  m[2] * n[0] + m[3] * n[2] || 0,
  m[2] * n[1] + m[3] * n[3] || 0,
];

/** Mirrors what is on the screen, left to right. */
export const flipped = (t: Turn): Turn => times(mirror, t);
/** Mirrors what is on the screen, top to bottom. */
export const flippedDown = (t: Turn): Turn => times(mirrorDown, t);
/** Turns what is on the screen by 90° clockwise. */
export const turned = (t: Turn): Turn => times(quarter, t);
/** The screen's direction in the stored image: the way back through t, which is its transpose. */
export const back = (t: Turn, x: number, y: number): [number, number] => [t[0] * x + t[2] * y, t[1] * x + t[3] * y];

/** The turn that an EXIF orientation (1–8; anything else is 1) asks for. */
export function exifTurn(orientation = 1): Turn {
  switch (orientation) {
    case 2:
      return mirror;
    case 3:
      return turned(turned(upright));
    case 4:
      return mirrorDown;
    case 5:
      return [0, 1, 1, 0];
    case 6:
      return quarter;
    case 7:
      return [0, -1, -1, 0];
    case 8:
      return turned(turned(quarter));
    default:
      return upright;
  }
}

/** The width and height of a pixel, the shorter being 1: what makes millimetres square on the screen. */
export interface Aspect {
  x: number;
  y: number;
}

/** Where the picture lies: the image point in the middle of the screen, CSS pixels per shorter pixel side, and the turn. */
export interface Camera {
  centre: PixelPoint;
  zoom: number;
  turn: Turn;
}

/** The size of the picture area in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

/** An affine map of the plane: x' = a x + c y + e, y' = b x + d y + f (the order of a canvas transform). */
export interface Affine {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** The way from stored pixels to the screen and back, made once per picture. */
export interface View {
  plane: Plane;
  toScreen: Affine;
  toPixels: Affine;
  /** CSS pixels per shorter pixel side. */
  zoom: number;
}

const map = (m: Affine, x: number, y: number) => ({ x: m.a * x + m.c * y + m.e, y: m.b * x + m.d * y + m.f });

/** Makes the view of an image of this size and pixel shape through a camera, in a picture area of this size. */
export function viewOf(plane: Plane, aspect: Aspect, camera: Camera, size: Size): View {
  const [ta, tb, tc, td] = camera.turn;
  const { zoom, centre } = camera;
  const a = zoom * ta * aspect.x;
  const b = zoom * tc * aspect.x;
  const c = zoom * tb * aspect.y;
  const d = zoom * td * aspect.y;
  const e = size.width / 2 - a * centre.x - c * centre.y;
  const f = size.height / 2 - b * centre.x - d * centre.y;
  const det = a * d - b * c;
  return {
    plane,
    zoom,
    toScreen: { a, b, c, d, e, f },
    toPixels: {
      a: d / det,
      b: -b / det,
      c: -c / det,
      d: a / det,
      e: (c * f - d * e) / det,
      f: (b * e - a * f) / det,
    },
  };
}

export function toScreen(view: View, p: PixelPoint): ScreenPoint {
  const { x, y } = map(view.toScreen, p.x, p.y);
  return screenPoint(x, y);
}

export function toPixel(view: View, p: ScreenPoint): PixelPoint {
  const { x, y } = map(view.toPixels, p.x, p.y);
  return pixelPoint(x, y);
}

/** The camera that shows the whole image, as large as it goes. */
export function fitCamera(plane: Plane, aspect: Aspect, turn: Turn, size: Size): Camera {
  const width = plane.columns * aspect.x;
  const height = plane.rows * aspect.y;
  const [w, h] = turn[0] === 0 ? [height, width] : [width, height];
  const zoom = Math.min(size.width / w, size.height / h);
  return { centre: pixelPoint(plane.columns / 2, plane.rows / 2), zoom: zoom > 0 ? zoom : 1, turn };
}

/** Moves the camera so that the picture follows a drag by these CSS pixels, never losing the image from the screen. */
export function panned(view: View, camera: Camera, dx: number, dy: number): Camera {
  const m = view.toPixels;
  const centre = pixelPoint(camera.centre.x - m.a * dx - m.c * dy, camera.centre.y - m.b * dx - m.d * dy);
  return { ...camera, centre: clampToPlane(view.plane, centre) };
}

/** Zooms to a scale with the image point under `at` staying where it is. */
export function zoomedAt(view: View, camera: Camera, zoom: number, at: ScreenPoint): Camera {
  const under = toPixel(view, at);
  const k = view.zoom / zoom;
  const { centre } = camera;
  const moved = pixelPoint(under.x + (centre.x - under.x) * k, under.y + (centre.y - under.y) * k);
  return { ...camera, zoom, centre: clampToPlane(view.plane, moved) };
}

/** The part of the image that is within the picture area: x0,y0,x1,y1 in fractions, [0,0,0,0] where none is. */
export function visibleBox(view: View, size: Size): [number, number, number, number] {
  const a = toUnit(view.plane, clampToPlane(view.plane, toPixel(view, screenPoint(0, 0))));
  const b = toUnit(view.plane, clampToPlane(view.plane, toPixel(view, screenPoint(size.width, size.height))));
  const edge = (v: number) => Math.round(v * 1e9) / 1e9; // 0 and 1 where the image ends
  const box: [number, number, number, number] = [
    edge(Math.min(a.x, b.x)),
    edge(Math.min(a.y, b.y)),
    edge(Math.max(a.x, b.x)),
    edge(Math.max(a.y, b.y)),
  ];
  return box[0] < box[2] && box[1] < box[3] ? box : [0, 0, 0, 0];
}

/**
 * The box around two corners as a region is written: x0,y0,x1,y1 in fractions. It covers every pixel that it touches, whole, so
 * that a box within pixel c goes from c/columns to (c+1)/columns, and it lies within the image.
 */
export function unitBox(plane: Plane, p: PixelPoint, q: PixelPoint): [number, number, number, number] {
  const [x0, x1] = span(p.x, q.x, plane.columns);
  const [y0, y1] = span(p.y, q.y, plane.rows);
  return [x0, y0, x1, y1];
}

function span(a: number, b: number, count: number): [number, number] {
  const first = Math.min(count - 1, Math.max(0, Math.floor(nearWhole(Math.min(a, b)))));
  const end = Math.min(count, Math.max(first + 1, Math.ceil(nearWhole(Math.max(a, b)))));
  return [first / count, end / count];
}

// A corner put on an edge lies on it, whatever the last bits of its way through the screen.
const nearWhole = (n: number) => (Math.abs(n - Math.round(n)) < 1e-6 ? Math.round(n) : n);
