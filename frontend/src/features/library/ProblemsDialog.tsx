import { useState } from 'react';
import { useProblems } from '../../backend/queries';
import { t } from '../../lib/texts';
import { cx } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';
import css from './library.module.css';

const most = 500;

/** ProblemsDialog lists what is wrong in the files, with the place. */
export const ProblemsDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const found = useProblems(open);
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const all = found.data ?? [];
  const shown = all.filter((p) => `${p.file} ${p.field ?? ''} ${p.text}`.toLowerCase().includes(wanted));
  return (
    <Dialog opened={open} onClose={onClose} title={t.library.problemsTitle} size="xl">
      <div className={cx(css.line2, css.filter)}>
        <input
          type="search"
          data-autofocus
          className={cx(css.input, css.grow)}
          value={text}
          aria-label={t.library.problemsFilter}
          placeholder={t.library.problemsFilter}
          onChange={(e) => setText(e.target.value)}
        />
        <span className={css.soft}>{all.length === 0 ? t.library.noProblems : t.library.problems(shown.length)}</span>
      </div>
      <div
        className={css.problems}
        tabIndex={0}
        role="region"
        aria-label={t.library.problemsTitle}
        data-testid="problem-list"
      >
        <table>
          <thead>
            <tr>
              <th>{t.library.file}</th>
              <th>{t.library.line}</th>
              <th>{t.library.field}</th>
              <th>{t.library.reason}</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, most).map((p) => (
              <tr key={`${p.file}:${p.line}:${p.field}:${p.text}`}>
                <td>{p.file}</td>
                <td>{p.line || '–'}</td>
                <td>{p.field || '–'}</td>
                <td>{p.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
};
