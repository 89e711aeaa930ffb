// The viewer: pixels in, gestures out.
export {
  drawing,
  frameOf,
  type SeenPicture,
  showed,
  shownOn,
  type Tool,
  type ViewerHandle,
  type ViewerProps,
  type ViewerRegion,
  type ViewerState,
} from './props';
export { Viewer } from './Viewer';
