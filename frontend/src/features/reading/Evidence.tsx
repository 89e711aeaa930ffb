import { frameNumber } from '../../chain/outline';
import type { Region } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { Chip, Kbd } from '../../ui/basics';
import type { Reading } from './useReading';
import { canDraw } from './useReadingActions';

const marks: Record<string, string> = { point: '·', whole_image: '▣', ellipse: '○', polygon: '⬠' };

const shapeOf = (region: Region) => marks[region.shape] ?? '▭';

const nameOf = (region: Region) => {
  const frame = frameNumber(region);
  if (region.shape === 'whole_image') return t.reading.wholeImage;
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

const RegionMark = ({ region, reading, fixed }: { region: Region; reading: Reading; fixed: boolean }) => {
  const look = reading.looks.find((l) => l.region.id === region.id);
  const name = look ? `${look.number} · ${nameOf(region)}` : nameOf(region);
  return (
    <span style={{ display: 'inline-flex', gap: 2 }}>
      <Chip
        kind={region.adopted ? 'model' : 'mine'}
        lit={reading.s.lit === region.id}
        data-testid={`evidence-${region.id}`}
        onClick={() => reading.toRegion(region)}
        onMouseEnter={() => reading.move({ do: 'light', region: region.id })}
        onMouseLeave={() => reading.move({ do: 'light', region: '' })}
      >
        {shapeOf(region)} {name}
      </Chip>
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
