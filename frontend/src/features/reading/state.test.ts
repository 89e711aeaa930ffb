import { describe, expect, it } from 'vitest';
import { fakeBackend } from '../../backend/fake';
import type { Region } from '../../lib/nouns';
import { begin, lookRegions, named, neighbour, openQuestion, placeOf, readOnly, reduce } from './state';

const box = (id: string): Region => ({ id, image: 'ct', frame: 3, shape: 'box', coords: [0, 0, 0.1, 0.1] });

const opened = async (looks: number) => {
  const desk = fakeBackend({ open: true });
  const questions = ['q1', 'q2', 'q3', 'q4'];
  for (const [i, q] of questions.slice(0, looks).entries()) {
    await desk.look('R1/C-01', { question: q, answer: 'A', confidence: 1, evidence: [box(`look-${i + 1}`)] });
  }
  return desk.openCase('C-01');
};

describe('the reading screen', () => {
  it('begins at the look while a question is open', async () => {
    const view = await opened(2);
    const s = begin(view, {});
    expect([s.shown, s.row, s.chain, s.part]).toEqual(['look', 'answer', '', '']);
    expect(openQuestion(view)?.id).toBe('q3');
  });

  it('begins at the step that was left', async () => {
    const view = await opened(4);
    const s = begin({ ...view, place: { case: 'C-01', phase: 'judge', chain: 'C-01-y', step: 'C-01-y.s3' } }, {});
    expect([s.shown, s.chain, s.part]).toEqual(['judge', 'C-01-y', 'C-01-y.s3']);
    expect(begin(view, {}).part).toBe('C-01-x.s1');
  });

  it('goes through steps, the whole chain, and on to the next chain', async () => {
    const view = await opened(4);
    let s = begin(view, {});
    const way: string[] = [s.part];
    for (let to = neighbour(view, s, 1); to; to = neighbour(view, s, 1)) {
      s = reduce(s, { do: 'part', ...to });
      way.push(s.part);
    }
    expect(way).toHaveLength(14);
    expect(way[6]).toBe('chain');
    expect(way[7]).toBe('C-01-y.s1');
    expect(neighbour(view, begin(view, {}), -1)).toBeUndefined();
  });

  it('goes to the row that is missing, and keeps the row when a part is opened again', async () => {
    const view = await opened(4);
    const at = placeOf({ chain: 'C-01-x', part: 'chain', field: 'radpeer', text: '' });
    let s = reduce(begin(view, {}), { do: 'part', chain: at.chain, part: at.part, row: at.row });
    expect([s.part, s.row]).toEqual(['chain', 'radpeer']);
    s = reduce(s, { do: 'part', chain: 'C-01-x', part: 'chain' });
    expect(s.row).toBe('radpeer');
    s = reduce(s, { do: 'part', chain: 'C-01-x', part: 'C-01-x.s1' });
    expect(s.row).toBe('support');
    expect(placeOf({ chain: '', part: 'q2', field: 'answer', text: '' }).shown).toBe('look');
  });

  it('changes nothing of a signed case without a reason', async () => {
    const view = { ...(await opened(4)), phase: 'signed' };
    const s = begin(view, {});
    expect(readOnly(view, s)).toBe(true);
    expect(readOnly(view, reduce(s, { do: 'correct', reason: 'misread' }))).toBe(false);
  });

  it('puts the tool away when it turns to something else', async () => {
    const s = reduce(begin(await opened(4), {}), { do: 'tool', tool: 'box' });
    expect(reduce(s, { do: 'part', chain: 'C-01-x', part: 'C-01-x.s2' }).tool).toBe('window');
    expect(reduce(s, { do: 'show', shown: 'sign' }).tool).toBe('window');
  });
});

describe('regions', () => {
  it('of the looks are numbered through', async () => {
    expect(lookRegions(await opened(3)).map((l) => [l.number, l.region.id])).toEqual([
      [1, 'look-1'],
      [2, 'look-2'],
      [3, 'look-3'],
    ]);
  });

  it('that are drawn get an id that is free, whatever was removed before', () => {
    const first = named(box(''), 'mine', []);
    expect(first.id).toBe('mine-1');
    const second = named(box(''), 'mine', [first]);
    expect(named(box(''), 'mine', [second]).id).toBe('mine-3');
    expect(named(box(''), 'mine', [box('whole'), second]).id).toBe('mine-3');
  });
});
