// The small pieces of look that every screen shares. No data comes in here but what is drawn.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { keyLabel } from '../lib/keys';
import { blocksOf, type Span } from '../lib/plainText';
import css from './basics.module.css';

/** cx joins class names. */
export const cx = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ');

export const Kbd = ({ of }: { of: string }) => <kbd className={css.kbd}>{keyLabel(of)}</kbd>;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet';
  /** why it cannot be pressed now: said in the tooltip; the button stays reachable. */
  why?: string;
  keys?: string;
}

export const Button = ({ look = 'plain', why, keys, children, className, onClick, title, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    title={why || title}
    aria-disabled={why ? true : undefined}
    onClick={(e) => !why && onClick?.(e)}
    className={cx(css.button, look !== 'plain' && css[look], className)}
  >
    {children}
    {keys && <Kbd of={keys} />}
  </button>
);

interface ChipProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'plain' | 'model' | 'mine';
  lit?: boolean;
}

/** Chip names a region: the model's is dashed, the reader's solid. It is a button only when something happens on a click. */
export const Chip = ({ kind = 'plain', lit, className, children, ...rest }: ChipProps) => {
  const name = cx(css.chip, kind !== 'plain' && css[kind], lit && css.lit, className);
  return rest.onClick ? (
    <button type="button" {...rest} className={name}>
      {children}
    </button>
  ) : (
    <span className={name}>{children}</span>
  );
};

export const Pill = ({ kind = 'plain', children }: { kind?: 'plain' | 'mine'; children: ReactNode }) => (
  <span className={cx(css.chip, css.pill, kind === 'mine' && css.mine)}>{children}</span>
);

export const Bar = ({ done, total, label }: { done: number; total: number; label: string }) => (
  <span
    className={css.bar}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={total || 1}
    aria-valuenow={done}
  >
    <i style={{ width: `${total ? (100 * done) / total : 0}%` }} />
  </span>
);

export const Card = ({ children, className }: { children: ReactNode; className?: string }) => (
  <section className={cx(css.card, className)}>{children}</section>
);

/** Trouble says that something failed, and offers what can be done. */
export const Trouble = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <div className={css.trouble} role="alert">
    <span className={css.grow}>
      <strong>{title}</strong> {text}
    </span>
    {children}
  </div>
);

const Marked = ({ span }: { span: Span }) => {
  switch (span.mark) {
    case 'strong':
      return <strong>{span.text}</strong>;
    case 'em':
      return <em>{span.text}</em>;
    case 'code':
      return <code>{span.text}</code>;
    default:
      return span.text;
  }
};

/** ModelText shows what a model or a file wrote: text with a few marks, in its own direction, never HTML. */
export const ModelText = ({ text }: { text: string }) => {
  const blocks = blocksOf(text);
  return (
    <div className={css.text} dir="auto">
      {blocks.map((block, i) => {
        const spans = block.spans.map((span, j) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes its order
          <Marked key={j} span={span} />
        ));
        // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes its order
        return block.kind === 'point' ? <p key={i}>• {spans}</p> : <p key={i}>{spans}</p>;
      })}
    </div>
  );
};
