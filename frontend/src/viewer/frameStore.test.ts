// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { isAbort } from './frameStore';
import { Frames } from './frames';
import type { Fetch } from './props';
import { testFrame, testStack } from './testFrame';

/** A server whose answers the test gives when it likes. */
function server() {
  const asked: { n: number; signal: AbortSignal; answer: (r: Response) => void; fail: (e: unknown) => void }[] = [];
  const fetcher: Fetch = (url, { signal }) =>
    new Promise((answer, fail) => {
      asked.push({ n: Number(url), signal, answer, fail });
      signal.addEventListener('abort', () => fail(signal.reason));
    });
  const frame = () =>
    new Response(new Int16Array([1, 2, 3, 4]).buffer, { headers: { 'X-Plumbline-Samples': 'int16' } });
  const open = () => asked.filter((a) => !a.signal.aborted).map((a) => a.n);
  const give = async (n: number, response = frame()) => {
    const at = asked.findIndex((a) => a.n === n && !a.signal.aborted);
    asked.splice(at, 1)[0]?.answer(response);
    await settle();
  };
  return { fetcher, asked, open, give };
}

// Every promise that can go on has gone on.
const settle = () => new Promise<void>((done) => setTimeout(done, 0));

const stackOf = (n: number, problemAt = -1) =>
  testStack(Array.from({ length: n }, (_, i) => testFrame({ index: i, problem: i === problemAt ? 'cut short' : '' })));

const store = (s: ReturnType<typeof server>, n = 100, budget = 1e6, dropped: number[] = []) => {
  const pool = new Frames(budget);
  const watcher = pool.open(stackOf(n), (f) => String(f.index), s.fetcher).watch((at) => dropped.push(at));
  return {
    want: (at: number) => watcher.want(at),
    has: (at: number) => watcher.store.has(at),
    held: () => watcher.store.held(),
    close: () => {
      watcher.close();
      pool.close(watcher.store);
    },
  };
};

