import { type RefObject, useState } from 'react';
import { useBackend } from '../../backend/queries';
import type { Comparison, Region } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Chip } from '../../ui/basics';
import { Viewer, type ViewerHandle, type ViewerRegion } from '../../viewer';
import css from './queue.module.css';

const x = t.uncertain;

interface Props {
  of: Comparison;
  regions: readonly Region[];
  draws: boolean;
  viewer: RefObject<ViewerHandle | null>;
  onDrawn: (region: Region) => void;
  onRegion: (region: Region) => void;
  onDrop: (region: Region) => void;
}

const middle = (frames: number) => Math.floor((frames - 1) / 2);

/** EmphasisPicture shows a case's own images with the places that a model is to be pointed to, and has them drawn. */
export const EmphasisPicture = ({ of, regions, draws, viewer, onDrawn, onRegion, onDrop }: Props) => {
  const backend = useBackend();
  const [at, setAt] = useState(0);
  const stack = of.stacks[at];
  const [frame, setFrame] = useState(() => middle(of.stacks[0]?.frames.length ?? 1));
  const [painted, setPainted] = useState<number>();
  if (!stack) return <p className={css.pick}>{t.reading.noImage}</p>;
  const shown = regions.map(
    (region, i): ViewerRegion => ({ region, owner: 'mine', label: String(i + 1), selected: false }),
  );
  return (
    <section
      className={css.picture}
      data-zone="image"
      data-testid="emphasis-picture"
      data-painted={painted}
      aria-label={t.groups.image}
    >
      <Viewer
        ref={viewer}
        caseId={of.case}
        stack={stack}
        frameURL={(image, n) => backend.frameURL(of.case, image, n)}
        frame={frame}
        onFrame={setFrame}
        regions={shown}
        tool={draws ? 'box' : 'window'}
        onRegion={onDrawn}
        onRegionChange={onRegion}
        onRegionDelete={onDrop}
        onState={(s) => setPainted(s.painted)}
      />
      {of.stacks.length > 1 && (
        <div className={css.stacks}>
          {of.stacks.map((s, i) => (
            <Chip
              key={s.image}
              lit={i === at}
              aria-pressed={i === at}
              onClick={() => {
                setAt(i);
                setFrame(middle(s.frames.length));
              }}
            >
              {i + 1} {s.description || s.modality || s.image}
            </Chip>
          ))}
        </div>
      )}
      {draws && (
        <div className={css.hint} role="status">
          {x.drawing}
        </div>
      )}
    </section>
  );
};
