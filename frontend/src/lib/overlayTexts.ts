// Texts of what lies over the picture.
import { n } from './counted';

export const overlayTexts = {
  title: 'Overlays',
  all: 'show all',
  none: 'hide all',
  close: 'Close the list of overlays',
  shown: 'Overlays that are shown',
  off: 'All are hidden by the key of the model’s regions.',
  noneHere: 'Nothing lies over this image.',
  elsewhere: (count: number) => `${n(count, 'more', 'more')} over other images of the case.`,
  problems: 'Not shown, and why',
  opacity: 'opacity',
  threshold: 'from',
  onFrames: (count: number) => `on ${n(count, 'frame')} `,
  toFrame: (frame: number) => `to frame ${frame}`,
  loading: 'loading',
  notHere: 'not on this frame',
  failed: (why: string) => `cannot be shown: ${why}`,
  nothing: 'nothing lies over the images of this case',
  tool: 'V',
  kinds: {
    plane: 'in the image',
    segment: 'segment',
    contour: 'contour',
    region: 'report',
    heatmap: 'heatmap',
    sent: 'as sent',
  } as Record<string, string>,
  coarse: (columns: number, rows: number) => `${columns} × ${rows} values over the whole picture`,
  everyFrame: 'the same over every frame',
  borrowed: 'made on another series of the same space',
};
