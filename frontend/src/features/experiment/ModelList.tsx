import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useModelAct } from '../../backend/experimenting';
import { dayOf } from '../../lib/format';
import type { ModelRow, Models } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, cx, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import css from './experiment.module.css';
import { ConsentDialog, KeyDialog, RemoveDialog } from './ModelDialogs';
import { joined, toggled } from './order';
import { ProfileDialog } from './ProfileDialog';
import { keyOf, newProfile } from './profile';

const x = t.experiment;

interface Props {
  models: Models;
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
}

type Asked = { what: 'profile' | 'key' | 'consent' | 'remove'; of: ModelRow | undefined };

/** ModelList chooses who is asked: built-in controls, each with what it honestly is, and models behind servers. */
export const ModelList = ({ models, chosen, onChosen }: Props) => {
  const [asked, setAsked] = useState<Asked>();
  const probe = useModelAct<string>((b, name) => b.probeModel(name));
  const withdraw = useModelAct<string>((b, name) => b.allowModel(name, '', '', false));
  const controls = models.models.filter((m) => m.control);
  const profiles = models.models.filter((m) => !m.control);
  const failed = [probe, withdraw].find((act) => act.isError);
  const close = () => setAsked(undefined);
  const take = (m: ModelRow) => onChosen(toggled(chosen, m.name));
  return (
    <section className={form.card} aria-label={x.models} data-testid="models">
      <div className={form.bar}>
        <h2>{x.models}</h2>
        <span className={form.note}>{x.modelsNote}</span>
        <Button
          className={form.end}
          onClick={() =>
            onChosen(
              joined(
                chosen,
                controls.map((m) => m.name),
              ),
            )
          }
          data-testid="all-controls"
        >
          {x.allControls}
        </Button>
      </div>
      <ul className={css.modelList}>
        {controls.map((m) => (
          <li key={m.name}>
            <label className={form.check}>
              <input
                type="checkbox"
                checked={chosen.includes(m.name)}
                data-testid={`model-${m.name}`}
                onChange={() => take(m)}
              />
              <b>{m.name}</b>
              <span className={form.soft}>{m.does}</span>
            </label>
          </li>
        ))}
      </ul>
      <div className={form.bar}>
        <h3>{x.profiles}</h3>
        {profiles.length === 0 && <span className={form.note}>{x.noProfiles}</span>}
        <Button
          className={form.end}
          onClick={() => setAsked({ what: 'profile', of: undefined })}
          data-testid="add-model"
        >
          {x.addModel}
        </Button>
      </div>
      {profiles.length > 0 && (
        <ul className={css.modelList}>
          {profiles.map((m) => (
            <Profile
              key={m.name}
              of={m}
              chosen={chosen.includes(m.name)}
              probing={probe.isPending && probe.variables === m.name}
              onTake={() => take(m)}
              onProbe={() => probe.mutate(m.name)}
              onWithdraw={() => withdraw.mutate(m.name)}
              onAsk={(what) => setAsked({ what, of: m })}
            />
          ))}
        </ul>
      )}
      {models.problems.map((p) => (
        <span key={p.file + p.text} className={form.wrong}>
          {x.problem(p.file, p.text)}
        </span>
      ))}
      {failed && (
        <Trouble title={t.fault.title} text={troubleOf(failed.error).text || t.fault.unknown}>
          <Button onClick={() => failed.reset()}>{t.fault.close}</Button>
        </Trouble>
      )}
      {asked?.what === 'profile' && (
        <ProfileDialog title={asked.of?.name ?? ''} text={asked.of?.profile ?? newProfile()} onClose={close} />
      )}
      {asked?.what === 'key' && asked.of && (
        <KeyDialog of={asked.of} onClose={close} onEnv={() => setAsked({ what: 'profile', of: asked.of })} />
      )}
      {asked?.what === 'consent' && asked.of && <ConsentDialog of={asked.of} onClose={close} />}
      {asked?.what === 'remove' && asked.of && (
        <RemoveDialog of={asked.of} onClose={close} onRemoved={(name) => onChosen(chosen.filter((v) => v !== name))} />
      )}
    </section>
  );
};

interface ProfileProps {
  of: ModelRow;
  chosen: boolean;
  probing: boolean;
  onTake: () => void;
  onProbe: () => void;
  onWithdraw: () => void;
  onAsk: (what: Asked['what']) => void;
}

const Profile = ({ of, chosen, probing, onTake, onProbe, onWithdraw, onAsk }: ProfileProps) => (
  <li data-testid={`profile-${of.name}`}>
    <div className={form.bar}>
      <label className={form.check}>
        <input type="checkbox" checked={chosen} data-testid={`model-${of.name}`} onChange={onTake} />
        <b>{of.name}</b>
        <span className={form.soft}>
          {of.host}
          {of.reach && ` · ${x.reach[of.reach] ?? of.reach}`}
        </span>
      </label>
      <span className={form.end}>
        <Button look="quiet" onClick={() => onAsk('profile')} data-testid={`edit-${of.name}`}>
          {x.edit}
        </Button>
        <Button look="quiet" why={probing ? x.probing : ''} onClick={onProbe} data-testid={`probe-${of.name}`}>
          {probing ? x.probing : x.probe}
        </Button>
        {keyOf(of.profile) === 'keyring' && (
          <Button look="quiet" onClick={() => onAsk('key')} data-testid={`key-${of.name}`}>
            {x.key}
          </Button>
        )}
        {of.reach === 'public' && !of.consent && (
          <Button look="quiet" onClick={() => onAsk('consent')} data-testid={`consent-${of.name}`}>
            {x.consent}
          </Button>
        )}
        {of.consent && (
          <Button look="quiet" onClick={onWithdraw} data-testid={`withdraw-${of.name}`}>
            {x.withdraw}
          </Button>
        )}
        <Button look="quiet" onClick={() => onAsk('remove')} data-testid={`remove-${of.name}`}>
          {x.remove}
        </Button>
      </span>
    </div>
    <div className={css.under}>
      {of.consent && <span>{x.allowed(of.consent.by, dayOf(of.consent.at).slice(0, 10))}</span>}
      <Abilities of={of} />
    </div>
    {of.why && <div className={cx(form.warn, css.why)}>{of.why}</div>}
  </li>
);

const abilities = ['images', 'json_schema', 'grammar', 'logprobs', 'repeats', 'reasons'] as const;

const Abilities = ({ of }: { of: ModelRow }) => {
  const can = of.can;
  if (!can) return <span>{x.neverProbed}</span>;
  return (
    <>
      {abilities.map((a) => (
        <span
          key={a}
          className={css.ability}
          data-has={can[a] || undefined}
          title={can[a] ? x.has(x.can[a] ?? a) : x.hasNot(x.can[a] ?? a, can.notes?.[a] ?? '')}
        >
          <span aria-hidden="true">{can[a] ? '✓' : '–'}</span> {x.can[a]}
        </span>
      ))}
      {can.notes?.model && <span className={form.warn}>{can.notes.model}</span>}
    </>
  );
};
