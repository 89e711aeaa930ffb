import { type ActionInfo, actions } from '../lib/actions';
import { boundKeys } from '../lib/keys';
import { t } from '../lib/texts';
import { useRemap } from '../ui/actions';
import { Kbd } from '../ui/basics';
import { Dialog } from '../ui/Dialog';
import css from './app.module.css';

const columns: ActionInfo['group'][][] = [['everywhere', 'library', 'cases', 'steps'], ['image']];

/** HelpSheet lists every key as it is bound now. */
export const HelpSheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog opened={open} onClose={onClose} title={t.nav.keys} size={860}>
    <div className={css.keys} data-testid="help">
      {columns.map((groups) => (
        <div key={groups[0]}>
          {groups.map((group) => (
            <Group key={group} group={group} />
          ))}
        </div>
      ))}
    </div>
  </Dialog>
);

const ranges: Record<string, { label: string; keys: string[] }> = {
  'answer-1': { label: t.actions.answers, keys: ['1–9'] },
  'preset-1': { label: t.actions.presets, keys: ['F1–F8', `1–8 ${t.settings.scopes.image}`] },
};

const Group = ({ group }: { group: ActionInfo['group'] }) => {
  const remap = useRemap();
  // The digits and the presets are one line of the sheet each.
  const list = actions.filter((a) => a.group === group && !/^(answer|preset)-[2-9]$/.test(a.id));
  return (
    <section className={css.group}>
      <h3>{t.groups[group]}</h3>
      {list.map((a) => (
        <div key={a.id} className={css.line}>
          <span>{ranges[a.id]?.label ?? a.label}</span>
          <span>
            {ranges[a.id] && !remap[a.id]
              ? ranges[a.id]?.keys.map((k) => (
                  <kbd key={k} className="kbd">
                    {k}
                  </kbd>
                ))
              : boundKeys(a, remap).map((k) => <Kbd key={k.scope + k.key} of={k.key} />)}
          </span>
        </div>
      ))}
    </section>
  );
};
