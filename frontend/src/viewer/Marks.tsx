import type { ScreenPoint } from '../lib/geometry';
import { edgeLetters, rulerOf, spacingOf } from '../lib/geometryPatient';
import type { Stack } from '../lib/nouns';
import { howMade } from './mpr';
import { probe } from './probe';
import { modality, paddingTest, valueText } from './samples';
import type { Painted, Snapshot } from './screen';
import { spacingText } from './spacing';
import css from './Viewer.module.css';
import { windowText } from './windows';

interface MarksProps {
  caseId: string;
  stack: Stack;
  snap: Snapshot;
  pointer: ScreenPoint | undefined;
  /** Regions without an outline, in words. */
  notes: readonly string[];
}

function probeText(painted: Painted, pointer: ScreenPoint): string {
  const at = probe(painted, pointer);
  if (!at) return '';
  const { frame, picture } = painted;
  const where = `x ${at.column} y ${at.row}`;
  if (picture.color) return `${where} · RGB ${at.samples.join(' ')}`;
  const stored = at.samples[0] as number;
  if (paddingTest(frame)?.(stored)) return `${where} · outside the image`;
  const unit = frame.unit ? ` ${frame.unit}` : '';
  return `${where} · ${valueText(frame, modality(frame)(stored))}${unit}`;
}

/** What stands on the picture in words and marks. */
export function Marks({ caseId, stack, snap, pointer, notes }: MarksProps) {
  const { wanted, inverted, size } = snap;
  // Under trouble there is no picture, so nothing is said of the one before it.
  const painted = snap.trouble ? undefined : snap.painted;
  const frame = painted?.frame;
  const letters = painted ? edgeLetters(painted.frame, painted.camera.turn) : undefined;
  const shown = painted && !painted.picture.color ? windowText(painted.shown) : '';
  const spacing = frame ? spacingOf(frame) : undefined;
  const ruler = painted && spacing ? rulerOf(spacing, painted.view.zoom, size.height * 0.3) : undefined;
  const hints = [
    stack.synthetic ? 'synthetic' : '',
    howMade(stack),
    frame?.lossy ? 'lossy compression' : '',
    inverted ? 'inverted' : '',
  ].filter(Boolean);
  const name = stack.description || stack.modality;
  return (
    <>
      <div className={`${css.corner} ${css.topLeft}`}>
        <div className={css.title}>
          <span className={css.code}>{name ? `${caseId} · ` : caseId}</span>
          {name}
        </div>
        <FrameNumber
          now={painted?.position ?? wanted}
          next={snap.loading ? wanted : undefined}
          of={stack.frames.length}
        />
        {hints.length > 0 ? <div data-mark="hints">{hints.join(' · ')}</div> : null}
        {stack.reasons.map((reason) => (
          <div key={reason} className={css.warning} data-mark="warning" title={reason}>
            ⚠ {reason}
          </div>
        ))}
      </div>
      <div className={`${css.corner} ${css.topRight}`}>
        <div data-mark="window">{shown}</div>
        <div data-mark="spacing">{painted ? spacingText(stack, painted.position) : ''}</div>
        <div data-mark="zoom">{painted ? `zoom ${zoomText(painted.view.zoom)}` : ''}</div>
      </div>
      <div className={`${css.corner} ${css.bottomLeft}`}>
        {notes.map((note) => (
          <div key={note}>{note}</div>
        ))}
        <div data-mark="probe">{painted && pointer ? probeText(painted, pointer) : ''}</div>
      </div>
      <div className={`${css.corner} ${css.bottomRight}`}>
        <div>not for diagnosis</div>
      </div>
      {letters ? (
        <>
          <span className={`${css.letter} ${css.left}`} data-mark="letter">
            {letters.left}
          </span>
          <span className={`${css.letter} ${css.right}`} data-mark="letter">
            {letters.right}
          </span>
          <span className={`${css.letter} ${css.top}`} data-mark="letter">
            {letters.top}
          </span>
          <span className={`${css.letter} ${css.bottom}`} data-mark="letter">
            {letters.bottom}
          </span>
        </>
      ) : null}
      {ruler ? <RulerMark {...ruler} size={size} /> : null}
    </>
  );
}

// The number belongs to the picture: that of a late frame takes its place when the veil does.
function FrameNumber({ now, next, of }: { now: number; next: number | undefined; of: number }) {
  return (
    <div className={css.number}>
      <span className={css.now} data-mark="frame">
        frame {now + 1} / {of}
      </span>
      {next === undefined ? null : (
        <span className={css.next}>
          frame {next + 1} / {of}
        </span>
      )}
    </div>
  );
}

const zoomText = (zoom: number) => `${Number((zoom * (window.devicePixelRatio || 1) * 100).toPrecision(3))} %`;

interface RulerProps {
  length: number;
  parts: number;
  label: string;
  size: { width: number; height: number };
}

function RulerMark({ length, parts, label, size }: RulerProps) {
  const x = size.width - 22;
  const bottom = size.height - 62;
  const top = bottom - length;
  const step = length / parts;
  const ticks = Array.from({ length: parts - 1 }, (_, i) => `M${x - 3} ${top + (i + 1) * step}h6`).join('');
  const d = `M${x} ${top}V${bottom}M${x - 6} ${top}h12M${x - 6} ${bottom}h12${ticks}`;
  return (
    <svg className={css.overlay} aria-hidden="true">
      <path className={css.rulerHalo} d={d} />
      <path className={css.ruler} d={d} data-mark="ruler" data-length={length} />
      <text className={css.rulerText} x={x - 10} y={(top + bottom) / 2 + 4} textAnchor="end" data-mark="ruler-label">
        {label}
      </text>
    </svg>
  );
}
