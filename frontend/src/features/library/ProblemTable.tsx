import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useRef } from 'react';
import type { Problem } from '../../lib/nouns';
import { t } from '../../lib/texts';
import css from './library.module.css';

// A longer list is drawn only where it is in sight.
const most = 500;
const height = 28;

/** ProblemTable draws problems with their places. */
export const ProblemTable = ({ problems }: { problems: readonly Problem[] }) => {
  const scroll = useRef<HTMLDivElement>(null);
  const long = problems.length > most;
  const virtual = useVirtualizer({
    count: problems.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 20,
    enabled: long,
  });
  const inSight = virtual.getVirtualItems();
  const rows = long ? inSight.map((item) => item.index) : problems.map((_, i) => i);
  const above = long ? (inSight[0]?.start ?? 0) : 0;
  const below = long ? virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0) : 0;
  // The browser's own way to the end falls short of it: rows turn out lower than they were taken for on the way there.
  const toEnds = (e: KeyboardEvent) => {
    if (!long || (e.key !== 'Home' && e.key !== 'End')) return;
    e.preventDefault();
    virtual.scrollToIndex(e.key === 'Home' ? 0 : problems.length - 1);
  };
  return (
    <div
      ref={scroll}
      className={css.problems}
      tabIndex={0}
      onKeyDown={toEnds}
      role="region"
      aria-label={t.library.problemsTitle}
      data-testid="problem-list"
    >
      <table aria-rowcount={problems.length + 1}>
        <thead>
          <tr>
            <th>{t.library.file}</th>
            <th>{t.library.line}</th>
            <th>{t.library.field}</th>
            <th>{t.library.reason}</th>
          </tr>
        </thead>
        <tbody>
          <Gap height={above} />
          {rows.map((i) => {
            const p = problems[i];
            return (
              p && (
                <tr key={i} data-index={i} aria-rowindex={i + 2} ref={long ? virtual.measureElement : undefined}>
                  <td>{p.file}</td>
                  <td>{p.line || '–'}</td>
                  <td>{p.field || '–'}</td>
                  <td>{p.text}</td>
                </tr>
              )
            );
          })}
          <Gap height={below} />
        </tbody>
      </table>
    </div>
  );
};

const Gap = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr style={{ height }}>
      <td className={css.gap} colSpan={4} />
    </tr>
  ) : null;
