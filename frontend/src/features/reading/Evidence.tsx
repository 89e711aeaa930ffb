import { useState } from 'react';
import { frameNumber } from '../../chain/outline';
import { actionOf } from '../../lib/actions';
import type { Region, Stack } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { Chip, Kbd } from '../../ui/basics';
import css from './reading.module.css';
import type { Reading } from './useReading';
import { canDraw } from './useReadingActions';

const marks: Record<string, string> = { point: '·', whole_image: '▣', ellipse: '○', polygon: '⬠', slab: '≡' };

const shapeOf = (region: Region) => marks[region.shape] ?? '▭';

const nameOf = (region: Region) => {
  const frame = frameNumber(region);
  if (region.shape === 'whole_image') return t.reading.wholeImage;
  if (frame && region.to !== undefined && region.to !== null) return t.reading.frameRange(frame, region.to + 1);
  return frame ? t.reading.frame(frame) : (t.reading.shapes[region.shape] ?? t.reading.shapes.box ?? '');
};

/** Evidence lists the regions of a look or a rating, and the ways to add one. */
export const Evidence = ({ reading }: { reading: Reading }) => {
  const { evidence, s, move, looks, step, stack } = reading;
  const keyOf = useKeyOf();
  const judge = s.shown === 'judge';
  const blocked = canDraw(reading) !== '';
  const model = judge ? (step?.step.regions[0] ?? undefined) : undefined;
  const wholeImage = evidence.find((r) => r.shape === 'whole_image');
  return (
    <>
      {evidence.map((region) => (
        <RegionMark key={region.id} region={region} reading={reading} fixed={blocked} />
      ))}
      {!blocked && (
        <>
          {judge &&
            looks
              .filter((l) => !evidence.some((e) => e.id === l.region.id))
              .map((l) => (
                <Chip
                  key={l.region.id}
                  data-testid={`attach-${l.number}`}
                  onClick={() => reading.toggleEvidence(l.region)}
                >
                  + {t.reading.attach(l.number)}
                </Chip>
              ))}
          {model && !evidence.some((e) => e.id === model.id) && (
            <Chip kind="model" data-testid="adopt" onClick={() => reading.toggleEvidence({ ...model, adopted: true })}>
              + {t.reading.adopt}
            </Chip>
          )}
          <Chip lit={s.tool === 'box'} data-testid="add-box" onClick={() => move({ do: 'tool', tool: 'box' })}>
            + {t.reading.addBox} {keyOf('evidence') && <Kbd of={keyOf('evidence')} />}
          </Chip>
          <Chip lit={s.tool === 'point'} data-testid="add-point" onClick={() => move({ do: 'tool', tool: 'point' })}>
            + {t.reading.addPoint} {keyOf('point') && <Kbd of={keyOf('point')} />}
          </Chip>
          {stack && stack.frames.length > 1 && (
            <Chip data-testid="add-slab" onClick={() => reading.drawn(slabOf(stack, s.frame))}>
              + {t.reading.addSlab}
            </Chip>
          )}
          {reading.stretches && (
            <Chip data-testid="stretch" title={actionOf('stretch').label} onClick={reading.stretch}>
              ↕ {t.reading.stretch(s.frame + 1)} {keyOf('stretch') && <Kbd of={keyOf('stretch')} />}
            </Chip>
          )}
          {!wholeImage && stack && (
            <Chip
              data-testid="add-whole"
              onClick={() =>
                reading.toggleEvidence({ id: 'whole', image: stack.image, shape: 'whole_image', coords: [] })
              }
            >
              + {t.reading.wholeImage}
            </Chip>
          )}
        </>
      )}
    </>
  );
};

/** slabOf is all of one frame, as a stack of frames that can be stretched. */
const slabOf = (stack: Stack, at: number): Region => {
  const index = stack.frames[at]?.index ?? 0;
  return { id: '', image: stack.image, from: index, to: index, shape: 'slab', coords: [] };
};

const RegionMark = ({ region, reading, fixed }: { region: Region; reading: Reading; fixed: boolean }) => {
  const look = reading.looks.find((l) => l.region.id === region.id);
  const [naming, setNaming] = useState(false);
  const name = [look && String(look.number), region.label, nameOf(region)].filter(Boolean).join(' · ');
  const mine = !fixed && !region.adopted && region.shape !== 'whole_image';
  if (naming) {
    return (
      <NameField
        label={region.label ?? ''}
        of={name}
        onDone={(label) => {
          setNaming(false);
          if (label !== undefined && label !== (region.label ?? '')) reading.reshape({ ...region, label });
        }}
      />
    );
  }
  return (
    <span style={{ display: 'inline-flex', gap: 2 }}>
      <Chip
        kind={region.adopted ? 'model' : 'mine'}
        lit={reading.s.lit === region.id || reading.s.chosen === region.id}
        data-testid={`evidence-${region.id}`}
        onClick={() => {
          reading.toRegion(region);
          if (mine) reading.move({ do: 'choose', region: region.id });
        }}
        onMouseEnter={() => reading.move({ do: 'light', region: region.id })}
        onMouseLeave={() => reading.move({ do: 'light', region: '' })}
      >
        {shapeOf(region)} {name}
      </Chip>
      {mine && (
        <Chip
          aria-label={t.reading.labelOf(name)}
          title={t.reading.label}
          data-testid={`label-${region.id}`}
          onClick={() => setNaming(true)}
        >
          ✎
        </Chip>
      )}
      {!fixed && (
        <Chip
          aria-label={t.reading.remove(name)}
          onClick={() => reading.setEvidence((now) => now.filter((r) => r.id !== region.id))}
        >
          ✕
        </Chip>
      )}
    </span>
  );
};

/** NameField takes a name for a region: Enter keeps it, Esc and going elsewhere leave it as it was. */
const NameField = ({
  label,
  of,
  onDone,
}: {
  label: string;
  of: string;
  onDone: (label: string | undefined) => void;
}) => {
  const [text, setText] = useState(label);
  return (
    <form
      className={css.name}
      onSubmit={(e) => {
        e.preventDefault();
        onDone(text.trim());
        e.currentTarget.closest<HTMLElement>('[data-zone]')?.focus({ preventScroll: true });
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: it stands where the button was that was just pressed
        autoFocus
        value={text}
        aria-label={t.reading.labelOf(of)}
        maxLength={80}
        data-testid="region-name"
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') onDone(undefined);
        }}
        onBlur={() => onDone(undefined)}
      />
    </form>
  );
};
