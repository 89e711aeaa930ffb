import { Modal } from '@mantine/core';
import { type ActionInfo, actions } from '../lib/actions';
import { boundKeys } from '../lib/keys';
import { t } from '../lib/texts';
import { useRemap } from '../ui/actions';
import { Kbd } from '../ui/basics';
import css from './app.module.css';

const columns: ActionInfo['group'][][] = [['everywhere', 'library', 'cases', 'steps'], ['image']];

/** HelpSheet lists every key as it is bound now. */
export const HelpSheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Modal opened={open} onClose={onClose} title={t.nav.keys} size={860} centered>
    <div className={css.keys} data-testid="help">
      {columns.map((groups) => (
        <div key={groups[0]}>
          {groups.map((group) => (
            <Group key={group} group={group} />
          ))}
        </div>
      ))}
    </div>
  </Modal>
);

const Group = ({ group }: { group: ActionInfo['group'] }) => {
  const remap = useRemap();
  // The nine digits are one line of the sheet.
  const list = actions.filter((a) => a.group === group && !/^answer-[2-9]$/.test(a.id));
  return (
    <section className={css.group}>
      <h3>{t.groups[group]}</h3>
      {list.map((a) => (
        <div key={a.id} className={css.line}>
          <span>{a.id === 'answer-1' ? t.actions.answers : a.label}</span>
          <span>
            {a.id === 'answer-1' ? (
              <kbd className="kbd">1–9</kbd>
            ) : (
              boundKeys(a, remap).map((k) => <Kbd key={k.scope + k.key} of={k.key} />)
            )}
          </span>
        </div>
      ))}
    </section>
  );
};