describe('a store of frames', () => {
  it('fetches the wanted frame first, then its neighbours, two ahead for one behind', async () => {
    const s = server();
    const st = store(s);
    const got = st.want(50);
    expect(s.open()).toEqual([50]);
    await s.give(50);
    expect([...(await got).samples]).toEqual([1, 2, 3, 4]);
    expect(s.open()).toEqual([51, 52, 49]);
    await s.give(51);
    expect(s.open()).toEqual([52, 49, 53]);
    void st.want(50);
    expect(s.open()).toEqual([52, 49, 53]);
  });

  it('looks ahead where the reader is heading', async () => {
    const s = server();
    const st = store(s);
    void st.want(50);
    await s.give(50);
    await s.give(49);
    await s.give(51);
    void st.want(49);
    await settle();
    await s.give(s.open()[0] as number);
    expect(s.asked.map((a) => a.n)).toContain(48);
  });

  it('stops its own requests for frames that are far behind, and only those', async () => {
    const s = server();
    const st = store(s);
    const far = st.want(10).catch(isAbort);
    const near = st.want(60);
    expect(await far).toBe(true);
    expect(s.open()).toEqual([60]);
    const next = st.want(61);
    expect(s.open()).toEqual([60, 61]);
    await s.give(60);
    await s.give(61);
    expect((await near).bytes + (await next).bytes).toBe(16);
  });

  it('stops nothing for a frame that is there already', async () => {
    const s = server();
    const st = store(s);
    void st.want(10);
    for (const n of [10, 11, 12, 9]) await s.give(n);
    const under = s.open();
    void st.want(60).catch(isAbort);
    for (const n of [60, 61, 62, 59]) await s.give(n);
    const now = s.open();
    void st.want(10);
    await settle();
    expect(s.open()).toEqual(now);
    expect(
      under.some((n) => now.includes(n)),
      'but those near the first one had to go',
    ).toBe(false);
  });

  it('asks again for a frame whose request it stopped', async () => {
    const s = server();
    const st = store(s);
    void st.want(10).catch(() => {});
    void st.want(60).catch(() => {});
    const again = st.want(10);
    await settle();
    await s.give(10);
    expect((await again).columns).toBe(4);
  });

  it('keeps within its budget and drops what is farthest', async () => {
    const s = server();
    const dropped: number[] = [];
    const st = store(s, 100, 24, dropped); // room for three frames of 8 bytes
    for (const n of [0, 1, 2, 3, 4]) {
      void st.want(n);
      if (s.open().includes(n)) await s.give(n);
      expect(st.held().bytes).toBeLessThanOrEqual(24);
      expect(st.has(n)).toBe(true);
    }
    expect(dropped).toContain(0);
  });

  it('holds the wanted frame even where it alone is over the budget', async () => {
    const s = server();
    const st = store(s, 100, 4);
    void st.want(5);
    await s.give(5);
    expect(st.has(5)).toBe(true);
    expect(s.open()).toEqual([]);
  });

  it('says why a frame failed, tries again when asked, and lets the others go on', async () => {
    const s = server();
    const st = store(s);
    const bad = st.want(3).catch((e: Error) => e.message);
    await s.give(3, new Response('the pixel data is cut short', { status: 422 }));
    expect(await bad).toBe('the pixel data is cut short');
    expect(s.open()).toEqual([4, 5, 2]);
    const again = st.want(3);
    await s.give(3);
    expect((await again).rows).toBe(1);
    const page = st.want(7).catch((e: Error) => e.message);
    await s.give(7, new Response('<html>', { status: 500 }));
    expect(await page).toBe('the frame could not be had (status 500)');
  });

  it('never asks for a frame that is known to be broken', async () => {
    const s = server();
    const st = new Frames(1e6).open(stackOf(9, 4), (f) => String(f.index), s.fetcher).watch();
    await expect(st.want(4)).rejects.toThrow('cut short');
    await settle();
    expect(s.asked.map((a) => a.n)).not.toContain(4);
    await expect(st.want(99)).rejects.toThrow('no frame 100');
  });

  it('lets everything go when it is closed', async () => {
    const s = server();
    const st = store(s);
    void st.want(1);
    await s.give(1);
    st.close();
    await settle();
    expect(s.open()).toEqual([]);
    expect(st.held()).toMatchObject({ frames: 0, bytes: 0 });
  });

  // P02: the memory of all panes together is bounded
  it('shares one budget with others: what lies farthest from what is looked at goes first', async () => {
    const s = server();
    const pool = new Frames(40); // five frames of 8 bytes
    const { budget } = pool;
    const dropped: string[] = [];
    const open = (image: string) =>
      pool
        .open({ ...stackOf(100), image }, (f) => String(f.index), s.fetcher)
        .watch((at) => dropped.push(`${image}${at}`));
    const [a, b] = [open('a'), open('b')];
    void a.want(10);
    for (const n of [10, 11]) await s.give(n); // two of its own beside the other
    void b.want(50);
    for (const n of [50, 51]) await s.give(n);
    expect(budget.used()).toBeLessThanOrEqual(40);
    void b.want(52);
    if (s.open().includes(52)) await s.give(52);
    void b.want(53);
    if (s.open().includes(53)) await s.give(53);
    expect(budget.used()).toBeLessThanOrEqual(40);
    expect([a.store.has(10), b.store.has(53)]).toEqual([true, true]);
    expect(dropped[0]).toBe('b50');
    b.close();
    pool.close(b.store);
    expect(budget.used()).toBe(a.store.held().bytes);
    expect(budget.share()).toBe(40);
  });

  it('fetches and holds an image once, however many panes look at it, around each of them', async () => {
    const s = server();
    const pool = new Frames(1e6);
    const open = () => pool.open(stackOf(100), (f) => String(f.index), s.fetcher);
    const [a, b] = [open().watch(), open().watch()];
    expect(a.store).toBe(b.store);
    const both = [a.want(10), b.want(10)];
    expect(s.open()).toEqual([10]);
    await s.give(10);
    const [one, other] = await Promise.all(both);
    expect(one).toBe(other);
    void b.want(60);
    expect(s.open(), 'the neighbours of the other pane are still wanted').toEqual([11, 12, 9, 60]);
    await s.give(60);
    expect(a.store.held().bytes).toBe(16);
    b.close();
    pool.close(b.store);
    expect([a.store.has(10), a.store.has(60)]).toEqual([true, true]);
    a.close();
    pool.close(a.store);
    expect(a.store.held().bytes).toBe(0);
  });

  it('fetches nothing ahead anywhere while a pane waits for its frame', async () => {
    const s = server();
    const pool = new Frames(1e6);
    const open = (image: string) =>
      pool
        .open(
          { ...stackOf(100), image },
          (f) => image + f.index,
          (url, init) => s.fetcher(url.slice(1), init),
        )
        .watch();
    const [a, b] = [open('a'), open('b')];
    void a.want(10);
    void b.want(50);
    await s.give(10);
    expect(s.open(), 'the other pane waits').toEqual([50]);
    await s.give(50);
    expect(s.open(), 'then both in turn').toEqual([11, 51, 12]);
  });

  it('gives a frame that is needed wherever the panes go', async () => {
    const s = server();
    const pool = new Frames(1e6);
    const pane = pool.open(stackOf(100), (f) => String(f.index), s.fetcher).watch();
    const got = pane.store.need(90);
    void pane.want(0);
    await s.give(90);
    expect((await got).columns).toBe(4);
  });
});
