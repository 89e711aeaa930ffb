import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
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
  /** An image was dragged to what lies here on the page (clientX, clientY). */
  onDrop: (image: string, at: { x: number; y: number }) => void;
}

// A press that moves less than this many CSS pixels is a click.
const slop = 6;

/** A drag from the strip. The system's own drag and drop is for files, and behaves differently in every window. */
function useDrag(onDrop: StripProps['onDrop']) {
  const [drag, setDrag] = useState<{ image: string; x: number; y: number }>();
  const from = useRef<{ image: string; x: number; y: number }>(undefined);
  const over = useRef(false); // the click that ends a drag chooses nothing
  return {
    drag,
    click: (run: () => void) => {
      if (!over.current) run();
      over.current = false;
    },
    handlers: (image: string) => ({
      onPointerDown: (e: PointerEvent) => {
        if (e.button !== 0) return;
        from.current = { image, x: e.clientX, y: e.clientY };
        over.current = false;
        e.currentTarget.setPointerCapture(e.pointerId);
      },
      onPointerMove: (e: PointerEvent) => {
        const start = from.current;
        if (!start || (!drag && Math.hypot(e.clientX - start.x, e.clientY - start.y) < slop)) return;
        over.current = true;
        setDrag({ image, x: e.clientX, y: e.clientY });
      },
      onPointerUp: (e: PointerEvent) => {
        if (drag) onDrop(drag.image, { x: e.clientX, y: e.clientY });
        from.current = undefined;
        setDrag(undefined);
      },
      onPointerCancel: () => {
        from.current = undefined;
        setDrag(undefined);
      },
    }),
  };
}

/** One small picture for each image of the case: a click puts it into the active pane, a drag into any. */
export function Strip({ stacks, thumbURL, active, shown, onChoose, onDrop }: StripProps) {
  const { drag, click, handlers } = useDrag(onDrop);
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
            tabIndex={stack.image === active ? 0 : -1}
            aria-pressed={stack.image === active}
            data-shown={shown.includes(stack.image) || undefined}
            data-testid={`stack-${stack.image}`}
            title={name}
            onClick={() => click(() => onChoose(stack.image))}
            {...handlers(stack.image)}
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
      {drag ? (
        <span className={css.dragged} style={{ left: drag.x + 10, top: drag.y + 10 }}>
          {stacks.find((x) => x.image === drag.image)?.description || drag.image}
        </span>
      ) : null}
    </div>
  );
}
