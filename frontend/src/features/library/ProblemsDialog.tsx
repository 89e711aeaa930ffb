import { useState } from 'react';
import { useCopy, useProblems } from '../../backend/queries';
import { t } from '../../lib/texts';
import { Button, cx } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';
import css from './library.module.css';
import { ProblemTable } from './ProblemTable';
import { problemsText, problemsWith } from './problems';

/** ProblemsDialog lists what is wrong in the files, with the place, and gives the list as text. */
export const ProblemsDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const found = useProblems(open);
  const copy = useCopy();
  const [text, setText] = useState('');
  const all = found.data ?? [];
  const shown = problemsWith(all, text);
  const said = copy.isError ? t.library.notCopied : copy.isSuccess ? t.library.copied(copy.data) : '';
  const close = () => {
    copy.reset();
    onClose();
  };
  return (
    <Dialog opened={open} onClose={close} title={t.library.problemsTitle} size="xl">
      <div className={cx(css.line2, css.filter)}>
        <input
          type="search"
          data-autofocus
          className={cx(css.input, css.grow)}
          value={text}
          aria-label={t.library.problemsFilter}
          placeholder={t.library.problemsFilter}
          onChange={(e) => {
            copy.reset();
            setText(e.target.value);
          }}
        />
        <span className={css.soft}>{all.length === 0 ? t.library.noProblems : t.library.problems(shown.length)}</span>
        <Button
          why={shown.length === 0 ? t.library.nothingToCopy : ''}
          onClick={() => copy.mutate({ text: problemsText(shown), count: shown.length })}
          data-testid="copy-problems"
        >
          {t.library.copy}
        </Button>
        <span role="status" className={css.soft} data-testid="copied">
          {said}
        </span>
      </div>
      <ProblemTable key={text} problems={shown} />
    </Dialog>
  );
};
