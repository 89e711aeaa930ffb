// The viewer: pixels in, gestures out.
//
//   props        what goes in and comes out; which regions a frame shows, and which were seen
//   Views        the panes of a case, and the Strip of its images; usePanes keeps them; panes and following say what goes where: no React
//   Viewer       one pane; Marks, Regions, Measures, Drawn, Track, Lens and Cine are what stands on the picture
//   useDrawing   who has the keys while something is drawn; pictureActions what keys do to the picture
//   useGestures  the mouse; useCrosshair the keyboard's pen; useMeasuring what is measured with either
//   screen       which frame, through which window: no React; laying keeps where it lies, cineClock the pace of a clip
//   frames       the images that are open in any pane, each fetched and held once within one budget; frameStore is one of them, samples
//                decodes it
//   layers       drawings of files and heatmaps over the picture, which Layers draws, LayerKey names and LayerList offers; drawings fetches them
//   mpr          where planes across a volume lie, tilt and all; planes makes them in a worker; Volume answers for them as for frames
//   measures     lengths, angles and values, from the samples
//   labels       finds room for the words beside regions
//   windows      chooses the window; grey makes the greys; painter draws them
//   cornerstone  the one file that knows Cornerstone
//
// Every coordinate goes through lib/geometry.
export type { Drawing, Layer } from './layers';
export { type Measure, restoredMeasures } from './measures';
export { type Layout, type Links, layouts } from './panes';
export { pictureActions } from './pictureActions';
export {
  drawing,
  frameOf,
  measuring,
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
export { useDrawing } from './useDrawing';
export { Viewer } from './Viewer';
export { Views, type ViewsHandle } from './Views';
