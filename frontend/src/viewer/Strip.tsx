import { type KeyboardEvent, useRef } from 'react';
import type { Stack } from '../lib/nouns';
import { t } from '../lib/texts';
import css from './Views.module.css';

interface StripProps {
  stacks: readonly Stack[];
  thumbURL: (image: string, n: number) => string;
  /** The image of the active pane, and those of all panes. */
  active: string;
  shown: readonly string[];
  onChoose: (image: string) => void;
}

/** The kind of what is dragged from the strip to a pane. */
export const dragged = 'application/x-plumbline-image';

/** One small picture for each image of the case: a click puts it into the active pane, a drag into any. */
export function Strip({ stacks, thumbURL, active, shown, onChoose }: StripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const onKeyDown = (e: KeyboardEvent) => {
    const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    const all = [...(strip.current?.querySelectorAll('button') ?? [])];
    const next = all[all.indexOf(e.target as HTMLButtonElement) + by];
    if (by === 0) return;
    e.preventDefault();
    e.stopPropagation();
    next?.focus();
  };
  return (
    <div
      ref={strip}
      className={css.strip}
      role="toolbar"
      aria-label={t.views.images}
      data-testid="strip"
      onKeyDown={onKeyDown}
    >
      {stacks.map((stack, i) => {
        const count = stack.frames.length;
        const middle = stack.frames[Math.floor((count - 1) / 2)];
        const name = stack.description || stack.modality || stack.image;
        return (
          <button
            key={stack.image}
            type="button"
            draggable
            tabIndex={stack.image === active ? 0 : -1}
            aria-pressed={stack.image === active}
            data-shown={shown.includes(stack.image) || undefined}
            data-testid={`stack-${stack.image}`}
            title={name}
            onClick={() => onChoose(stack.image)}
            onDragStart={(e) => {
              e.dataTransfer.setData(dragged, stack.image);
              e.dataTransfer.effectAllowed = 'copy';
            }}
          >
            {/* What cannot be drawn small leaves its place dark: its name and number stand below. */}
            <span className={css.small}>
              {middle && !middle.problem ? (
                <img
                  src={thumbURL(stack.image, middle.index)}
                  alt=""
                  loading="lazy"
                  decoding="async"
                  draggable={false}
                />
              ) : null}
            </span>
            <span className={css.name}>
              {i + 1} {name}
            </span>
            {count > 1 ? <span className={css.count}>{count}</span> : null}
          </button>
        );
      })}
    </div>
  );
}
