import { describe, expect, it } from 'vitest';
import { SeenRecord, still } from './seen';

describe('the record of what was seen', () => {
  it('keeps dwell and idle apart', () => {
    const r = new SeenRecord(0);
    r.act(10_000);
    const seen = r.take('s1', 10_000 + still + 5_000, 'd');
    expect([seen.dwell_ms, seen.idle_ms]).toEqual([10_000 + still, 5_000]);
  });

  it('counts no time twice, and none before an act that ends a pause as looking', () => {
    const r = new SeenRecord(0);
    r.act(still + 60_000); // a minute of nothing
    const first = r.take('s1', still + 61_000, 'd');
    expect([first.dwell_ms, first.idle_ms]).toEqual([still + 1_000, 60_000]);
    const second = r.take('s1', still + 62_000, 'd');
    expect([second.dwell_ms, second.idle_ms]).toEqual([1_000, 0]);
  });

  it('lists frames and windows once and remembers that the region was there', () => {
    const r = new SeenRecord(0);
    const lung = { center: -600, width: 1500, explanation: 'LUNG' };
    r.glance({ frame: 18, window: lung, zoom: 2, region: true });
    r.glance({ frame: 3, window: { ...lung }, zoom: 1, region: false });
    r.glance({ frame: 18, window: undefined, zoom: 1, region: false });
    expect(r.take('s1', 0, 'd')).toEqual({
      step: 's1',
      frames: [3, 18],
      windows: [lung],
      zoom: 2,
      region_on_screen: true,
      dwell_ms: 0,
      idle_ms: 0,
      display: 'd',
    });
  });
});
