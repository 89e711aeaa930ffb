// What one pane changed, as another may follow it.

import {
  type Aspect,
  type Camera,
  clampToPlane,
  fitCamera,
  type PixelPoint,
  pixelPoint,
  type Size,
} from '../lib/geometry';
import { aspectOf, spacingOf } from '../lib/geometryPatient';
import { fromPatient, planeInSpace, toPatient, type Vec } from '../lib/space';
import type { FullFrame } from './props';
import type { Choice } from './windows';

/** A window that was chosen, with what its numbers mean. */
export interface FollowedWindow {
  kind: 'window';
  choice: Choice;
  modality: string;
  unit: string;
}

/** Where a picture was laid. */
export interface FollowedCamera {
  kind: 'camera';
  /** The whole picture, as large as it goes. */
  fitted: boolean;
  /** mm of the patient to a CSS pixel, where they are known; and how much larger than fitted. */
  mm: number | undefined;
  enlarged: number;
  /** The middle of the screen in the patient, where it is known, and in fractions of the image. */
  centre: Vec | undefined;
  part: readonly [number, number];
}

export type Followed = FollowedWindow | FollowedCamera;

const planeOf = (frame: FullFrame) => ({ columns: frame.columns, rows: frame.rows });

// mm of the shorter side of a pixel.
const shortSide = (frame: FullFrame): number | undefined => {
  const spacing = spacingOf(frame);
  return spacing && Math.min(spacing.x, spacing.y);
};

const fitZoom = (frame: FullFrame, aspect: Aspect, camera: Camera, size: Size) =>
  fitCamera(planeOf(frame), aspect, camera.turn, size).zoom;

/** The camera of a frame in a picture area of this size, as others may follow it. */
export function told(frame: FullFrame, camera: Camera, size: Size, fitted: boolean): FollowedCamera {
  const short = shortSide(frame);
  const plane = planeInSpace(frame);
  return {
    kind: 'camera',
    fitted,
    mm: short && short / camera.zoom,
    enlarged: camera.zoom / fitZoom(frame, aspectOf(frame), camera, size),
    centre: plane && toPatient(plane, camera.centre),
    part: [camera.centre.x / frame.columns, camera.centre.y / frame.rows],
  };
}

/**
 * The camera of another frame after it follows: to the same scale in mm where both know it, else as much larger than fitted; around the same
 * place in the patient where `oneSpace` says that places mean the same, else around the same part of the image.
 */
export function followed(
  frame: FullFrame,
  camera: Camera,
  size: Size,
  change: FollowedCamera,
  oneSpace: boolean,
): Camera {
  const short = shortSide(frame);
  const zoom = short && change.mm ? short / change.mm : change.enlarged * fitZoom(frame, aspectOf(frame), camera, size);
  const plane = oneSpace && change.centre ? planeInSpace(frame) : undefined;
  const to: PixelPoint =
    plane && change.centre
      ? fromPatient(plane, change.centre)
      : pixelPoint(change.part[0] * frame.columns, change.part[1] * frame.rows);
  return { ...camera, zoom, centre: clampToPlane(planeOf(frame), to) };
}

/** What the window of another pane is here: the reader's own numbers mean the same only in the same unit of the same modality. */
export function followedChoice(change: FollowedWindow, modality: string, unit: string): Choice | undefined {
  if (change.choice.kind === 'file') return change.choice;
  return change.modality === modality && change.unit === unit ? change.choice : undefined;
}
