import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchAhead, fetchFrame, fetchNamed } from './ahead';
import { newCache } from './queries';

const asked: { url: string; signal: AbortSignal; answer: (r: Response) => void }[] = [];
const real = globalThis.fetch;
const picture = (n: number) =>
  new Response(new Uint8Array([n]).buffer, { headers: { 'X-Plumbline-Samples': 'uint8' } });
const nobody = () => new AbortController().signal;
const first = async (response: Response) => [
  new Uint8Array(await response.arrayBuffer())[0],
  response.headers.get('X-Plumbline-Samples'),
];
const answer = (at: number, response: Response) => asked[at]?.answer(response);

beforeEach(() => {
  asked.length = 0;
  globalThis.fetch = (url, init) =>
    new Promise((done, fail) => {
      const signal = init?.signal ?? nobody();
      signal.addEventListener('abort', () => fail(signal.reason));
      asked.push({ url: String(url).replace(/\?r=.*/, ''), signal, answer: done });
    });
});
afterEach(() => {
  globalThis.fetch = real;
});

describe('the picture fetched ahead', () => {
  it('is given once, and asked for anew after that', async () => {
    const cache = newCache();
    fetchAhead(cache, 'C-02', '/f/2');
    answer(0, picture(7));
    expect(await first(await fetchFrame(cache, '/f/2', nobody()))).toEqual([7, 'uint8']);
    void fetchFrame(cache, '/f/2', nobody());
    expect(asked.map((a) => a.url)).toEqual(['/f/2', '/f/2']);
  });

  it('is waited for when the reader is faster', async () => {
    const cache = newCache();
    fetchAhead(cache, 'C-02', '/f/2');
    const got = fetchFrame(cache, '/f/2', nobody());
    answer(0, picture(7));
    expect(await first(await got)).toEqual([7, 'uint8']);
    expect(asked).toHaveLength(1);
  });

  it('leaves every other frame alone', () => {
    const cache = newCache();
    fetchAhead(cache, 'C-02', '/f/2');
    void fetchFrame(cache, '/f/3', nobody());
    expect(asked.map((a) => a.url)).toEqual(['/f/2', '/f/3']);
  });

  it('gives way to the next one: only one waits, and the other’s request is stopped', () => {
    const cache = newCache();
    fetchAhead(cache, 'C-02', '/f/2');
    fetchAhead(cache, 'C-03', '/f/3');
    expect(asked.map((a) => a.signal.aborted)).toEqual([true, false]);
    expect(cache.getQueryCache().getAll()).toHaveLength(1);
  });

  it('is asked for again when fetching it failed', async () => {
    const cache = newCache();
    fetchAhead(cache, 'C-02', '/f/2');
    const got = fetchFrame(cache, '/f/2', nobody());
    answer(0, new Response('', { status: 500 }));
    await new Promise((done) => setTimeout(done, 0));
    answer(1, picture(9));
    expect(await first(await got)).toEqual([9, 'uint8']);
  });

  it('is forgotten with its case, also while it is on its way', async () => {
    const cache = newCache();
    fetchAhead(cache, 'C-02', '/f/2');
    cache.removeQueries({ queryKey: ['case'] });
    expect(asked[0]?.signal.aborted).toBe(true);
    void fetchFrame(cache, '/f/2', nobody());
    expect(asked).toHaveLength(2);
  });

  it('is of no use to who has turned away', async () => {
    const cache = newCache();
    fetchAhead(cache, 'C-02', '/f/2');
    const gone = new AbortController();
    const got = fetchFrame(cache, '/f/2', gone.signal).catch((e) => e.name);
    gone.abort();
    answer(0, picture(7));
    expect(await got).toBe('AbortError');
    expect(asked).toHaveLength(1);
  });
});

describe('a frame that is given up', () => {
  it('is told to the desk by its name, with all that are given up at once', async () => {
    const urls: string[] = [];
    globalThis.fetch = (url, init) => {
      urls.push(String(url));
      return new Promise((_, fail) => init?.signal?.addEventListener('abort', () => fail(init.signal?.reason)));
    };
    const stops = [new AbortController(), new AbortController(), new AbortController()];
    const got = stops.map((stop, i) => fetchNamed(`/f/${i}`, stop.signal).catch((e: Error) => e.name));
    const names = urls.map((url) => new URL(url, 'http://x').searchParams.get('r'));
    expect(new Set(names).size).toBe(3);
    stops[0]?.abort();
    stops[2]?.abort();
    expect(await Promise.all([got[0], got[2]])).toEqual(['AbortError', 'AbortError']);
    expect(urls.slice(3)).toEqual([`/stop/${names[0]},${names[2]}`]);
  });
});
