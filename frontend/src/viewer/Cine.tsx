import type { Screen, Snapshot } from './screen';
import css from './Viewer.module.css';

const faster = 1.25;
const rateText = (rate: number) => String(Number(rate.toPrecision(rate < 10 ? 2 : 3)));

interface CineProps {
  screen: Screen | undefined;
  snap: Snapshot;
}

/** The pace of cine, and how far the pictures keep up with it. No frame is skipped: they come later instead, and that is said. */
export function Cine({ screen, snap }: CineProps) {
  if (!screen) return null;
  const { rate, ofFile } = screen.rate();
  const { shownRate } = snap;
  const behind = shownRate > 0 && shownRate < rate * 0.9;
  const source = snap.pace !== 1 ? `${rateText(snap.pace)} ×` : ofFile ? 'of the file' : 'assumed';
  const act = (label: string, text: string, run: () => void) => (
    <button type="button" aria-label={label} title={label} onClick={run}>
      {text}
    </button>
  );
  return (
    <div
      className={css.cine}
      role="group"
      aria-label="Cine"
      data-mark="cine"
      onPointerDown={(e) => e.stopPropagation()}
      onDoubleClick={(e) => e.stopPropagation()}
    >
      {act('Slower', '−', () => screen.setPace(1 / faster))}
      <span
        title={ofFile ? 'frames a second, by the times in the file' : 'frames a second; the file has no frame times'}
      >
        {rateText(rate)}/s <i>{source}</i>
        {behind ? <b> · {rateText(shownRate)} shown</b> : null}
      </span>
      {act('Faster', '+', () => screen.setPace(faster))}
      {act('As the file says', '=', () => screen.setPace())}
    </div>
  );
}
