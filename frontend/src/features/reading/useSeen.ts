// The record of what was seen goes to the desk when the reader turns to another step, and now and then while they stay.
import { useCallback, useEffect, useRef } from 'react';
import { useBackend } from '../../backend/queries';
import type { Region } from '../../lib/nouns';
import { SeenRecord } from '../../lib/seen';
import { type SeenPicture, showed } from '../../viewer';
import type { Reading } from './useReading';

const every = 10_000;
const enough = 500; // a shorter look is a passing through

/** useSeen gives what the viewer tells its pictures to. Nothing is recorded of a signed case. */
export const useSeen = (reading: Reading) => {
  const backend = useBackend();
  const { view, s, step } = reading;
  const judging = s.shown === 'judge' && step !== undefined;
  const chain = judging ? s.chain : '';
  const part = judging ? s.part : '';
  const { assignment } = view;
  const limit = view.idle_limit_ms;
  const open = view.phase !== 'signed' && assignment !== '';
  const record = useRef<SeenRecord>(undefined);
  const last = useRef<readonly SeenPicture[]>([]); // in every pane
  const cited = useRef<Region[]>([]);
  cited.current = judging ? step.step.regions : [];

  const glance = useCallback((seen: SeenPicture) => {
    record.current?.glance({
      image: seen.image,
      frame: seen.frame,
      window: seen.window,
      zoom: seen.zoom,
      region: cited.current.some((r) => showed(seen, r)),
      fitting: cited.current.some((r) => showed(seen, r) && seen.fits(r)),
    });
  }, []);
  const look = useCallback(
    (seen: SeenPicture, all: readonly SeenPicture[]) => {
      last.current = all;
      glance(seen);
    },
    [glance],
  );

  useEffect(() => {
    if (!open) return;
    const now = new SeenRecord(performance.now(), new Date().toISOString(), limit);
    record.current = now;
    for (const seen of last.current) glance(seen); // what is on the screen already
    const display = `${window.screen.width}x${window.screen.height}@${window.devicePixelRatio}`;
    const hand = () => {
      const seen = now.take(part, performance.now(), display);
      // A record that cannot be kept is no reason to trouble the reader: nothing they said is in it.
      if (seen.dwell_ms + seen.idle_ms >= enough) backend.seen(assignment, chain, seen).catch(() => {});
    };
    const act = () => now.act(performance.now());
    const leave = () => {
      act(); // to turn to something else is an act too
      hand();
    };
    // Idle time goes along with the next active time: a break is no stream of records.
    const meanwhile = () => now.active >= enough && hand();
    const timer = setInterval(meanwhile, every);
    window.addEventListener('blur', meanwhile);
    window.addEventListener('pagehide', leave);
    for (const event of acts) window.addEventListener(event, act, { passive: true });
    return () => {
      clearInterval(timer);
      for (const event of acts) window.removeEventListener(event, act);
      window.removeEventListener('blur', meanwhile);
      window.removeEventListener('pagehide', leave);
      record.current = undefined;
      leave();
    };
  }, [backend, assignment, chain, part, open, glance, limit]);

  return look;
};

const acts = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;
