// What the desk lets be laid over the pictures, as the viewer takes it.
import { useMemo } from 'react';
import { useOverlays } from '../../backend/overlaying';
import { useBackend } from '../../backend/queries';
import type { OverlayLayer } from '../../lib/nouns';
import { t } from '../../lib/texts';
import type { Layer } from '../../viewer';
import type { Reading } from './useReading';

/** layerOf makes a layer of the viewer; load gives its drawings. */
export const layerOf = (l: OverlayLayer, load: Layer['load']): Layer => {
  const [r, g, b] = l.colour;
  const heat = l.kind === 'heatmap';
  const notes = [
    l.note,
    heat ? t.overlays.coarse(l.columns, l.rows) : '',
    heat && l.every && l.frames.length > 1 ? t.overlays.everyFrame : '',
    l.borrowed ? t.overlays.borrowed : '',
  ].filter(Boolean);
  return {
    id: l.id,
    label: l.label,
    image: l.image,
    kind: t.overlays.kinds[l.kind] ?? l.kind,
    notes,
    ...(r !== undefined && g !== undefined && b !== undefined ? { colour: [r, g, b] as const } : {}),
    regions: l.regions,
    frames: l.frames,
    every: l.every,
    picture: l.kind === 'sent',
    ...(heat ? { heat: { low: l.low, high: l.high } } : {}),
    ...(l.frames.length > 0 ? { load } : {}),
  };
};

/** useLayers lists the layers of the open case: those of files, and in judge the heatmaps of the chain that is judged. ready: a picture is there. */
export const useLayers = ({ view, s }: Reading, ready: boolean) => {
  const backend = useBackend();
  const { data } = useOverlays(view.case.id, view.phase, ready);
  const chain = s.shown === 'judge' ? s.chain : '';
  const layers = useMemo(
    () =>
      (data?.layers ?? [])
        .filter((l) => l.chain === '' || l.chain === chain)
        .map((l) => layerOf(l, (n, signal) => backend.overlayFrame(view.case.id, l.id, n, signal))),
    [backend, data, chain, view.case.id],
  );
  return { layers, problems: data?.problems ?? [] };
};
