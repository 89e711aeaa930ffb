import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useModelAct } from '../../backend/experimenting';
import type { ModelRow } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';
import form from '../../ui/form.module.css';

const x = t.experiment;

interface Props {
  of: ModelRow;
  onClose: () => void;
}

/** KeyDialog puts the key of a server into the system's keyring; where there is none, an environment variable is the other way. */
export const KeyDialog = ({ of, onClose, onEnv }: Props & { onEnv: () => void }) => {
  const [secret, setSecret] = useState('');
  const keep = useModelAct<string>((b, key) => b.keepModelKey(of.name, key));
  return (
    <Dialog opened onClose={onClose} title={x.keyTitle(of.name)}>
      <form
        className={form.dialog}
        data-testid="key-dialog"
        onSubmit={(e) => {
          e.preventDefault();
          keep.mutate(secret, { onSuccess: onClose });
        }}
      >
        <p className={form.soft}>{x.keyNote}</p>
        <label className={form.field}>
          {x.keyLabel}
          <input
            className={form.input}
            type="password"
            autoComplete="off"
            data-autofocus
            value={secret}
            data-testid="key-secret"
            onChange={(e) => setSecret(e.target.value)}
          />
        </label>
        {keep.isError && <Trouble title={t.fault.title} text={troubleOf(keep.error).text || t.fault.unknown} />}
        <div className={form.bar}>
          {keep.isError && (
            <Button onClick={onEnv} data-testid="key-by-env">
              {x.keyByEnv}
            </Button>
          )}
          <span className={form.end}>
            <Button onClick={onClose}>{x.cancel}</Button>
            <Button type="submit" look="primary" disabled={keep.isPending} data-testid="key-keep">
              {x.keyKeep}
            </Button>
          </span>
        </div>
      </form>
    </Dialog>
  );
};

/** ConsentDialog names the host and what it is sent, and writes down who agrees. Nothing is ticked beforehand. */
export const ConsentDialog = ({ of, onClose }: Props) => {
  const [text, setText] = useState(false);
  const [images, setImages] = useState(false);
  const [by, setBy] = useState('');
  const allow = useModelAct<void>((b) => b.allowModel(of.name, hostName(of.host), by, images));
  return (
    <Dialog opened onClose={onClose} title={x.consentTitle(of.host)}>
      <form
        className={form.dialog}
        data-testid="consent-dialog"
        onSubmit={(e) => {
          e.preventDefault();
          if (text && by.trim() !== '') allow.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <p>{x.consentText(of.host, of.sends)}</p>
        <label className={form.check}>
          <input
            type="checkbox"
            data-autofocus
            checked={text}
            data-testid="consent-text"
            onChange={() => setText(!text)}
          />
          <span>{x.consentTextOnly}</span>
        </label>
        <label className={form.check}>
          <input type="checkbox" checked={images} data-testid="consent-images" onChange={() => setImages(!images)} />
          <span>{x.consentImages}</span>
        </label>
        <label className={form.field}>
          {x.consentBy}
          <input className={form.input} value={by} data-testid="consent-by" onChange={(e) => setBy(e.target.value)} />
        </label>
        {allow.isError && <Trouble title={t.fault.title} text={troubleOf(allow.error).text || t.fault.unknown} />}
        <div className={form.bar}>
          <span className={form.end}>
            <Button onClick={onClose}>{x.cancel}</Button>
            <Button
              type="submit"
              look="primary"
              why={!text ? x.consentWhy.text : by.trim() === '' ? x.consentWhy.by : ''}
              data-testid="consent-give"
            >
              {x.consentGive}
            </Button>
          </span>
        </div>
      </form>
    </Dialog>
  );
};

const hostName = (host: string) => host.replace(/:\d+$/, '');

/** RemoveDialog asks before a profile goes. */
export const RemoveDialog = ({ of, onClose, onRemoved }: Props & { onRemoved: (name: string) => void }) => {
  const remove = useModelAct<void>((b) => b.removeModel(of.name));
  return (
    <Dialog opened onClose={onClose} title={x.removeTitle(of.name)}>
      <div className={form.dialog} data-testid="remove-dialog">
        <p>{x.removeText}</p>
        {remove.isError && <Trouble title={t.fault.title} text={troubleOf(remove.error).text || t.fault.unknown} />}
        <div className={form.bar}>
          <span className={form.end}>
            <Button onClick={onClose}>{x.cancel}</Button>
            <Button
              look="primary"
              data-autofocus
              data-testid="remove-yes"
              onClick={() =>
                remove.mutate(undefined, {
                  onSuccess: () => {
                    onRemoved(of.name);
                    onClose();
                  },
                })
              }
            >
              {x.remove}
            </Button>
          </span>
        </div>
      </div>
    </Dialog>
  );
};
