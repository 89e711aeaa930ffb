// What keys do while one disagreement is open.
import type { RefObject } from 'react';
import type { Action } from '../../lib/actions';
import { t } from '../../lib/texts';
import { pictureActions, type ViewerHandle } from '../../viewer';
import type { ItemState } from './Item';

const moveRow = (item: ItemState, by: 1 | -1) => {
  const at = item.rows.findIndex((r) => r.id === item.row);
  const next = item.rows[Math.min(item.rows.length - 1, Math.max(0, at + by))];
  if (next) item.setRow(next.id);
};

const answer = (item: ItemState, k: number) => {
  const at = item.rows.findIndex((r) => r.id === item.row);
  const row = item.rows[at] ?? item.rows[0];
  const choice = row?.choices[k - 1];
  if (!row || !choice || item.fixed) return;
  item.choose(row.id, choice.value);
};

/** itemActions lists what can be done now. */
export const itemActions = (
  item: ItemState,
  viewer: RefObject<ViewerHandle | null>,
  panel: RefObject<HTMLElement | null>,
): Action[] => {
  const frames = item.view.stacks.find((s) => s.image === item.place.image)?.frames.length ?? 1;
  const draw = (tool: 'box' | 'point') => () => item.setTool(item.tool === tool ? 'window' : tool);
  const marks = () => (item.fixed || !item.rows.some((r) => r.id === 'evidence') ? t.reading.gradeFirst : '');
  return [
    {
      id: 'commit',
      can: () =>
        item.fixed ? t.adjudication.decided : item.missing.length > 0 ? t.adjudication.needs(item.missing) : '',
      run: item.save,
    },
    { id: 'row-down', run: () => moveRow(item, 1) },
    { id: 'row-up', run: () => moveRow(item, -1) },
    { id: 'row-edit', run: () => panel.current?.querySelector<HTMLElement>('textarea')?.focus() },
    { id: 'model-regions', run: () => item.setModelRegions(!item.modelRegions) },
    { id: 'consensus', run: () => item.setHalf(!item.half) },
    { id: 'evidence', can: marks, run: draw('box') },
    { id: 'point', can: marks, run: draw('point') },
    { id: 'leave-tool', run: () => item.setTool('window') },
    { id: 'measure', run: () => item.setTool(item.tool === 'measure' ? 'window' : 'measure') },
    { id: 'focus-steps', run: () => panel.current?.focus() },
    ...([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((n): Action => ({ id: `answer-${n}`, run: () => answer(item, n) })),
    ...pictureActions(viewer, frames, (frame) => item.setPlace({ ...item.place, frame })),
  ];
};
