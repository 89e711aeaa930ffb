import { Menu } from '@mantine/core';
import { Fragment, type RefObject } from 'react';
import { type Action, type ActionId, actionOf } from '../../lib/actions';
import { keyLabel } from '../../lib/keys';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import type { ViewerHandle } from '../../viewer';
import css from './reading.module.css';

interface Props {
  /** Where it opens, in CSS pixels of the page. */
  at: { x: number; y: number };
  viewer: RefObject<ViewerHandle | null>;
  actions: Action[];
  onClose: () => void;
}

const groups: ActionId[][] = [
  ['fit', 'one-to-one', 'reset'],
  ['invert', 'flip', 'rotate', 'smooth', 'cine'],
  ['measure', 'evidence', 'point', 'ellipse', 'polygon'],
];

/** PictureMenu offers at the pointer what can be done to the picture: the same actions that the keys do. */
export const PictureMenu = ({ at, viewer, actions, onClose }: Props) => {
  const now = viewer.current?.state();
  const files = now?.fileWindows ?? [];
  const item = (id: ActionId, label = actionOf(id).label) => (
    <Item key={id} action={actions.find((a) => a.id === id)} label={label} />
  );
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={0}
      transitionProps={{ duration: 0 }}
      trapFocus
      withInitialFocusPlaceholder={false} // a menu holds nothing but its items
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={css.menuPlace}
          style={{ left: at.x, top: at.y }}
          aria-label={t.actions.pictureMenu}
        />
      </Menu.Target>
      <Menu.Dropdown className={css.menu} data-testid="picture-menu">
        {now?.presets.map((p, i) => item(`preset-${i + 1}` as ActionId, p.explanation))}
        {files.map((name, i) => (
          <Menu.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: two windows of a file may have one name
            key={i}
            data-testid={`menu-file-${i}`}
            onClick={() => viewer.current?.fileWindow(i)}
          >
            {t.reading.fileWindow(name)}
          </Menu.Item>
        ))}
        {groups.map((ids, i) => (
          <Fragment key={ids[0]}>
            {(i > 0 || files.length > 0 || (now?.presets.length ?? 0) > 0) && <Menu.Divider />}
            {ids.map((id) => item(id))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const Item = ({ action, label }: { action: Action | undefined; label: string }) => {
  const keyOf = useKeyOf();
  if (!action) return null;
  const why = action.can?.() ?? '';
  const key = keyOf(action.id);
  return (
    <Menu.Item
      disabled={why !== ''}
      title={why || undefined}
      rightSection={key && <kbd className="kbd">{keyLabel(key)}</kbd>}
      onClick={() => action.run()}
      data-testid={`menu-${action.id}`}
    >
      {label}
    </Menu.Item>
  );
};
