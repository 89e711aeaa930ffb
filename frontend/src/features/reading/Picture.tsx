import { type RefObject, useCallback, useRef, useState } from 'react';
import { aheadMost, useFrames } from '../../backend/ahead';
import { useBackend } from '../../backend/queries';
import type { Action, ActionId } from '../../lib/actions';
import { actionOf } from '../../lib/actions';
import { t } from '../../lib/texts';
import { useActions } from '../../ui/actions';
import { cx } from '../../ui/basics';
import {
  drawing,
  standardBudget,
  type Tool,
  type ViewerHandle,
  type ViewerRegion,
  type ViewerState,
  Views,
  type ViewsHandle,
} from '../../viewer';
import { useLayers } from './overlays';
import { PictureMenu } from './PictureMenu';
import css from './reading.module.css';
import { useAhead } from './useAhead';
import type { Reading } from './useReading';
import { useSeen } from './useSeen';
import { useMeasures, viewsActions } from './useViews';

interface Props {
  reading: Reading;
  viewer: RefObject<ViewerHandle | null>;
  actions: Action[];
}

/** regionsShown lists what is drawn: the model's regions of the open step, and the reader's own. */
export const regionsShown = (r: Reading): ViewerRegion[] => {
  const { s } = r;
  if (s.shown === 'look') {
    return [...r.looks, ...r.evidence.map((region, i) => ({ number: r.looks.length + i + 1, region }))].map(
      ({ number, region }): ViewerRegion => ({
        region,
        owner: 'mine',
        label: [number, region.label].filter(Boolean).join(' '),
        highlighted: s.lit === region.id,
        selected: s.chosen === region.id,
      }),
    );
  }
  if (s.shown === 'sign') {
    const expected = r.view.training?.feedback.flatMap((f) => f.evidence) ?? [];
    return [
      ...expected.map((region): ViewerRegion => ({ region, owner: 'model', label: t.training.expected })),
      ...r.looks.map(({ number, region }): ViewerRegion => ({ region, owner: 'mine', label: String(number) })),
    ];
  }
  const model = r.steps
    .filter((x) => x.step.id === s.part || x.step.regions.some((g) => g.id === s.lit))
    .flatMap((x) =>
      x.step.regions.map(
        (region): ViewerRegion => ({
          region,
          owner: 'model',
          label: t.reading.modelStep(x.number),
          highlighted: s.lit === region.id,
        }),
      ),
    );
  const mine = r.evidence
    .filter((region) => !region.adopted)
    .map((region): ViewerRegion => {
      const look = r.looks.find((l) => l.region.id === region.id);
      return {
        region,
        owner: 'mine',
        label: region.label || (look ? String(look.number) : t.reading.mine),
        highlighted: s.lit === region.id,
        selected: s.chosen === region.id,
      };
    });
  const missed = s.part === 'chain' ? r.chainRating.missed.flatMap((m) => m.region ?? []) : [];
  return [...model, ...mine, ...missed.map((region): ViewerRegion => ({ region, owner: 'mine' }))];
};

/** usePainted follows which frame is on the screen, and marks the first one of each case for whoever measures. */
const usePainted = (caseID: string, move: Reading['move']) => {
  const backend = useBackend();
  const marked = useRef('');
  const [frame, setFrame] = useState<number>();
  const tell = useCallback(
    (now: ViewerState) => {
      setFrame(now.painted);
      move({ do: 'unshown', unshown: now.trouble ? 'failed' : now.loading ? 'loading' : '' });
      if (now.painted === undefined || marked.current === caseID) return;
      marked.current = caseID;
      void backend.mark(`first-image ${caseID}`);
    },
    [backend, caseID, move],
  );
  return { frame, tell };
};

