import { describe, expect, it } from 'vitest';
import { unrated } from '../lib/rubric';
import { troubleOf } from './client';
import { fakeBackend } from './fake';

const look = (question: string) => ({ question, answer: 'A', confidence: 2, evidence: [] });
const at = 'R1/C-01';

const lockAll = async (desk: ReturnType<typeof fakeBackend>) => {
  for (const q of ['q1', 'q2', 'q3', 'q4']) await desk.look(at, look(q));
};

describe('the desk that the screens are tried on', () => {
  it('hides every chain until every question is locked', async () => {
    const desk = fakeBackend({ open: true });
    for (const q of ['q1', 'q2', 'q3']) {
      expect((await desk.look(at, look(q))).chains).toEqual([]);
      expect((await desk.openCase('C-01')).chains).toEqual([]);
    }
    expect((await desk.look(at, look('q4'))).chains).toHaveLength(2);
    expect((await desk.openCase('C-01')).phase).toBe('judge');
  });

  it('locks a look, and keeps the order of the questions', async () => {
    const desk = fakeBackend({ open: true });
    await expect(desk.look(at, look('q2'))).rejects.toMatchObject({ kind: 'refused' });
    await desk.look(at, look('q1'));
    await expect(desk.look(at, look('q1'))).rejects.toMatchObject({ kind: 'refused' });
  });

  it('refuses to sign what is not complete, and names what is missing', async () => {
    const desk = fakeBackend({ open: true });
    await lockAll(desk);
    await expect(desk.sign(at)).rejects.toMatchObject({ kind: 'refused' });
    const view = await desk.openCase('C-01');
    expect(view.missing.some((m) => m.part === 'chain' && m.field === 'radpeer')).toBe(true);
    const first = view.chains[0]?.answers[0]?.steps[0];
    const chain = view.chains[0]?.id ?? '';
    const saved = await desk.rate(at, chain, { ...unrated(first?.id ?? ''), support: 'not_visual', confidence: 1 }, '');
    expect(saved.missing.some((m) => m.part === first?.id)).toBe(false);
  });

  it('keeps readers apart', async () => {
    const desk = fakeBackend({ open: true });
    await lockAll(desk);
    await desk.setReader('R2');
    expect((await desk.openCase('C-01')).phase).toBe('look');
  });

  it('gives no report to a reader', async () => {
    await expect(fakeBackend({ open: true, role: 'reader' }).report()).rejects.toMatchObject({ kind: 'refused' });
  });
});

describe('the reason of a rejected promise', () => {
  it.each([
    [{ kind: 'busy', op: 'open', of: '/x', text: 'in use' }, 'busy', 'in use'],
    ['{"kind":"io","text":"disk full"}', 'io', 'disk full'],
    ['plain words', 'internal', 'plain words'],
    [new Error('boom'), 'internal', 'boom'],
    [undefined, 'internal', ''],
    ['17', 'internal', '17'],
  ])('%o', (reason, kind, text) => {
    expect(troubleOf(reason)).toMatchObject({ kind, text });
  });
});
