import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { click, commit, full, fullChain, lookAtAll, open, Page, press } from './testPage';

configure({ asyncUtilTimeout: 15_000 }); // a busy machine is no fault
afterEach(cleanup);
beforeEach(() => localStorage.clear());

describe('the look', () => {
  it('asks one question at a time, nothing preselected, and shows no model before all are locked', async () => {
    await open();
    expect(screen.queryByTestId('question-q2')).toBeNull();
    expect(document.querySelectorAll('[aria-checked=true]')).toHaveLength(0);
    commit();
    expect(screen.queryByTestId('locked-q1')).toBeNull(); // an answer and a confidence are needed
    await lookAtAll();
    expect(screen.getByTestId('phase').dataset.phase).toBe('judge');
  });

  it('says nothing of the chains, in any attribute, before the judge phase', async () => {
    await open();
    click('phase-judge');
    expect(screen.getByTestId('phase').dataset.shown).toBe('look');
    expect(document.body.innerHTML).not.toMatch(/spiculated|C-01-x/);
  });

  it('keeps a draft that is not committed', async () => {
    const { again } = await open();
    click('option-B');
    click('confidence-2');
    await again();
    expect(screen.getByTestId('option-B').getAttribute('aria-checked')).toBe('true');
    expect(screen.getByTestId('confidence-2').getAttribute('aria-checked')).toBe('true');
  });
});

describe('the judge phase', () => {
  it('saves each click at once, and the next row takes the next digit', async () => {
    const { desk } = await open();
    await lookAtAll();
    press('5'); // not visual
    await waitFor(() => expect(screen.getByTestId('saved').dataset.state).toBe('saved'));
    const rating = (await desk.openCase('C-01')).chains[0]?.ratings[0];
    expect(rating).toMatchObject({ support: 'not_visual', confidence: 0 });
    press('ArrowDown'); // past the evidence, which is not needed
    press('2');
    await waitFor(async () => expect((await desk.openCase('C-01')).chains[0]?.ratings[0]?.confidence).toBe(2));
  });

  it('counts two quick choices in one row both', async () => {
    const { desk } = await open();
    await lookAtAll();
    click('support-unsupported');
    click('error-false_finding');
    click('error-wrong_technique');
    await waitFor(async () =>
      expect((await desk.openCase('C-01')).chains[0]?.ratings[0]?.error).toEqual(['false_finding', 'wrong_technique']),
    );
  });

  it('goes to the answer that is missing', async () => {
    await open();
    await lookAtAll();
    click('phase-sign');
    const missing = screen.getByTestId('missing').querySelectorAll('button');
    const radpeer = [...missing].find((b) => b.textContent?.includes('RADPEER'));
    fireEvent.click(radpeer as Element);
    expect(screen.getByTestId('row-radpeer').dataset.active).toBe('true');
  });

  it('shows a failed save loudly, keeps it, and saves it when the desk can again', async () => {
    let full = false;
    const fault = { kind: 'refused', op: 'rate', of: '', text: 'no space left' };
    const { desk } = await open((act) => (full && act === 'rate' ? fault : undefined));
    await lookAtAll();
    full = true;
    click('support-contradicted');
    expect((await screen.findByTestId('save-trouble')).textContent).toContain('no space left');
    expect(screen.getByTestId('saved').dataset.state).toBe('failed');
    expect(screen.getByTestId('support-contradicted').getAttribute('aria-checked')).toBe('true');
    full = false;
    fireEvent.click(screen.getByText('Try again'));
    await waitFor(() => expect(screen.getByTestId('saved').dataset.state).toBe('saved'));
    expect((await desk.openCase('C-01')).chains[0]?.ratings[0]?.support).toBe('contradicted');
  });
});

describe('a signed case', () => {
  it('changes only by a correction with a reason, which is a new revision', async () => {
    const { desk } = await open();
    await lookAtAll();
    click('support-supported');
    const view = await desk.openCase('C-01');
    for (const chain of view.chains) {
      for (const step of chain.answers.flatMap((a) => a.steps)) {
        await desk.rate(view.assignment, chain.id, full(step.id), '');
      }
      await desk.rateChain(view.assignment, chain.id, fullChain, '');
    }
    await desk.sign(view.assignment);
    cleanup();
    render(<Page desk={desk} />);
    await screen.findByTestId('panel');
    click('support-contradicted');
    expect(screen.getByTestId('saved').dataset.state).toBe('saved');
    expect((await desk.openCase('C-01')).chains[0]?.ratings[0]?.support).toBe('supported');
    click('phase-sign');
    click('correct');
    click('phase-judge');
    click('support-contradicted');
    await waitFor(async () =>
      expect((await desk.openCase('C-01')).chains[0]?.ratings.find((r) => r.step === 'C-01-x.s1')?.support).toBe(
        'contradicted',
      ),
    );
    expect((await desk.openCase('C-01')).revisions).toBe(1);
  });
});
