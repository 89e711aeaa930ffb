import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useAdoptUnanimous } from '../../backend/adjudicating';
import { troubleOf } from '../../backend/client';
import type { Disagreement, Disagreements } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, cx } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';
import css from './adjudication.module.css';

export type Line = { kind: string; open: number; waiting: number; decided: number } | Disagreement;

/** linesOf puts the items under the first of their kinds, each once; with only, those of that kind under it. */
export const linesOf = (list: Disagreements, only: string): Line[] =>
  list.counts.flatMap(({ kind }) => {
    const under = list.items.filter((i) =>
      only === '' ? i.kinds[0] === kind : only === kind && i.kinds.includes(kind),
    );
    const count = (...states: string[]) => under.filter((i) => states.includes(i.state)).length;
    const head = { kind, open: count('open', 'barred'), waiting: count('waiting'), decided: count('decided') };
    return under.length > 0 ? [head, ...under] : [];
  });

/** isItem tells an item from a heading. */
export const isItem = (line: Line | undefined): line is Disagreement => line !== undefined && 'id' in line;

interface Props {
  list: Disagreements;
  lines: Line[];
  /** only this kind is shown; '' is every kind. */
  only: string;
  id: string;
  onOnly: (kind: string) => void;
  onOpen: (id: string) => void;
}

/** List shows the disagreements by kind; only the lines in sight are drawn. Up and Down move. */
export const List = ({ list, lines, only, id, onOnly, onOpen }: Props) => {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (i) => (isItem(lines[i]) ? 46 : 30),
    overscan: 10,
  });
  const at = lines.findIndex((l) => isItem(l) && l.id === id);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [virtual, at]);
  const move = (e: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    for (let i = at + by; i >= 0 && i < lines.length; i += by) {
      const line = lines[i];
      if (isItem(line)) return onOpen(line.id);
    }
  };
  return (
    <section className={css.list} aria-label={t.adjudication.list}>
      <div className={css.counts}>
        <span data-testid="adjudication-counts">
          {t.adjudication.counts(list.open + list.barred, list.waiting, list.decided)}
        </span>
        <select
          className={css.only}
          aria-label={t.adjudication.kind}
          data-testid="only-kind"
          value={only}
          onChange={(e) => onOnly(e.target.value)}
        >
          <option value="">{t.adjudication.everyKind}</option>
          {list.counts
            .filter((c) => c.open + c.waiting + c.barred + c.decided > 0)
            .map((c) => (
              <option key={c.kind} value={c.kind}>
                {t.adjudication.kinds[c.kind] ?? c.kind} ({c.open + c.waiting + c.barred + c.decided})
              </option>
            ))}
        </select>
      </div>
      {lines.length === 0 && <p className={css.note}>{t.adjudication.none}</p>}
      <div
        ref={scroll}
        className={css.lines}
        role="listbox"
        aria-label={t.adjudication.list}
        aria-activedescendant={at >= 0 ? `item-${id}` : undefined}
        tabIndex={0}
        onKeyDown={move}
        data-testid="disagreements"
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            const style = { transform: `translateY(${start}px)` };
            if (!line) return null;
            return isItem(line) ? (
              <ItemLine key={line.id} item={line} now={line.id === id} style={style} onOpen={() => onOpen(line.id)} />
            ) : (
              <div
                key={line.kind}
                className={css.kind}
                style={style}
                role="presentation"
                data-testid={`kind-${line.kind}`}
              >
                <b>{t.adjudication.kinds[line.kind] ?? line.kind}</b>
                <span>{t.adjudication.counts(line.open, line.waiting, line.decided)}</span>
              </div>
            );
          })}
        </div>
      </div>
      {list.may && <Adopt list={list} />}
    </section>
  );
};

const marks: Record<string, string> = { open: '○', waiting: '…', barred: '–', decided: '✓' };

interface ItemLineProps {
  item: Disagreement;
  now: boolean;
  style: React.CSSProperties;
  onOpen: () => void;
}

const ItemLine = ({ item, now, style, onOpen }: ItemLineProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys
  <div
    id={`item-${item.id}`}
    role="option"
    tabIndex={-1}
    aria-selected={now}
    className={cx(css.line, now && css.now)}
    style={style}
    data-testid={`item-${item.id}`}
    data-state={item.state}
    onClick={onOpen}
  >
    <span className={css.mark} title={t.adjudication.states[item.state]}>
      {marks[item.state]}
      <span className="hidden">{t.adjudication.states[item.state]}</span>
    </span>
    <span className={css.lineText}>
      <span>
        <b>{item.case}</b> {t.adjudication.item(item.chain, item.step)}
      </span>
      <small>
        {[...item.kinds.slice(1).map((k) => t.adjudication.kinds[k] ?? k), item.text || item.stage]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </span>
  </div>
);

/** Adopt settles in one action what all agree on, once it is confirmed. */
const Adopt = ({ list }: { list: Disagreements }) => {
  const [asking, setAsking] = useState(false);
  const adopt = useAdoptUnanimous();
  return (
    <div className={css.adopt}>
      <Button
        data-testid="adopt-unanimous"
        why={list.unanimous === 0 ? t.adjudication.noUnanimous : ''}
        onClick={() => setAsking(true)}
      >
        {t.adjudication.adopt(list.unanimous)}
      </Button>
      {list.adopted > 0 && <span role="status">{t.adjudication.adopted(list.adopted)}</span>}
      {adopt.isError && <span role="alert">{troubleOf(adopt.error).text || t.fault.unknown}</span>}
      <Dialog opened={asking} onClose={() => setAsking(false)} title={t.adjudication.adoptTitle}>
        <div style={{ display: 'grid', gap: 12 }} data-testid="adopt-dialog">
          <p>{t.adjudication.adoptText(list.unanimous)}</p>
          <Button
            look="primary"
            data-testid="adopt-now"
            onClick={() => {
              setAsking(false);
              adopt.mutate();
            }}
          >
            {t.adjudication.adoptNow(list.unanimous)}
          </Button>
        </div>
      </Dialog>
    </div>
  );
};