/** Picture is the viewer with its tools. */
export const Picture = ({ reading, viewer, actions }: Props) => {
  const backend = useBackend();
  const { view, s, move, stack, drawn, setEvidence } = reading;
  const [menu, setMenu] = useState<{ x: number; y: number }>();
  const place = useRef<HTMLElement>(null);
  const views = useRef<ViewsHandle>(null);
  const { measures, keep } = useMeasures(view.case.id);
  const painted = usePainted(view.case.id, move);
  const over = useLayers(reading, painted.frame !== undefined);
  const ofViews = [
    ...viewsActions({ reading, viewer, views, measures }),
    {
      id: 'overlays',
      can: () => (over.layers.length + over.problems.length > 0 ? '' : t.overlays.nothing),
      run: () => views.current?.layers(),
    } satisfies Action,
  ];
  useActions([
    ...ofViews,
    {
      id: 'picture-menu',
      run: () => {
        const r = place.current?.getBoundingClientRect();
        if (r) setMenu({ x: r.x + r.width / 2, y: r.y + r.height / 4 });
      },
    },
  ]);
  const seen = useSeen(reading);
  const frames = useFrames();
  useAhead(frames, view.next, painted.frame !== undefined);
  return (
    <main
      ref={place}
      className={css.picture}
      data-zone="image"
      data-testid="viewer"
      data-painted={painted.frame}
      aria-label={t.groups.image}
      onKeyDownCapture={(e) => e.key === 'Escape' && s.tool !== 'window' && move({ do: 'tool', tool: 'window' })}
    >
      {stack ? (
        <Views
          ref={viewer}
          views={views}
          caseId={view.case.id}
          stacks={view.stacks}
          image={stack.image}
          frameURL={(image, n) => backend.frameURL(view.case.id, image, n)}
          thumbURL={(image, n) => backend.thumbURL(view.case.id, image, n)}
          frame={s.frame}
          onFrame={(frame, image) => move({ do: 'frame', frame, image })}
          measures={measures}
          onMeasures={keep}
          regions={regionsShown(reading)}
          layers={over.layers}
          layerProblems={over.problems}
          showModelRegions={s.modelRegions}
          tool={s.tool}
          onState={painted.tell}
          fetcher={frames.fetch}
          budget={standardBudget - aheadMost}
          onSeen={seen}
          onMenu={setMenu}
          onRegion={drawn}
          onRegionSelect={(region) => move({ do: 'choose', region: region?.id ?? '' })}
          onRegionChange={reading.fixed || reading.s.shown === 'sign' ? undefined : reading.reshape}
          onRegionDelete={
            reading.fixed ? undefined : (region) => setEvidence((now) => now.filter((r) => r.id !== region.id))
          }
          onRegionHover={(region) => move({ do: 'light', region: region?.id ?? '' })}
        />
      ) : (
        <p style={{ padding: '60px 58px' }}>{t.reading.noImage}</p>
      )}
      <Tools reading={reading} actions={[...actions, ...ofViews]} layers={over} />
      {drawing.includes(s.tool) && (
        <div className={css.hint} role="status">
          {t.reading.drawing[s.tool]}
        </div>
      )}
      {menu && (
        <PictureMenu
          at={menu}
          viewer={viewer}
          views={views}
          actions={[...actions, ...ofViews]}
          onClose={() => {
            setMenu(undefined);
            viewer.current?.focus();
          }}
        />
      )}
    </main>
  );
};

// The letters that are seen are part of the name that is spoken.
const spoken = (seen: string, name: string) => [seen.replace(/[^\w/]/g, ''), name].filter(Boolean).join(' ');

interface ToolsProps {
  reading: Reading;
  actions: Action[];
  layers: ReturnType<typeof useLayers>;
}

const Tools = ({ reading, actions, layers }: ToolsProps) => {
  const { s, move } = reading;
  const tool = (name: Tool & keyof typeof t.tools.names) => (
    <button
      type="button"
      title={t.tools.names[name]}
      aria-label={spoken(t.tools[name], t.tools.names[name])}
      aria-pressed={s.tool === name}
      data-testid={`tool-${name}`}
      onClick={() => move({ do: 'tool', tool: name })}
    >
      {t.tools[name]}
    </button>
  );
  const act = (id: ActionId, label: string, testid: string, on?: boolean, mine = false) => {
    const action = actions.find((a) => a.id === id);
    const why = action?.can?.();
    const name = actionOf(id).label;
    return (
      <button
        type="button"
        title={why ? `${name}: ${why}` : name}
        aria-label={spoken(label, name)}
        aria-pressed={on}
        aria-disabled={why ? true : undefined}
        className={cx(mine && !why && css.mine)}
        data-testid={testid}
        onClick={() => !why && action?.run()}
      >
        {label}
      </button>
    );
  };
  return (
    <div className={css.tools} role="toolbar" aria-orientation="vertical" aria-label={t.groups.image}>
      {tool('window')}
      {tool('pan')}
      {tool('zoom')}
      {act('evidence', t.tools.box, 'tool-box', s.tool === 'box', true)}
      {act('point', t.tools.point, 'tool-point', s.tool === 'point', true)}
      {act('measure', t.tools.measure, 'tool-measure', s.tool === 'measure')}
      {act('invert', t.tools.invert, 'tool-invert')}
      {act('cine', t.tools.cine, 'tool-cine')}
      {s.shown === 'judge' && act('model-regions', t.tools.model, 'tool-model', s.modelRegions)}
      {layers.layers.length + layers.problems.length > 0 && act('overlays', t.overlays.tool, 'tool-overlays')}
      {act('reset', t.tools.reset, 'tool-reset')}
    </div>
  );
};
