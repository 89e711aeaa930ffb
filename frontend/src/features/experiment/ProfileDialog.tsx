import { type ReactNode, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useModelAct } from '../../backend/experimenting';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';
import form from '../../ui/form.module.css';
import css from './experiment.module.css';
import { keyOf, type Profile, profileOf, profileText } from './profile';

const x = t.experiment.profile;

interface Props {
  /** The profile that is edited; '': a new one. */
  title: string;
  text: string;
  onClose: () => void;
}

/** ProfileDialog edits a profile as a form or as the JSON of its file. */
export const ProfileDialog = ({ title, text, onClose }: Props) => {
  const [draft, setDraft] = useState(text);
  const [json, setJSON] = useState(false);
  const save = useModelAct<string>((b, profile) => b.saveModel(profile));
  const profile = profileOf(draft);
  const put = (next: string) => {
    setDraft(next);
    save.reset();
  };
  return (
    <Dialog opened onClose={onClose} title={title ? x.editTitle(title) : x.addTitle} size={640}>
      <form
        className={form.dialog}
        data-testid="profile-dialog"
        onSubmit={(e) => {
          e.preventDefault();
          save.mutate(draft, { onSuccess: onClose });
        }}
      >
        {json ? (
          <textarea
            className={form.code}
            aria-label={x.jsonLabel}
            spellCheck={false}
            value={draft}
            data-testid="profile-json"
            onChange={(e) => put(e.target.value)}
          />
        ) : profile ? (
          <Form profile={profile} fixed={title !== ''} onProfile={(p) => put(profileText(p))} />
        ) : (
          <p className={form.wrong}>{x.unreadable}</p>
        )}
        {save.isError && <Trouble title={t.fault.title} text={troubleOf(save.error).text || t.fault.unknown} />}
        <div className={form.bar}>
          <Button onClick={() => setJSON(!json)} data-testid="profile-view">
            {json ? x.form : x.json}
          </Button>
          <span className={form.end}>
            <Button onClick={onClose}>{t.experiment.cancel}</Button>
            <Button type="submit" look="primary" disabled={save.isPending} data-testid="save-profile">
              {save.isPending ? x.saving : x.save}
            </Button>
          </span>
        </div>
      </form>
    </Dialog>
  );
};

interface FormProps {
  profile: Profile;
  fixed: boolean;
  onProfile: (profile: Profile) => void;
}

const Form = ({ profile, fixed, onProfile }: FormProps) => {
  const change = (part: Partial<Profile>) => onProfile({ ...profile, ...part });
  const key = keyOf(profileText({ ...profile, key: profile.key }));
  const [keyFrom, setKeyFrom] = useState(key);
  const number = (label: string, value: number | undefined, set: (v: number) => void, note?: string) => (
    <Field label={label} note={note}>
      <input
        className={form.input}
        type="number"
        min={0}
        step="any"
        value={value ?? 0}
        onChange={(e) => Number.isFinite(Number(e.target.value)) && set(Number(e.target.value))}
      />
    </Field>
  );
  return (
    <div className={css.profileForm}>
      <Field label={x.name} note={x.nameNote}>
        <input
          className={form.input}
          value={profile.name}
          readOnly={fixed}
          data-autofocus={fixed ? undefined : true}
          data-testid="profile-name"
          onChange={(e) => change({ name: e.target.value })}
        />
      </Field>
      <Field label={x.model} note={x.modelNote}>
        <input
          className={form.input}
          value={profile.model}
          data-testid="profile-model"
          onChange={(e) => change({ model: e.target.value })}
        />
      </Field>
      <Field label={x.url} note={x.urlNote} wide>
        <input
          className={form.input}
          value={profile.base_url}
          placeholder={x.urlPlaceholder}
          inputMode="url"
          data-testid="profile-url"
          onChange={(e) => change({ base_url: e.target.value })}
        />
      </Field>
      <Field label={x.keyFrom}>
        <Select
          value={keyFrom}
          choices={x.keys}
          testid="profile-key-from"
          onValue={(v) => {
            const from = v as typeof keyFrom;
            setKeyFrom(from);
            change({ key: from === 'keyring' ? { keyring: profile.name } : {} });
          }}
        />
      </Field>
      {keyFrom === 'env' ? (
        <Field label={x.keyName}>
          <input
            className={form.input}
            value={profile.key.env ?? ''}
            placeholder="OPENAI_API_KEY"
            data-testid="profile-key-env"
            onChange={(e) => change({ key: { env: e.target.value } })}
          />
        </Field>
      ) : (
        number(x.temperature, profile.temperature, (temperature) => change({ temperature }))
      )}
      <Field label={x.boxes}>
        <Select
          value={profile.boxes.space ?? ''}
          choices={x.spaces}
          onValue={(space) => change({ boxes: { ...profile.boxes, space } })}
        />
      </Field>
      <Field label={x.order}>
        <Select
          value={profile.boxes.order ?? ''}
          choices={x.orders}
          onValue={(order) => change({ boxes: { ...profile.boxes, order } })}
        />
      </Field>
      <Field label={x.structured}>
        <Select
          value={profile.structured ?? ''}
          choices={x.structures}
          onValue={(structured) => change({ structured })}
        />
      </Field>
      <Field label={x.mime}>
        <Select
          value={profile.image.mime ?? ''}
          choices={{ '': 'PNG', 'image/jpeg': 'JPEG' }}
          onValue={(mime) => change({ image: { ...profile.image, mime } })}
        />
      </Field>
      {number(
        x.longSide,
        profile.image.long_side,
        (v) => change({ image: { ...profile.image, long_side: v } }),
        x.longSideNote,
      )}
      {number(x.maxTokens, profile.max_tokens, (max_tokens) => change({ max_tokens }), x.maxTokensNote)}
      {number(x.concurrency, profile.concurrency, (concurrency) => change({ concurrency }))}
      {number(x.logprobs, profile.logprobs, (logprobs) => change({ logprobs }), x.logprobsNote)}
    </div>
  );
};

const Field = ({
  label,
  note,
  wide,
  children,
}: {
  label: string;
  note?: string;
  wide?: boolean;
  children: ReactNode;
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label className={form.field} style={wide ? { gridColumn: '1 / -1' } : undefined}>
    <span>
      {label} {note && <span className={form.note}>{note}</span>}
    </span>
    {children}
  </label>
);

interface SelectProps {
  value: string;
  choices: Record<string, string>;
  testid?: string;
  onValue: (value: string) => void;
}

const Select = ({ value, choices, testid, onValue }: SelectProps) => (
  <select className={form.input} value={value} data-testid={testid} onChange={(e) => onValue(e.target.value)}>
    {Object.entries(choices).map(([v, text]) => (
      <option key={v} value={v}>
        {text}
      </option>
    ))}
  </select>
);
