import { describe, expect, it } from 'vitest';
import { SeenRecord } from './seen';

const s = 1000;
const at = '2026-03-02T09:00:00.000Z';

/** works acts every five seconds from one time to another. */
const works = (r: SeenRecord, from: number, to: number) => {
  for (let now = from; now <= to; now += 5 * s) r.act(now);
};
const times = (r: SeenRecord, now: number) => {
  const seen = r.take('s1', now, 'd');
  return [seen.dwell_ms, seen.idle_ms, seen.breaks];
};

describe('the record of what was seen', () => {
  it('S11: 30 s of work, closed, 20 s of work are 50 s active', () => {
    const first = new SeenRecord(0, at, 60 * s);
    works(first, 0, 30 * s);
    const second = new SeenRecord(0, at, 60 * s); // another start of the program, two hours later
    works(second, 0, 20 * s);
    expect([times(first, 30 * s), times(second, 20 * s)]).toEqual([
      [30 * s, 0, 0],
      [20 * s, 0, 0],
    ]);
  });

  it('S12: 40 s of work, ten minutes away, 20 s of work are 60 s active and 600 s idle', () => {
    const r = new SeenRecord(0, at, 60 * s);
    works(r, 0, 40 * s);
    works(r, 640 * s, 660 * s);
    expect(times(r, 660 * s)).toEqual([60 * s, 600 * s, 1]);
  });

  it('comes out the same however often it is handed over meanwhile', () => {
    const r = new SeenRecord(0, at, 60 * s);
    const all = [0, 0, 0];
    const hand = (now: number) => {
      for (const [i, v] of times(r, now).entries()) all[i] = (all[i] ?? 0) + v;
    };
    for (let now = 0; now <= 660 * s; now += s) {
      if (now <= 40 * s || now >= 640 * s) r.act(now);
      if (now % (20 * s) === 7 * s) hand(now);
    }
    hand(660 * s);
    expect(all).toEqual([60 * s, 600 * s, 1]);
  });

  it('counts a gap up to the limit as active, and nothing while it is open', () => {
    const r = new SeenRecord(0, at, 60 * s);
    expect(times(r, 60 * s)).toEqual([0, 0, 0]);
    r.act(60 * s);
    expect(r.active).toBe(60 * s);
    expect(times(r, 60 * s)).toEqual([60 * s, 0, 0]);
    expect(r.active).toBe(0);
    expect(times(r, 121 * s)).toEqual([0, 61 * s, 1]);
    r.act(122 * s);
    expect(times(r, 122 * s)).toEqual([0, s, 0]);
  });

  it('lists frames and windows once, by image too, and remembers that the region was there, and at a window fit for it', () => {
    const r = new SeenRecord(0, at, 60 * s);
    const lung = { center: -600, width: 1500, explanation: 'LUNG' };
    r.glance({ image: 'ct', frame: 18, window: lung, zoom: 2, region: true, fitting: false });
    r.glance({ image: 'old', frame: 3, window: { ...lung }, zoom: 1, region: false, fitting: true });
    r.glance({ image: 'ct', frame: 18, window: undefined, zoom: 1, region: false, fitting: false });
    const seen = {
      step: 's1',
      frames: [3, 18],
      windows: [lung],
      zoom: 2,
      images: [
        { image: 'ct', frames: [18], windows: [lung], zoom: 2 },
        { image: 'old', frames: [3], windows: [lung], zoom: 1 },
      ],
      region_on_screen: true,
      region_fitting: false,
      dwell_ms: 0,
      idle_ms: 0,
      breaks: 0,
      first_at: at,
      order: 0,
      display: 'd',
    };
    expect(r.take('s1', 0, 'd')).toEqual(seen);
    r.glance({ image: 'ct', frame: 18, window: lung, zoom: 1, region: true, fitting: true });
    expect(r.take('s1', 0, 'd')).toEqual({ ...seen, region_fitting: true });
  });
});
