import type { ReactNode } from 'react';

/** Head is the head of a table: the names of its columns, and behind them cells of other sorts. */
export const Head = ({ columns, children }: { columns: readonly string[]; children?: ReactNode }) => (
  <thead>
    <tr>
      {columns.map((c) => (
        <th key={c} scope="col">
          {c}
        </th>
      ))}
      {children}
    </tr>
  </thead>
);
