import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './Helped.module.css';

/** Helped explains a word while the pointer or the focus is on it; without help it is just the word. */
export const Helped = ({ help, children }: { help?: string; children: ReactNode }) =>
  help ? (
    <Tooltip
      label={help}
      multiline
      w={300}
      openDelay={150}
      transitionProps={{ duration: 0 }}
      events={{ hover: true, focus: true, touch: true }}
    >
      <button type="button" className={css.helped}>
        {children}
      </button>
    </Tooltip>
  ) : (
    children
  );

/** HelpedHead is the head of a column that explains itself. */
export const HelpedHead = ({ help, children }: { help?: string; children: ReactNode }) => (
  <th scope="col">
    <Helped help={help}>{children}</Helped>
  </th>
);
