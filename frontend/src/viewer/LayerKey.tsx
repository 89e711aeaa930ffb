import { useSyncExternalStore } from 'react';
import { t } from '../lib/texts';
import type { Drawings } from './drawings';
import { colourOf, drawsOver, greys, heatScale, type Layer, type LayerLook, liesOver, lookOf } from './layers';
import css from './Viewer.module.css';

interface LayerKeyProps {
  layers: readonly Layer[];
  looks: Readonly<Record<string, LayerLook>>;
  drawings: Drawings;
  image: string;
  /** 0-based number of the frame in its image. */
  frame: number;
}

const short = (v: number) => String(Number(v.toPrecision(3)));

/** Says what lies over the picture: each layer that is shown, by its colour and name, and whether it is on this frame. */
export function LayerKey({ layers, looks, drawings, image, frame }: LayerKeyProps) {
  useSyncExternalStore(drawings.subscribe, drawings.version);
  const shown = layers
    .map((layer, n) => ({ layer, look: lookOf(layer, looks), colour: colourOf(layer, n) }))
    .filter(({ layer, look }) => layer.image === image && look.shown);
  if (shown.length === 0) return null;
  const state = (layer: Layer): string => {
    if (!liesOver(layer, frame)) return t.overlays.notHere;
    if (!drawsOver(layer, frame)) return '';
    const got = drawings.of(layer, frame);
    if (!got) return t.overlays.loading;
    return 'trouble' in got ? t.overlays.failed(got.trouble) : '';
  };
  return (
    <ul className={css.layerKey} data-mark="layer-key" aria-label={t.overlays.shown}>
      {shown.map(({ layer, look, colour }) => (
        <li key={layer.id} data-off={liesOver(layer, frame) ? undefined : ''}>
          {layer.heat ? (
            <>
              <span>{short(layer.heat.low)}</span>
              <i className={css.scale} style={{ background: heatScale(look.threshold) }} />
              <span>{short(layer.heat.high)}</span>
            </>
          ) : (
            <i style={{ background: layer.picture ? greys : `rgb(${colour.join(' ')})` }} />
          )}
          <b>{layer.label}</b>
          {state(layer) ? <span>{state(layer)}</span> : null}
        </li>
      ))}
    </ul>
  );
}
