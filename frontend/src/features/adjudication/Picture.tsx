import type { RefObject } from 'react';
import { useBackend } from '../../backend/queries';
import type { DisagreementView, Region } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Chip } from '../../ui/basics';
import { drawing, Viewer, type ViewerHandle, type ViewerRegion } from '../../viewer';
import css from './adjudication.module.css';
import type { ItemState } from './Item';

/** marksOf gives the regions of a read, under ids that no other read has. */
export const marksOf = (read: DisagreementView['unnamed'][number]): Region[] =>
  [
    ...(read.rating?.evidence ?? []),
    ...(read.look?.evidence ?? []),
    ...(read.chain_rating?.missed ?? []).flatMap((m) => m.region ?? []),
  ].map((region, i) => ({ ...region, id: `${read.number}/${i + 1}` }));

const regionsShown = ({ view, draft, lit, half, fixed }: ItemState): ViewerRegion[] => {
  const step = view.answers.flatMap((a) => a.steps).find((s) => s.id === view.part);
  const model = (step?.regions ?? []).map(
    (region): ViewerRegion => ({ region, owner: 'model', label: t.reading.modelStep(view.step), selected: false }),
  );
  const reads = view.unnamed.flatMap((read) =>
    marksOf(read).map(
      (region): ViewerRegion => ({
        region,
        owner: 'mine',
        reader: read.number,
        label: String(read.number),
        highlighted: lit === String(read.number) || lit === region.id,
        selected: false,
      }),
    ),
  );
  const area = half
    ? view.consensus.map((region): ViewerRegion => ({ region, owner: 'mine', area: true, selected: false }))
    : [];
  const own = fixed
    ? []
    : draft.evidence
        .filter((r) => r.id.startsWith('own-'))
        .map((region): ViewerRegion => ({ region, owner: 'mine', label: t.adjudication.final }));
  return [...area, ...model, ...reads, ...own];
};

/** Picture is the viewer with what every read marked on it. */
export const Picture = ({ item, viewer }: { item: ItemState; viewer: RefObject<ViewerHandle | null> }) => {
  const backend = useBackend();
  const { view, place, draft, setDraft } = item;
  const stack = view.stacks.find((s) => s.image === place.image);
  const own = draft.evidence.filter((r) => r.id.startsWith('own-'));
  return (
    <section className={css.picture} data-zone="image" data-testid="viewer" aria-label={t.groups.image}>
      {stack ? (
        <Viewer
          ref={viewer}
          caseId={view.case}
          stack={stack}
          frameURL={(image, n) => backend.frameURL(view.case, image, n)}
          frame={place.frame}
          onFrame={(frame) => item.setPlace({ ...place, frame })}
          regions={regionsShown(item)}
          showModelRegions={item.modelRegions}
          tool={item.tool}
          onRegion={(region) => {
            item.setTool('window');
            if (item.fixed) return;
            const number = 1 + Math.max(0, ...own.map((r) => Number(r.id.slice(4)) || 0));
            setDraft({ ...draft, evidence: [...draft.evidence, { ...region, id: `own-${number}` }] });
          }}
          onRegionDelete={(region) =>
            setDraft({ ...draft, evidence: draft.evidence.filter((r) => r.id !== region.id) })
          }
        />
      ) : (
        <p className={css.empty}>{t.reading.noImage}</p>
      )}
      {view.stacks.length > 1 && (
        <div className={css.stacks}>
          {view.stacks.map((x, i) => (
            <Chip
              key={x.image}
              lit={x.image === place.image}
              aria-pressed={x.image === place.image}
              onClick={() => item.setPlace({ image: x.image, frame: Math.floor((x.frames.length - 1) / 2) })}
            >
              {i + 1} {x.description || x.modality || x.image}
            </Chip>
          ))}
        </div>
      )}
      {drawing.includes(item.tool) && (
        <div className={css.hint} role="status">
          {t.reading.drawing[item.tool]}
        </div>
      )}
    </section>
  );
};
