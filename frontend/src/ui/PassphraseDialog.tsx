import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { t } from '../lib/texts';
import { Button } from './basics';
import { Dialog } from './Dialog';
import css from './PassphraseDialog.module.css';

interface Props {
  opened: boolean;
  title: string;
  /** note says what the passphrase is for. */
  note: string;
  action: string;
  /** why says what was wrong with the one before. */
  why?: string;
  /** least is the fewest characters that do. */
  least?: number;
  busy?: boolean;
  /** going says how far it is. */
  going?: string;
  children?: ReactNode;
  onGive: (passphrase: string) => void;
  onClose: () => void;
}

/** PassphraseDialog asks for a passphrase. It is hidden unless somebody wants to see it, and forgotten once the dialog closes. */
export const PassphraseDialog = (p: Props) => {
  const [text, setText] = useState('');
  const [seen, setSeen] = useState(false);
  const id = useId();
  useEffect(() => {
    if (!p.opened) setText('');
  }, [p.opened]);
  const short = text.length < (p.least ?? 1);
  const give = (e: FormEvent) => {
    e.preventDefault();
    if (!short && !p.busy) p.onGive(text);
  };
  return (
    <Dialog opened={p.opened} onClose={p.onClose} title={p.title}>
      <form className={css.form} onSubmit={give} data-testid="passphrase-dialog">
        <p id={`${id}-note`} className={css.note}>
          {p.note}
        </p>
        {p.children}
        <label className={css.field}>
          <span>{t.packages.passphrase}</span>
          <input
            data-autofocus
            type={seen ? 'text' : 'password'}
            autoComplete="off"
            spellCheck={false}
            value={text}
            aria-describedby={`${id}-note`}
            aria-invalid={!!p.why}
            onChange={(e) => setText(e.target.value)}
            data-testid="passphrase"
          />
        </label>
        <label className={css.seen}>
          <input type="checkbox" checked={seen} onChange={(e) => setSeen(e.target.checked)} />
          {t.packages.show}
        </label>
        {p.why && (
          <p role="alert" className={css.why}>
            {p.why}
          </p>
        )}
        <span className={css.ends}>
          <span role="status" className={css.going}>
            {p.going}
          </span>
          <Button onClick={p.onClose}>{t.library.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            why={p.busy ? t.packages.working : short ? t.packages.least(p.least ?? 1) : ''}
            data-testid="passphrase-give"
          >
            {p.busy ? t.packages.working : p.action}
          </Button>
        </span>
      </form>
    </Dialog>
  );
};
