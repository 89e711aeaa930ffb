import { Menu } from '@mantine/core';
import { Fragment, type RefObject } from 'react';
import { type Action, type ActionId, actionOf } from '../../lib/actions';
import { keyLabel } from '../../lib/keys';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { type Links, layouts, type ViewerHandle, type ViewsHandle } from '../../viewer';
import css from './reading.module.css';

interface Props {
  /** Where it opens, in CSS pixels of the page. */
  at: { x: number; y: number };
  viewer: RefObject<ViewerHandle | null>;
  views: RefObject<ViewsHandle | null>;
  actions: Action[];
  onClose: () => void;
}

const groups: ActionId[][] = [
  ['fit', 'one-to-one', 'reset'],
  ['invert', 'flip', 'rotate', 'smooth', 'lens', 'cine'],
  ['measure', 'angle', 'roi-box', 'roi-ellipse', 'clear-measures'],
  ['evidence', 'point', 'ellipse', 'polygon'],
];
const links: [ActionId, keyof Links][] = [
  ['link-scroll', 'scroll'],
  ['link-window', 'window'],
  ['link-zoom', 'zoom'],
];

/** PictureMenu offers at the pointer what can be done to the picture: the same actions that the keys do. */
export const PictureMenu = ({ at, viewer, views, actions, onClose }: Props) => {
  const now = viewer.current?.state();
  const files = now?.fileWindows ?? [];
  const item = (id: ActionId, label = actionOf(id).label, on?: boolean) => (
    <Item key={id} action={actions.find((a) => a.id === id)} label={label} on={on} />
  );
  const panes = views.current?.panes();
  const several = actions.find((a) => a.id === 'layout')?.can?.() === '';
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={0}
      transitionProps={{ duration: 0 }}
      middlewares={{ flip: false, shift: { crossAxis: true, padding: 6 } }}
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
        <div>
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
          {panes && several && (
            <>
              {(files.length > 0 || (now?.presets.length ?? 0) > 0) && <Menu.Divider />}
              {layouts.map((layout) => (
                <Menu.Item
                  key={layout}
                  leftSection={<Tick on={panes.layout === layout} />}
                  onClick={() => views.current?.layout(layout)}
                  data-testid={`menu-layout-${layout}`}
                >
                  {t.views.layouts[layout]}
                </Menu.Item>
              ))}
            </>
          )}
          {item('across')}
          {item('overlays')}
          {panes && panes.panes.length > 1 && links.map(([id, what]) => item(id, undefined, panes.links[what]))}
        </div>
        <div>
          {groups.map((ids, i) => (
            <Fragment key={ids[0]}>
              {i > 0 && <Menu.Divider />}
              {ids.map((id) => item(id))}
            </Fragment>
          ))}
        </div>
      </Menu.Dropdown>
    </Menu>
  );
};

const Tick = ({ on }: { on: boolean }) => <span aria-hidden="true">{on ? '✓' : '\u2007'}</span>;

const Item = ({ action, label, on }: { action: Action | undefined; label: string; on?: boolean }) => {
  const keyOf = useKeyOf();
  if (!action) return null;
  const why = action.can?.() ?? '';
  const key = keyOf(action.id);
  return (
    <Menu.Item
      disabled={why !== ''}
      leftSection={on === undefined ? undefined : <Tick on={on} />}
      title={why || undefined}
      rightSection={key && <kbd className="kbd">{keyLabel(key)}</kbd>}
      onClick={() => action.run()}
      data-testid={`menu-${action.id}`}
    >
      {on === undefined ? label : t.views.link(label, on)}
    </Menu.Item>
  );
};
