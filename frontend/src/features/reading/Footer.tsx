import type { ActionId } from '../../lib/actions';
import { keyLabel } from '../../lib/keys';
import { t } from '../../lib/texts';
import { useKeyOf, type Zone } from '../../ui/actions';
import { Kbd } from '../../ui/basics';
import css from './reading.module.css';
import type { Shown } from './state';

interface Hint {
  keys: ActionId[];
  text: string;
  range?: string;
}

const digits: Hint = { keys: ['answer-1'], text: t.legend.answer, range: '1–9' };
const common: Hint[] = [
  { keys: ['evidence'], text: t.legend.evidence },
  { keys: ['preset-1'], text: t.legend.window, range: 'F1–F8' },
];

const cases: Hint = { keys: ['previous-case', 'next-case'], text: t.legend.case };

const hints = (zone: Zone, shown: Shown, nothing: boolean): Hint[] => {
  if (nothing) return [...common.slice(1), { keys: ['frame-page-up', 'frame-page-down'], text: t.legend.frame }, cases];
  const commit: Hint = { keys: ['commit'], text: shown === 'look' ? t.legend.commit : t.legend.sign };
  const steps: Hint = { keys: ['next-step', 'previous-step'], text: t.legend.step };
  if (zone === 'image') {
    return [
      { keys: ['preset-1'], text: t.legend.window, range: '1–8' },
      { keys: ['frame-previous', 'frame-next'], text: t.legend.frame },
      { keys: ['evidence'], text: t.legend.evidence },
      { keys: ['invert'], text: t.legend.invert },
      { keys: ['reset'], text: t.legend.reset },
      { keys: ['focus-steps'], text: t.legend.toSteps },
      commit,
    ];
  }
  const rows: Hint = { keys: ['row-up', 'row-down'], text: t.legend.row };
  if (shown === 'look') return [digits, rows, ...common, { keys: ['focus-image'], text: t.legend.toImage }, commit];
  return [digits, rows, steps, ...common, { keys: ['model-regions'], text: t.legend.modelRegions }, commit];
};

/** Footer is the legend of the keys that act where the focus is. */
export const Footer = ({ zone, shown, nothing }: { zone: Zone; shown: Shown; nothing: boolean }) => {
  const keyOf = useKeyOf();
  const name =
    zone === 'image' ? t.reading.zones.image : shown === 'look' ? t.reading.zones.questions : t.reading.zones.steps;
  return (
    <footer className={css.footer}>
      <span data-testid="focus" data-zone-now={zone}>
        {t.reading.focus}: <b>{zone === 'other' ? t.reading.zones.other : name}</b>
      </span>
      {hints(zone, shown, nothing).map((h) => (
        <span key={h.text}>
          {h.range ? (
            <kbd className="kbd">{h.range}</kbd>
          ) : (
            h.keys.map((id) => keyOf(id) && <Kbd key={id} of={keyOf(id)} />)
          )}
          {h.text}
        </span>
      ))}
      <span className={css.end}>
        <kbd className="kbd">{keyLabel(keyOf('help'))}</kbd>
        {t.actions.help}
      </span>
    </footer>
  );
};
