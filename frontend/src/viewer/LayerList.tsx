import { useState } from 'react';
import { t } from '../lib/texts';
import { colourOf, firstLook, type Layer, type LayerLook } from './layers';
import css from './Views.module.css';

interface LayerListProps {
  layers: readonly Layer[];
  looks: Readonly<Record<string, LayerLook>>;
  /** Hidden as a whole, by key. */
  off: boolean;
  onLook: (id: string, look: LayerLook) => void;
}

/** What lies over the picture, by name and colour: each to be shown or hidden, and made stronger or fainter. */
export function LayerList({ layers, looks, off, onLook }: LayerListProps) {
  const [open, setOpen] = useState(false);
  const lookOf = (layer: Layer) => looks[layer.id] ?? firstLook;
  const shown = off ? 0 : layers.filter((l) => lookOf(l).shown).length;
  return (
    <div className={css.layers}>
      {open ? (
        <ul>
          {layers.map((layer, n) => {
            const look = lookOf(layer);
            const slide = (name: 'opacity' | 'threshold', label: string) => (
              <label>
                {label}
                <input
                  type="range"
                  min={0}
                  max={100}
                  value={Math.round(look[name] * 100)}
                  aria-label={`${label}: ${layer.label}`}
                  onChange={(e) => onLook(layer.id, { ...look, [name]: Number(e.target.value) / 100 })}
                />
                <output>{Math.round(look[name] * 100)} %</output>
              </label>
            );
            return (
              <li key={layer.id} data-testid={`layer-${layer.id}`}>
                <label className={css.layer}>
                  <input
                    type="checkbox"
                    checked={look.shown}
                    onChange={(e) => onLook(layer.id, { ...look, shown: e.target.checked })}
                  />
                  <i
                    style={{
                      background: layer.heat
                        ? 'linear-gradient(90deg, #460014, #dc4614, #ffffe6)'
                        : `rgb(${colourOf(layer, n).join(' ')})`,
                    }}
                  />
                  {layer.label}
                </label>
                {slide('opacity', t.views.opacity)}
                {layer.heat ? slide('threshold', t.views.threshold) : null}
              </li>
            );
          })}
        </ul>
      ) : null}
      <button type="button" aria-expanded={open} data-testid="layers" onClick={() => setOpen(!open)}>
        {t.views.layers(shown, layers.length)}
      </button>
    </div>
  );
}
