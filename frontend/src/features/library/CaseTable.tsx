import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { CaseRow } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Bar, cx } from '../../ui/basics';
import css from './library.module.css';

const height = 30;

/** CaseTable lists the worklist; only the rows in sight are drawn. Up, Down, Home, End, PageUp, PageDown move; Enter opens. */
export const CaseTable = ({
  rows,
  current,
  onOpen,
}: {
  rows: CaseRow[];
  current: string;
  onOpen: (id: string) => void;
}) => {
  const scroll = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      rows.findIndex((r) => r.id === current),
    ),
  );
  const focus = Math.min(at, rows.length - 1);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 12,
  });
  const toFocus = useRef(focus);
  useEffect(() => {
    // The keys go to the table until somebody sends them elsewhere.
    if (document.activeElement === document.body) scroll.current?.focus({ preventScroll: true });
    if (toFocus.current >= 0) virtual.scrollToIndex(toFocus.current, { align: 'center' });
  }, [virtual]);

  const move = (e: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 300) / height) - 2);
    const to: Record<string, number> = {
      ArrowDown: focus + 1,
      ArrowUp: focus - 1,
      PageDown: focus + page,
      PageUp: focus - page,
      Home: 0,
      End: rows.length - 1,
    };
    const next = to[e.key];
    const row = rows[focus];
    if (e.key === 'Enter' && row) {
      if (!row.locked) onOpen(row.id);
    } else if (next !== undefined && !e.ctrlKey && !e.altKey) {
      const kept = Math.max(0, Math.min(rows.length - 1, next));
      setAt(kept);
      virtual.scrollToIndex(kept);
    } else return;
    e.preventDefault();
  };

  const active = rows[focus];
  return (
    <div className={css.table}>
      <div className={cx(css.row, css.head)} aria-hidden="true">
        {Object.values(t.library.columns).map((c) => (
          <span key={c}>{c}</span>
        ))}
      </div>
      <div
        ref={scroll}
        className={css.body}
        role="grid"
        aria-label={t.library.title}
        aria-rowcount={rows.length}
        aria-activedescendant={active && `row-${active.id}`}
        tabIndex={0}
        onKeyDown={move}
        data-testid="cases"
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <Line
                  key={row.id}
                  row={row}
                  index={item.index}
                  top={item.start}
                  active={item.index === focus}
                  onOpen={() => {
                    setAt(item.index);
                    if (!row.locked) onOpen(row.id);
                  }}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
};

interface LineProps {
  row: CaseRow;
  index: number;
  top: number;
  active: boolean;
  onOpen: () => void;
}

const Line = ({ row, index, top, active, onOpen }: LineProps) => {
  const state = row.locked
    ? t.library.locked
    : (t.library.states[row.state as keyof typeof t.library.states] ?? row.state);
  const cells = [
    <b key="id" className={css.id}>
      {row.id}
      {row.training && <em className={css.training}>{t.training.mark}</em>}
    </b>,
    row.patient || t.library.noPatient,
    row.modality,
    row.images,
    row.questions || '–',
    row.chains || '–',
    <span key="state" className={css.state} data-state={row.locked ? 'locked' : row.state}>
      {state}
    </span>,
    row.required > 0 ? (
      <span key="done" className={css.done}>
        <Bar done={row.done} total={row.required} label={t.library.columns.progress} />
        {row.done}/{row.required}
      </span>
    ) : (
      '–'
    ),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys
    <div
      role="row"
      tabIndex={-1}
      id={`row-${row.id}`}
      aria-rowindex={index + 1}
      aria-selected={active}
      className={cx(css.row, css.line, active && css.active, row.locked !== '' && css.lockedRow)}
      aria-disabled={row.locked ? true : undefined}
      title={row.locked}
      style={{ transform: `translateY(${top}px)` }}
      data-testid={`case-${row.id}`}
      onClick={onOpen}
    >
      {cells.map((cell, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order
        <span key={i} role="gridcell" tabIndex={-1}>
          {cell}
        </span>
      ))}
    </div>
  );
};
