import type { ReactNode } from 'react';
import form from './form.module.css';

interface Props {
  label: string;
  value: string;
  testid: string;
  onValue: (value: string) => void;
  /** The options. */
  children: ReactNode;
}

/** Choose is a list with its label, out of which one is chosen. */
export const Choose = ({ label, value, testid, onValue, children }: Props) => (
  <label className={form.field}>
    {label}
    <select className={form.input} value={value} data-testid={testid} onChange={(e) => onValue(e.target.value)}>
      {children}
    </select>
  </label>
);
