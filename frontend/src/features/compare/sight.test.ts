import { describe, expect, test } from 'vitest';
import type { Arm, Comparison, Frame, Stack } from '../../lib/nouns';
import { differenceFetcher, differenceStack, subtracted } from './difference';
import { nextChanged, positionOf, sightOf } from './sight';

const frame = (index: number, more = {}) =>
  ({ index, rows: 2, columns: 2, samples: 1, bits_stored: 12, unit: 'HU', ...more }) as Frame;
const stack = (image: string, ...indices: number[]) => ({ image, frames: indices.map((i) => frame(i)) }) as Stack;
const own = stack('ct', 0, 1, 2, 3);
const of = { stacks: [own], questions: [], arms: [] } as unknown as Comparison;
const arm = (image: string, pictures: unknown[] = []) =>
  ({ origin: { condition: { image } }, pictures, answers: [] }) as unknown as Arm;
const picture = (stacks: Stack[], more = {}) => ({
  questions: ['q1'],
  recipe: { image: 'occ', frames: [1, 2, 0], fill: 'tissue' },
  changed: [[1, 2], [0]],
  stacks,
  reason: '',
  ...more,
});

describe('what an arm saw', () => {
  test('the case’s own image where no picture is told', () => {
    expect(sightOf(of, arm('original'), 'q1', 0)).toMatchObject({ stack: own, made: false, changed: [] });
    expect(sightOf(of, arm('occ', [picture([own])]), 'q2', 0)).toMatchObject({ stack: own, made: false });
  });
  test('no image at all', () => {
    expect(sightOf(of, arm('none'), 'q1', 0)).toMatchObject({ stack: undefined, image: 'none' });
  });
  test('the picture that was made, with the frames that were changed', () => {
    expect(sightOf(of, arm('occ', [picture([own])]), 'q1', 0)).toMatchObject({
      made: true,
      changed: [1, 2],
      fill: 'tissue',
    });
  });
  test('of several images each with the frames that were changed in it', () => {
    const two = { ...of, stacks: [own, stack('other', 0, 1)] } as unknown as Comparison;
    const arms = arm('occ', [picture([own, stack('other', 0, 1)])]);
    expect([0, 1].map((k) => sightOf(two, arms, 'q1', k).changed)).toEqual([[1, 2], [0]]);
  });
  test('one of several images of which nothing was sent', () => {
    const two = { ...of, stacks: [own, stack('other', 0, 1)] } as unknown as Comparison;
    const some = arm('key', [picture([own, stack('other')], { reason: 'no frame of the image is sent' })]);
    expect(sightOf(two, some, 'q1', 0)).toMatchObject({ made: true, stack: own });
    expect(sightOf(two, some, 'q1', 1)).toMatchObject({ stack: undefined, reason: 'no frame of the image is sent' });
  });
  test('another patient’s image stands where the case’s does', () => {
    const donor = picture([stack('other', 0, 1)], { recipe: { image: 'swap', frames: [], donor: 'case-9' } });
    expect(sightOf(of, arm('swap', [donor]), 'q1', 0)).toMatchObject({ stack: { image: 'ct' }, donor: 'case-9' });
  });
  test('why a picture cannot be made again', () => {
    expect(sightOf(of, arm('occ', [picture([], { reason: 'gone' })]), 'q1', 0)).toMatchObject({
      stack: undefined,
      reason: 'gone',
    });
  });
});

test('a frame is found by its number, or the nearest one where it was not sent', () => {
  expect(positionOf(stack('ct', 4, 7, 9), 7)).toBe(1);
  expect(positionOf(stack('ct', 4, 7, 9), 20)).toBe(2);
  expect(positionOf(stack('ct', 9, 4, 7), 5)).toBe(1);
});

test('changed frames one after another', () => {
  expect(nextChanged([2, 5], 2, 1)).toBe(5);
  expect(nextChanged([2, 5], 5, 1)).toBeUndefined();
  expect(nextChanged([2, 5], 4, -1)).toBe(2);
  expect(nextChanged([], 4, -1)).toBeUndefined();
});

describe('the difference', () => {
  test('of the frames that both have, in their unit and around 0', () => {
    const made = differenceStack(own, stack('ct', 1, 3, 8));
    expect(made?.frames.map((f) => f.index)).toEqual([1, 3]);
    expect(made?.frames[0]).toMatchObject({ intercept: 0, windows: [{ center: 0, width: 400 }] });
  });
  test('not of other sizes, nor of colour', () => {
    expect(differenceStack(own, { ...own, frames: [frame(0, { rows: 3 })] })).toBeUndefined();
    expect(differenceStack(own, { ...own, frames: [frame(0, { samples: 3 })] })).toBeUndefined();
    expect(differenceStack(undefined, own)).toBeUndefined();
  });
  test('after − before, held within 16 bits', () => {
    expect([...subtracted(Int16Array.of(1, -5, 30000), Int16Array.of(4, -9, -30000))]).toEqual([3, -4, -32768]);
  });
  test('is fetched as a frame of its own, and a failure of either is one', async () => {
    const samples = (v: number[]) =>
      new Response(Int16Array.from(v).buffer, { headers: { 'X-Plumbline-Samples': 'int16' } });
    const served: Record<string, () => Response> = {
      a: () => samples([1, 2]),
      b: () => samples([5, 1]),
      short: () => samples([5]),
      gone: () => new Response('no such frame', { status: 404 }),
    };
    const before = globalThis.fetch;
    globalThis.fetch = async (url) => served[String(url)]?.() ?? new Response('', { status: 500 });
    const get = (a: string, b: string) =>
      differenceFetcher(
        () => a,
        () => b,
      )('difference:0', { signal: new AbortController().signal });
    try {
      const got = await get('a', 'b');
      expect([...new Int16Array(await got.arrayBuffer())]).toEqual([4, -1]);
      expect(got.headers.get('X-Plumbline-Samples')).toBe('int16');
      expect((await get('a', 'gone')).status).toBe(404);
      expect((await get('a', 'short')).status).toBe(422);
    } finally {
      globalThis.fetch = before;
    }
  });
});
