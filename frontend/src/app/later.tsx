import { type ComponentType, useEffect, useState } from 'react';
import { t } from '../lib/texts';

/** Later is a screen whose program comes after the first paint. */
export class Later<Props extends object> {
  /** program is there once it was fetched. */
  program: ComponentType<Props> | undefined;
  private coming: Promise<void> | undefined;

  constructor(private readonly load: () => Promise<ComponentType<Props>>) {}

  /** fetch brings the program, once; after a failure the next call tries again. */
  fetch(): Promise<void> {
    this.coming ??= this.load().then(
      (program) => {
        this.program = program;
      },
      (trouble: unknown) => {
        this.coming = undefined;
        throw trouble;
      },
    );
    return this.coming;
  }
}

/**
 * Arriving shows a screen as soon as its program is there, which mostly it is. React's lazy would show its fallback for a moment
 * even then, and hold the screen back for a third of a second after it. A failure goes to the guard around it.
 */
export const Arriving = <Props extends object>({ screen, given }: { screen: Later<Props>; given: Props }) => {
  const [, setHere] = useState(false);
  const [trouble, setTrouble] = useState<{ reason: unknown }>();
  useEffect(() => {
    if (screen.program) return;
    let shown = true;
    screen.fetch().then(
      () => shown && setHere(true),
      (reason: unknown) => shown && setTrouble({ reason }),
    );
    return () => {
      shown = false;
    };
  }, [screen]);
  if (trouble) throw trouble.reason;
  const { program: Program } = screen;
  return Program ? (
    <Program {...given} />
  ) : (
    <p style={{ padding: 24 }} role="status">
      {t.loading}
    </p>
  );
};
