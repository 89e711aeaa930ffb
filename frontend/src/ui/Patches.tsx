import { t } from '../lib/texts';
import css from './Patches.module.css';

const grey = (percent: number) =>
  `rgb(${Array(3)
    .fill(Math.round(percent * 2.55))
    .join(',')})`;

/** Patches are what a display is checked by: 5 % on black and 95 % on white. */
export const Patches = ({ small }: { small?: boolean }) => (
  <div className={css.patches} data-small={small || undefined}>
    <span className={css.patch} style={{ background: grey(0) }} role="img" aria-label={t.display.dark}>
      <i style={{ background: grey(5) }} />
    </span>
    <span className={css.patch} style={{ background: grey(100) }} role="img" aria-label={t.display.bright}>
      <i style={{ background: grey(95) }} />
    </span>
  </div>
);
