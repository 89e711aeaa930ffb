// What keys and menus do to the panes of the picture, and what was measured there.
import { type RefObject, useCallback, useState } from 'react';
import type { Action, ActionId } from '../../lib/actions';
import { t } from '../../lib/texts';
import {
  type Links,
  type Measure,
  restoredMeasures,
  type Tool,
  type ViewerHandle,
  type ViewsHandle,
} from '../../viewer';
import type { Reading } from './useReading';

const keyOf = (caseID: string) => `plumbline/measures/${caseID}`;

const kept = (caseID: string, store: Storage): Measure[] => {
  try {
    return restoredMeasures(JSON.parse(store.getItem(keyOf(caseID)) ?? '[]'));
  } catch {
    return [];
  }
};

/** useMeasures keeps what is measured on the images of a case until the window is closed. It is no evidence, and the desk never hears of it. */
export const useMeasures = (caseID: string, store: Storage = sessionStorage) => {
  const [measures, setMeasures] = useState<readonly Measure[]>(() => kept(caseID, store));
  const keep = useCallback(
    (next: readonly Measure[]) => {
      setMeasures(next);
      store.setItem(keyOf(caseID), JSON.stringify(next));
    },
    [caseID, store],
  );
  return { measures, keep };
};

interface Ways {
  reading: Reading;
  viewer: RefObject<ViewerHandle | null>;
  views: RefObject<ViewsHandle | null>;
  measures: readonly Measure[];
}

/** viewsActions lists what can be done to the panes and with the tools that measure. */
export const viewsActions = ({ reading, viewer, views, measures }: Ways): Action[] => {
  const { s, move, view } = reading;
  const alone = () => (view.stacks.length > 1 ? '' : t.views.oneImage);
  const several = () => ((views.current?.panes().panes.length ?? 1) > 1 ? '' : t.views.oneView);
  const cine = () => (viewer.current?.state().cine ? '' : t.views.noCine);
  const tool = (id: ActionId, name: Tool): Action => ({
    id,
    run: () => move({ do: 'tool', tool: s.tool === name ? 'window' : name }),
  });
  const link = (id: ActionId, what: keyof Links): Action => ({
    id,
    can: several,
    run: () => views.current?.link(what),
  });
  return [
    tool('angle', 'angle'),
    tool('roi-box', 'roi-box'),
    tool('roi-ellipse', 'roi-ellipse'),
    {
      id: 'clear-measures',
      can: () => (measures.some((m) => m.image === s.image) ? '' : t.views.noMeasures),
      run: () => viewer.current?.clearMeasures(),
    },
    { id: 'lens', run: () => viewer.current?.lens() },
    { id: 'cine-faster', can: cine, run: () => viewer.current?.pace(1.25) },
    { id: 'cine-slower', can: cine, run: () => viewer.current?.pace(0.8) },
    { id: 'layout', can: alone, run: () => views.current?.layout() },
    { id: 'one-view', can: several, run: () => views.current?.alone() },
    { id: 'next-view', can: several, run: () => views.current?.next() },
    { id: 'across', can: () => views.current?.acrossTrouble() ?? '', run: () => views.current?.across() },
    link('link-scroll', 'scroll'),
    link('link-window', 'window'),
    link('link-zoom', 'zoom'),
  ];
};
