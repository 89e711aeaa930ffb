import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Problem } from '../lib/nouns';
import { t } from '../lib/texts';
import { colourOf, framesOf, greys, heatScale, type Layer, type LayerLook, lookOf } from './layers';
import css from './Views.module.css';

interface LayerListProps {
  layers: readonly Layer[];
  looks: Readonly<Record<string, LayerLook>>;
  /** What is not shown, and why. */
  problems: readonly Problem[];
  /** The image and frame of the active pane. */
  image: string;
  frame: number;
  /** Hidden as a whole, by key. */
  off: boolean;
  onLooks: (looks: Readonly<Record<string, LayerLook>>) => void;
  /** To a frame, by its 0-based number in the image. */
  onFrame: (frame: number) => void;
  onClose: () => void;
}

/** What lies over the pictures of the case, by name and colour: each to be shown or hidden, and made stronger or fainter. */
export function LayerList(props: LayerListProps) {
  const { layers, looks, problems, image, off, onLooks, onClose } = props;
  const list = useRef<HTMLElement>(null);
  // The keys come here, and go back to where they were.
  useEffect(() => {
    const before = document.activeElement;
    const own = list.current;
    own?.querySelector<HTMLElement>('input, button')?.focus();
    return () => {
      const gone = document.activeElement === document.body || own?.contains(document.activeElement);
      if (gone && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const set = (some: readonly Layer[], part: Partial<LayerLook>) =>
    onLooks({ ...looks, ...Object.fromEntries(some.map((l) => [l.id, { ...lookOf(l, looks), ...part }])) });
  const here = layers.filter((l) => l.image === image);
  const elsewhere = layers.length - here.length;
  const all = here.length > 0 && here.every((l) => lookOf(l, looks).shown);
  // Keys in here are for what is in here; Escape leaves.
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.key === 'Tab') return;
    e.stopPropagation();
    if (e.key !== 'Escape') return;
    e.preventDefault();
    onClose();
  };
  return (
    <section ref={list} className={css.layers} aria-label={t.overlays.title} data-testid="layers" onKeyDown={onKeyDown}>
      <header>
        <b>{t.overlays.title}</b>
        {here.length > 1 ? (
          <button type="button" data-testid="layers-all" onClick={() => set(here, { shown: !all })}>
            {all ? t.overlays.none : t.overlays.all}
          </button>
        ) : null}
        <button type="button" aria-label={t.overlays.close} data-testid="layers-close" onClick={onClose}>
          ✕
        </button>
      </header>
      {off ? <p>{t.overlays.off}</p> : null}
      <ul>
        {layers.map((layer, n) =>
          layer.image === image ? (
            <Row
              key={layer.id}
              {...props}
              layer={layer}
              look={lookOf(layer, looks)}
              swatch={layer.heat ? heatScale() : layer.picture ? greys : `rgb(${colourOf(layer, n).join(' ')})`}
              onLook={(part) => set([layer], part)}
            />
          ) : null,
        )}
      </ul>
      {here.length === 0 ? <p>{t.overlays.noneHere}</p> : null}
      {elsewhere > 0 ? <p>{t.overlays.elsewhere(elsewhere)}</p> : null}
      {problems.length > 0 ? (
        <ul className={css.problems} aria-label={t.overlays.problems} data-testid="layer-problems">
          {problems.map((p) => (
            <li key={`${p.file} ${p.text}`}>
              ⚠ {p.file ? `${p.file}: ` : ''}
              {p.text}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface RowProps extends LayerListProps {
  layer: Layer;
  look: LayerLook;
  swatch: string;
  onLook: (part: Partial<LayerLook>) => void;
}

function Row({ layer, look, swatch, frame, onLook, onFrame }: RowProps) {
  const frames = framesOf(layer);
  const nearest = frames.reduce((best, n) => (Math.abs(n - frame) < Math.abs(best - frame) ? n : best), frames[0] ?? 0);
  const slide = (name: 'opacity' | 'threshold', label: string) => (
    <label>
      {label}
      <input
        type="range"
        min={0}
        max={100}
        value={Math.round(look[name] * 100)}
        aria-label={`${label}: ${layer.label}`}
        onChange={(e) => onLook({ [name]: Number(e.target.value) / 100 })}
      />
      <output>{Math.round(look[name] * 100)} %</output>
    </label>
  );
  return (
    <li data-testid={`layer-${layer.id}`}>
      <label className={css.layer}>
        <input type="checkbox" checked={look.shown} onChange={(e) => onLook({ shown: e.target.checked })} />
        <i style={{ background: swatch }} />
        <span dir="auto">{layer.label}</span>
        <small>{layer.kind}</small>
      </label>
      {layer.notes?.map((note) => (
        <small key={note} className={css.note}>
          {note}
        </small>
      ))}
      {frames.length > 0 && !layer.every && !layer.picture ? (
        <small className={css.note}>
          {t.overlays.onFrames(frames.length)}
          {frames.includes(frame) ? null : (
            <button type="button" data-testid={`layer-to-${layer.id}`} onClick={() => onFrame(nearest)}>
              {t.overlays.toFrame(nearest + 1)}
            </button>
          )}
        </small>
      ) : null}
      {look.shown ? slide('opacity', t.overlays.opacity) : null}
      {look.shown && layer.heat ? slide('threshold', t.overlays.threshold) : null}
    </li>
  );
}
