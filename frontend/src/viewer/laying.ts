// Where a picture lies in its pane, kept from frame to frame. No React.

import {
  type Camera,
  exifTurn,
  fitCamera,
  type Plane,
  panned,
  type ScreenPoint,
  type Size,
  type View,
  viewOf,
  zoomedAt,
} from '../lib/geometry';
import { aspectOf } from '../lib/geometryPatient';
import { type Followed, type FollowedCamera, followed, told } from './following';
import type { FullFrame } from './props';

// Zoom in CSS pixels per stored pixel.
const leastZoom = 0.02;
const mostZoom = 64;

const planeOf = (frame: FullFrame): Plane => ({ columns: frame.columns, rows: frame.rows });

// Frames of one shape share the camera.
function oneShape(a: FullFrame, b: FullFrame): boolean {
  const [p, q] = [aspectOf(a), aspectOf(b)];
  const lie = a.exif_orientation === b.exif_orientation && p.x === q.x && p.y === q.y;
  return a.rows === b.rows && a.columns === b.columns && lie;
}

/** Laying keeps the camera of a pane: whole pictures are fitted again when the pane changes, others stay where they were put. */
export class Laying {
  private camera: Camera | undefined;
  private frame: FullFrame | undefined;
  private fitted = true;

  /** As at first: the whole picture, upright. */
  reset(): void {
    this.camera = undefined;
    this.fitted = true;
  }

  /** How a frame lies in a pane of this size; one of another shape is fitted anew. */
  of(frame: FullFrame, size: Size): { camera: Camera; view: View } {
    const same = this.frame !== undefined && oneShape(this.frame, frame);
    if (!this.camera || !same || this.fitted) {
      const turn = this.camera && same ? this.camera.turn : exifTurn(frame.exif_orientation);
      this.camera = fitCamera(planeOf(frame), aspectOf(frame), turn, size);
      this.fitted = true;
      this.frame = frame;
    }
    return { camera: this.camera, view: viewOf(planeOf(frame), aspectOf(frame), this.camera, size) };
  }

  /** Turns the picture; with `refit` it is fitted again where it was fitted. */
  turn(frame: FullFrame, size: Size, change: (turn: Camera['turn']) => Camera['turn'], refit: boolean): void {
    if (!this.camera) return;
    this.camera = { ...this.camera, turn: change(this.camera.turn) };
    if (refit && this.fitted) this.camera = fitCamera(planeOf(frame), aspectOf(frame), this.camera.turn, size);
  }

  fit(frame: FullFrame, size: Size): void {
    this.fitted = true;
    this.turn(frame, size, (turn) => turn, true);
  }

  /** To so many CSS pixels a stored one, with what lies at a point of the screen staying there. */
  zoom(view: View, zoom: number, at: ScreenPoint): void {
    if (!this.camera) return;
    this.fitted = false;
    this.camera = zoomedAt(view, this.camera, Math.min(mostZoom, Math.max(leastZoom, zoom)), at);
  }

  pan(view: View, dx: number, dy: number): void {
    if (!this.camera) return;
    this.fitted = false;
    this.camera = panned(view, this.camera, dx, dy);
  }

  follow(frame: FullFrame, camera: Camera, size: Size, change: FollowedCamera, oneSpace: boolean): void {
    this.fitted = change.fitted;
    this.camera = followed(frame, camera, size, change, oneSpace);
  }

  /** Where it lies, for other panes to follow. */
  told(frame: FullFrame, camera: Camera, size: Size): Followed {
    return told(frame, camera, size, this.fitted);
  }
}
