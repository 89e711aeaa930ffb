import { useEffect, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { type ActionInfo, actions } from '../../lib/actions';
import { bindingOf, boundKeys, collisions, type Remap } from '../../lib/keys';
import { t } from '../../lib/texts';
import { Button, Kbd } from '../../ui/basics';
import { rebound } from './rebound';
import css from './settings.module.css';

const groups = Object.keys(t.groups) as ActionInfo['group'][];

/** KeyList shows every key and lets each be changed. */
export const KeyList = ({ remap, onRemap }: { remap: Remap; onRemap: (remap: Remap) => Promise<void> }) => {
  const [waiting, setWaiting] = useState<ActionInfo>();
  const [trouble, setTrouble] = useState<{ id: string; why: string }>();

  const store = async (id: string, next: Remap) => {
    try {
      await onRemap(next);
      setTrouble(undefined);
    } catch (reason) {
      setTrouble({ id, why: troubleOf(reason).text || t.fault.unknown });
    }
  };

  useEffect(() => {
    if (!waiting) return;
    const hear = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') return setWaiting(undefined);
      const key = bindingOf(event);
      if (key === '') return;
      setWaiting(undefined);
      const result = rebound(remap, waiting, key);
      if ('why' in result) setTrouble({ id: waiting.id, why: result.why });
      else void store(waiting.id, result.remap);
    };
    window.addEventListener('keydown', hear, { capture: true });
    return () => window.removeEventListener('keydown', hear, { capture: true });
  });

  const restore = (id: string) => {
    const { [id]: _, ...rest } = remap;
    void store(id, collisions(actions, rest).length === 0 ? rest : {});
  };
  return (
    <>
      <div className={css.line}>
        <h2>{t.settings.keys}</h2>
        <span className={css.soft}>{t.settings.keysNote}</span>
        {Object.keys(remap).length > 0 && (
          <Button style={{ marginLeft: 'auto' }} onClick={() => void store('', {})}>
            {t.settings.restoreAll}
          </Button>
        )}
      </div>
      {groups.map((group) => (
        <section key={group} className={css.keys}>
          <h3 className={css.group}>{t.groups[group]}</h3>
          {actions
            .filter((a) => a.group === group)
            .map((a) => (
              <div key={a.id} className={css.key} data-testid={`key-${a.id}`}>
                <span>
                  {a.label}
                  {trouble?.id === a.id && (
                    <span role="alert" style={{ display: 'block', color: 'var(--bad)', fontSize: 12 }}>
                      {trouble.why}
                    </span>
                  )}
                </span>
                <span>
                  {waiting?.id === a.id ? (
                    <em>{t.settings.press}</em>
                  ) : (
                    boundKeys(a, remap).map((k) => <Kbd key={k.scope + k.key} of={k.key} />)
                  )}
                </span>
                <span className={css.line}>
                  {remap[a.id] && (
                    <Button look="quiet" onClick={() => restore(a.id)}>
                      {t.settings.restore}
                    </Button>
                  )}
                  <Button look="quiet" aria-label={`${t.settings.change}: ${a.label}`} onClick={() => setWaiting(a)}>
                    {t.settings.change}
                  </Button>
                </span>
              </div>
            ))}
        </section>
      ))}
    </>
  );
};
