import { describe, expect, it } from 'vitest';
import { SaveQueue } from './queue';

// A desk that answers when it is told to, and a clock that moves when it is told to.
const bench = () => {
  const timers: (() => void)[] = [];
  const queue = new SaveQueue(
    (reason) => ({ text: String(reason), again: reason !== 'refused' }),
    (_, then) => void timers.push(then),
  );
  const said: string[] = [];
  const open: { what: string; done: (fault?: string) => Promise<void> }[] = [];
  const save = (what: string) => () =>
    new Promise<void>((resolve, reject) => {
      open.push({
        what,
        done: async (fault) => {
          if (fault) reject(fault);
          else {
            said.push(what);
            resolve();
          }
          for (let i = 0; i < 6; i++) await Promise.resolve();
        },
      });
    });
  const next = async (fault?: string) => {
    const first = open.shift();
    if (!first) throw new Error('nothing was asked of the desk');
    await first.done(fault);
    return first.what;
  };
  return { queue, said, open, save, next, tick: () => timers.shift()?.() };
};

describe('the save queue', () => {
  it('keeps the order within a key and asks of different keys at once', async () => {
    const b = bench();
    void b.queue.add('k', 1, b.save('k1'));
    void b.queue.add('k', 2, b.save('k2'));
    void b.queue.add('l', 1, b.save('l1'));
    expect(b.open.map((o) => o.what)).toEqual(['k1', 'l1']);
    await b.next();
    expect(b.open.map((o) => o.what)).toEqual(['l1', 'k2']);
    await b.next();
    await b.next();
    expect(b.said).toEqual(['k1', 'l1', 'k2']);
    expect(b.queue.snapshot().waiting).toEqual([]);
  });

  it('holds a value as waiting until the desk has answered', async () => {
    const b = bench();
    let settled = false;
    void b.queue.add('k', 'v', b.save('k')).then(() => {
      settled = true;
    });
    expect(b.queue.snapshot().waiting).toEqual([{ key: 'k', value: 'v' }]);
    expect(settled).toBe(false);
    await b.next();
    expect(settled).toBe(true);
  });

  it('says a failure, keeps the value, and tries again in the same order', async () => {
    const b = bench();
    void b.queue.add('k', 1, b.save('k1'));
    void b.queue.add('k', 2, b.save('k2'));
    await b.next('disk full');
    expect(b.queue.snapshot().failures).toEqual([{ key: 'k', text: 'disk full', kind: 'again' }]);
    expect(b.queue.snapshot().waiting).toHaveLength(2);
    expect(b.open).toEqual([]);
    b.tick();
    expect(await b.next()).toBe('k1');
    expect(await b.next()).toBe('k2');
    expect(b.queue.snapshot()).toEqual({ waiting: [], failures: [] });
  });

  it('leaves what was refused to the reader: tried again only on their word', async () => {
    const b = bench();
    void b.queue.add('k', 1, b.save('k1'));
    await b.next('refused');
    b.tick();
    expect(b.open).toEqual([]);
    expect(b.queue.snapshot().failures[0]?.kind).toBe('stuck');
    b.queue.retry('k');
    await b.next();
    expect(b.said).toEqual(['k1']);
  });

  it('drops a value only when the reader takes it back', async () => {
    const b = bench();
    const gone = b.queue.add('k', 1, b.save('k1'));
    await b.next('refused');
    b.queue.takeBack('k');
    await gone;
    expect(b.queue.snapshot()).toEqual({ waiting: [], failures: [] });
    expect(b.said).toEqual([]);
  });

  it('is idle for a prefix once nothing under it waits', async () => {
    const b = bench();
    void b.queue.add('a/1', 1, b.save('a1'));
    void b.queue.add('b/1', 1, b.save('b1'));
    let idle = false;
    void b.queue.idle('a/').then(() => {
      idle = true;
    });
    await b.next();
    expect(idle).toBe(true);
    expect(b.queue.snapshot().waiting).toHaveLength(1);
  });

  it('gives the same snapshot until something changes', () => {
    const b = bench();
    expect(b.queue.snapshot()).toBe(b.queue.snapshot());
    const before = b.queue.snapshot();
    void b.queue.add('k', 1, b.save('k'));
    expect(b.queue.snapshot()).not.toBe(before);
  });
});
