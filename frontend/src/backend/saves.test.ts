import { describe, expect, it } from 'vitest';
import { unrated, unratedChain } from '../lib/rubric';
import { fakeBackend } from './fake';
import { asShown, settled } from './saves';

const opened = async () => {
  const desk = fakeBackend({ open: true });
  for (const q of ['q1', 'q2', 'q3', 'q4']) {
    await desk.look('R1/C-01', { question: q, answer: 'A', confidence: 1, evidence: [] });
  }
  return { desk, view: await desk.openCase('C-01') };
};

describe('what is shown', () => {
  it('is what the desk confirmed while nothing waits', async () => {
    const { view } = await opened();
    expect(asShown(view, [])).toBe(view);
  });

  it('is the newest of what waits, over what was confirmed', async () => {
    const { view } = await opened();
    const key = 'R1/C-01|rating|C-01-x|C-01-x.s1';
    const said = (support: string) => ({ ...unrated('C-01-x.s1'), support });
    const shown = asShown(view, [
      { key, value: said('partly') },
      { key, value: said('supported') },
      { key: 'R1/C-01|chain|C-01-y', value: { ...unratedChain(), radpeer: '2a' } },
      { key: 'R1/C-02|rating|C-01-x|C-01-x.s2', value: said('contradicted') },
    ]);
    expect(shown.chains[0]?.ratings).toEqual([said('supported')]);
    expect(shown.chains[1]?.rating?.radpeer).toBe('2a');
    expect(view.chains[0]?.ratings).toEqual([]);
  });

  it('counts as saved with the time that the desk gave, and a change of an answer as a revision', async () => {
    const { desk, view } = await opened();
    const saved = await desk.rate('R1/C-01', 'C-01-x', { ...unrated('C-01-x.s1'), support: 'partly' }, '');
    const now = settled(view, { ...saved, revision: 2 });
    expect([now.saved_at, now.revisions, now.chains]).toEqual([saved.at, view.revisions + 1, view.chains]);
    expect(settled(view, { ...saved, revision: 1 }).revisions).toBe(view.revisions);
  });
});
