import { type KeyboardEvent, useRef } from 'react';
import css from './TabList.module.css';

interface TabListProps<Tab extends string> {
  label: string;
  /** The id of the panel that the tabs change. */
  panel: string;
  tabs: readonly Tab[];
  names: Readonly<Record<Tab, string>>;
  tab: Tab;
  onTab: (tab: Tab) => void;
}

/** TabList lets one of several parts of a screen be chosen; the arrows go round. */
export const TabList = <Tab extends string>({ label, panel, tabs, names, tab, onTab }: TabListProps<Tab>) => {
  const list = useRef<HTMLDivElement>(null);
  const move = (e: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (by === undefined) return;
    e.preventDefault();
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length] ?? tab;
    onTab(next);
    list.current?.querySelector<HTMLElement>(`[data-testid="tab-${next}"]`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={css.tabs} onKeyDown={move}>
      {tabs.map((at) => (
        <button
          key={at}
          id={`tab-${at}`}
          type="button"
          role="tab"
          aria-selected={tab === at}
          aria-controls={panel}
          tabIndex={tab === at ? 0 : -1}
          data-testid={`tab-${at}`}
          onClick={() => onTab(at)}
        >
          {names[at]}
        </button>
      ))}
    </div>
  );
};
