import { useEffect, useRef, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useCase } from '../../backend/queries';
import type { CaseView, Rubric } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useActions, useKeysOfData, useZone } from '../../ui/actions';
import { Button, Trouble } from '../../ui/basics';
import { drawing, measuring, useDrawing, type ViewerHandle } from '../../viewer';
import { CorrectDialog } from './CorrectDialog';
import { Footer } from './Footer';
import { Header } from './Header';
import { Panel } from './Panel';
import { Picture } from './Picture';
import css from './reading.module.css';
import { nothingAsked } from './state';
import { useReading } from './useReading';
import { readingActions, rubricKeys } from './useReadingActions';
import { useRightWidth } from './useRightWidth';

interface Props {
  id: string;
  reader: string;
  onCase: (id: string) => void;
  onLibrary: () => void;
}

/** ReadingScreen reads one case. */
export const ReadingScreen = (p: Props) => {
  const found = useCase(p.id);
  if (found.isError) {
    return (
      <div style={{ padding: 24, display: 'grid', gap: 12 }}>
        <Trouble title={t.fault.title} text={troubleOf(found.error).text || t.fault.unknown}>
          <Button onClick={() => found.refetch()}>{t.fault.again}</Button>
          <Button onClick={p.onLibrary}>{t.reading.back}</Button>
        </Trouble>
      </div>
    );
  }
  if (!found.data) return <p style={{ padding: 24 }}>{t.loading}</p>;
  return <Desk key={found.data.assignment} {...p} confirmed={found.data} rubric={found.data.rubric} />;
};

const Desk = ({ confirmed, rubric, reader, onCase, onLibrary }: Props & { confirmed: CaseView; rubric: Rubric }) => {
  const reading = useReading(confirmed, rubric);
  const viewer = useRef<ViewerHandle>(null);
  const panel = useRef<HTMLElement>(null);
  const [asking, setAsking] = useState(false);
  const [signFault, setSignFault] = useState('');
  const right = useRightWidth();
  const zone = useZone();
  const { s, view, acts, move } = reading;

  const sign = async () => {
    setSignFault('');
    move({ do: 'show', shown: 'sign' });
    if (view.missing.length > 0 || view.phase === 'signed') return;
    try {
      await acts.sign(view.assignment);
    } catch (reason) {
      setSignFault(troubleOf(reason).text || t.fault.unknown);
    }
  };
  const list = readingActions(reading, { viewer, panel, onCase, onSign: () => void sign() });
  useActions(list);
  useKeysOfData(rubricKeys(reading));

  // The part that is worked on stays in sight, and the keys stay with it unless the reader went to the image.
  const asked = reading.rows.length; // a card grows when its grade is given
  const focusKey = [s.shown, s.chain, s.part, reading.question?.id ?? '', asked].join('\n');
  useEffect(() => {
    const part = focusKey.split('\n')[2] ?? '';
    const card = [...(panel.current?.querySelectorAll('[data-part]') ?? [])].find(
      (e) => e.getAttribute('data-part') === part,
    );
    card?.scrollIntoView({ block: 'nearest' });
  }, [focusKey]);
  // In a card taller than the panel the keys stay in sight too.
  const row = `${focusKey}\n${s.row}`;
  useEffect(() => {
    if (row.endsWith('support')) return; // the card itself was brought into sight
    panel.current?.querySelector('[data-now] [data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [row]);
  // A button that goes away once it is pressed would take the focus, and with it the keys, to nowhere.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  });
  const draws = drawing.includes(s.tool) || measuring.includes(s.tool);
  useDrawing(draws, viewer, panel);

  return (
    <div className={css.screen} style={{ '--right': `${right.width}px` } as React.CSSProperties} data-testid="reading">
      <Header reading={reading} reader={reader} onCase={onCase} onLibrary={onLibrary} actions={list} />
      <Picture reading={reading} viewer={viewer} actions={list} />
      <Panel
        reading={reading}
        panel={panel}
        right={right}
        signFault={signFault}
        onSign={() => void sign()}
        onCase={onCase}
        onCorrect={() => setAsking(true)}
        onLibrary={onLibrary}
      />
      <Footer zone={zone} shown={s.shown} nothing={nothingAsked(view)} />
      <CorrectDialog
        open={asking}
        onClose={() => setAsking(false)}
        onReason={(reason) => {
          setAsking(false);
          move({ do: 'correct', reason });
          if (view.chains.length > 0) move({ do: 'show', shown: 'judge' });
        }}
      />
    </div>
  );
};
