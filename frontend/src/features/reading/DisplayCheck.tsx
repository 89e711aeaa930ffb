import { useDisplayCheck } from '../../backend/session';
import { t } from '../../lib/texts';
import { Chip } from '../../ui/basics';
import { Patches } from '../../ui/Patches';
import css from './reading.module.css';

const answers = [
  { id: 'both', dark: true, bright: true },
  { id: 'dark', dark: true, bright: false },
  { id: 'bright', dark: false, bright: true },
  { id: 'neither', dark: false, bright: false },
] as const;

// The button goes away once it is pressed: the keys go to the questions before that.
const back = (button: HTMLElement) => button.closest<HTMLElement>('[data-zone]')?.focus({ preventScroll: true });

/** DisplayCheck asks once in a session what of the display is to be seen. It bars nothing, and can wait. */
export const DisplayCheck = () => {
  const check = useDisplayCheck();
  if (!check.wanted) return null;
  return (
    <section className={css.display} aria-label={t.display.title} data-testid="display-check">
      <Patches small />
      <div>
        <span className={css.small}>{t.display.question}</span>
        <span className={css.displayAnswers}>
          {answers.map((a) => (
            <Chip
              key={a.id}
              disabled={check.busy}
              data-testid={`display-${a.id}`}
              onClick={(e) => {
                back(e.currentTarget);
                check.say({ dark_seen: a.dark, bright_seen: a.bright });
              }}
            >
              {t.display.answers[a.id]}
            </Chip>
          ))}
          <Chip
            data-testid="display-later"
            onClick={(e) => {
              back(e.currentTarget);
              check.later();
            }}
          >
            {t.display.later}
          </Chip>
        </span>
      </div>
    </section>
  );
};
