// The viewer: pixels in, gestures out.
//
//   props        what goes in and comes out; which regions a frame shows, and which were seen
//   Viewer       the component; Marks, Regions, Drawn and Track are what stands on the picture
//   useGestures  the mouse; useCrosshair the keyboard's pen
//   screen       which frame, through which window, where it lies: no React
//   frameStore   fetches and keeps frames; samples decodes them
//   labels       finds room for the words beside regions
//   windows      chooses the window; grey makes the greys; painter draws them
//   cornerstone  the one file that knows Cornerstone
//
// Every coordinate goes through lib/geometry.
export {
  drawing,
  frameOf,
  type SeenPicture,
  showed,
  shownOn,
  standardBudget,
  type Tool,
  type ViewerHandle,
  type ViewerProps,
  type ViewerRegion,
  type ViewerState,
} from './props';
export { Viewer } from './Viewer';
