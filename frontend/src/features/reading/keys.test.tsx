import { cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../backend/client';
import { click, full, fullChain, lookAtAll, open, presets, press } from './testPage';

configure({ asyncUtilTimeout: 15_000 }); // a busy machine is no fault
afterEach(cleanup);
beforeEach(() => {
  localStorage.clear();
  presets.length = 0;
});

const ratings = async (desk: Backend) => (await desk.openCase('C-01')).chains[0]?.ratings ?? [];
const owns = async (desk: Backend) => (await desk.openCase('C-01')).chains[0]?.own_answers ?? [];
const rest = () => waitFor(() => expect(screen.getByTestId('saved').dataset.state).toBe('saved'));

/** answerAll answers by the desk itself whatever a case asks. */
const answerAll = async (desk: Backend, id = 'C-01') => {
  for (const chain of (await desk.openCase(id)).chains) {
    for (const step of chain.answers.flatMap((a) => a.steps)) await desk.rate(`R1/${id}`, chain.id, full(step.id), '');
    await desk.rateChain(`R1/${id}`, chain.id, fullChain, '');
  }
};

describe('keys', () => {
  it('K02: a digit grades where the steps have the focus and sets the window where the image has it, never both', async () => {
    const { desk } = await open();
    await lookAtAll();
    press('3');
    await rest();
    expect([(await ratings(desk))[0]?.support, presets]).toEqual(['unsupported', []]);
    screen.getByTestId('picture').focus();
    fireEvent.keyDown(screen.getByTestId('picture'), { key: '3', code: 'Digit3' });
    expect(presets).toEqual([3]);
    expect((await ratings(desk)).map((r) => r.support)).toEqual(['unsupported']);
  });

  it('K05: a key that was changed acts, and the old one no longer does', async () => {
    const { desk } = await open(undefined, {}, { 'own-answer': [{ scope: 'reading', key: 'F9' }] });
    await lookAtAll();
    press('A', 'KeyA', { shiftKey: true });
    expect(screen.queryByTestId('own-answer')).toBeNull();
    press('F9');
    expect(screen.getByTestId('own-answer').textContent).toContain('F9');
    expect(await owns(desk)).toEqual([]);
  });
});

describe('nothing that was not touched is an answer (L07)', () => {
  it('when a reader goes through steps and rows and says nothing', async () => {
    const { desk } = await open();
    await lookAtAll();
    for (const key of ['j', 'ArrowDown', 'j', 'k', 'ArrowDown']) press(key, key.startsWith('A') ? key : `Key${key}`);
    press('A', 'KeyA', { shiftKey: true });
    press('ArrowDown');
    press('A', 'KeyA', { shiftKey: true });
    const view = await desk.openCase('C-01');
    expect(view.chains.flatMap((c) => [...c.ratings, ...c.own_answers])).toEqual([]);
    expect(view.done).toBe(4);
  });
});

describe('what the reader would have said', () => {
  it('is given by keys, is never needed, and stands there again', async () => {
    const { desk, again } = await open();
    await lookAtAll();
    press('5');
    press('A', 'KeyA', { shiftKey: true });
    press('2');
    await waitFor(async () => expect((await owns(desk))[0]?.answer).toBe('B'));
    const words = screen.getByLabelText('the step in my words');
    fireEvent.change(words, { target: { value: 'Axial MR.' } });
    fireEvent.blur(words);
    await waitFor(async () =>
      expect((await owns(desk))[0]).toMatchObject({ answer: 'B', text: 'Axial MR.', question: 'q1' }),
    );
    press('A', 'KeyA', { shiftKey: true });
    expect(screen.getByTestId('own-open').textContent).toContain('B MR, axial · Axial MR.');
    expect((await ratings(desk))[0]?.support).toBe('not_visual');
    await again();
    expect(screen.getByTestId('own-open').textContent).toContain('Axial MR.');
    expect((await desk.openCase('C-01')).missing.some((m) => m.field.startsWith('own'))).toBe(false);
  });

  it('needs a reason once the case is signed', async () => {
    const { desk, again } = await open();
    await lookAtAll();
    await answerAll(desk);
    await desk.sign('R1/C-01');
    await again();
    press('A', 'KeyA', { shiftKey: true });
    expect(screen.queryByTestId('own-answer')).toBeNull();
    click('phase-sign');
    click('correct');
    click('phase-judge');
    press('A', 'KeyA', { shiftKey: true });
    press('3');
    await waitFor(async () => expect((await owns(desk))[0]?.answer).toBe('C'));
    expect((await desk.openCase('C-01')).revisions).toBe(1);
  });
});

describe('regions', () => {
  it('are undone and redone, stretched over frames, named, and there again (L04)', async () => {
    const { desk, again } = await open();
    await lookAtAll();
    press('1');
    const evidence = async () => (await ratings(desk))[0]?.evidence ?? [];
    click('draws');
    click('draws');
    await waitFor(async () => expect((await evidence()).map((r) => r.id)).toEqual(['mine-1', 'mine-2']));
    press('z', 'KeyZ');
    await waitFor(async () => expect(await evidence()).toHaveLength(1));
    press('Z', 'KeyZ', { shiftKey: true });
    await waitFor(async () => expect(await evidence()).toHaveLength(2));
    press('E', 'KeyE', { shiftKey: true }); // the middle of 40 frames is on the screen
    await waitFor(async () => expect((await evidence())[1]).toMatchObject({ shape: 'box', from: 3, to: 19 }));
    click('label-mine-2');
    fireEvent.change(screen.getByTestId('region-name'), { target: { value: 'spicules' } });
    fireEvent.submit(screen.getByTestId('region-name').closest('form') as Element);
    await waitFor(async () => expect((await evidence())[1]?.label).toBe('spicules'));
    press('g', 'KeyG'); // hiding the model's regions is a view and nothing else
    await again();
    expect(screen.getByTestId('evidence-mine-2').textContent).toContain('spicules · frames 4–20');
    expect(await evidence()).toHaveLength(2);
  });

  it('of a look are attached by their numbers', async () => {
    const { desk } = await open();
    click('draws');
    await lookAtAll();
    press('1');
    press('1'); // the row of evidence has the focus now
    await waitFor(async () => expect((await ratings(desk))[0]?.evidence.map((r) => r.id)).toEqual(['look-1']));
  });
});

describe('a frame that is not there yet (S15)', () => {
  it('is noted with the grade that was given without it, until one is given with it', async () => {
    const { desk } = await open();
    await lookAtAll();
    click('loads');
    press('5');
    await waitFor(async () =>
      expect((await ratings(desk))[0]).toMatchObject({ support: 'not_visual', not_shown: true }),
    );
    press('ArrowDown');
    press('2');
    await waitFor(async () => expect((await ratings(desk))[0]).toMatchObject({ confidence: 2, not_shown: true }));
    click('loads');
    click('support-unsupported');
    await waitFor(async () => expect((await ratings(desk))[0]?.support).toBe('unsupported'));
    expect((await ratings(desk))[0]?.not_shown).toBeFalsy();
  });
});

describe('a session', () => {
  it('asks once what of the display is to be seen, and bars nothing', async () => {
    const { desk, again } = await open();
    expect(await screen.findByTestId('display-check')).toBeTruthy();
    await lookAtAll();
    click('display-dark');
    await waitFor(() => expect(screen.queryByTestId('display-check')).toBeNull());
    expect((await desk.state()).display_checked).toBe(true);
    await again();
    expect(screen.queryByTestId('display-check')).toBeNull();
  });

  it('begins with training, which shows what was expected once it is signed', async () => {
    const { desk, again } = await open(undefined, { training: 1 });
    expect(screen.getByTestId('training').textContent).toBe('training');
    expect((await desk.cases()).map((r) => r.locked !== '')).toEqual([false, ...Array(23).fill(true)]);
    await lookAtAll();
    await answerAll(desk);
    click('phase-sign');
    expect(screen.queryByTestId('training-result')).toBeNull();
    cleanup();
    await again();
    click('phase-sign');
    click('sign');
    const result = await screen.findByTestId('training-result');
    expect(result.textContent).toContain('The nodule lies in the apex');
    expect(result.querySelectorAll('[data-right=false]')).toHaveLength(2);
    expect(screen.queryByTestId('correct')).toBeNull(); // what was expected is seen already
    expect((await desk.cases()).every((r) => r.locked === '')).toBe(true);
  });
});

describe('the chain as a whole', () => {
  it('is answered by keys: Enter confirms the first bad step, digits weigh an omission, and E marks it', async () => {
    const { desk, again } = await open();
    await lookAtAll();
    const [chain] = (await desk.openCase('C-01')).chains;
    const steps = chain?.answers.flatMap((a) => a.steps) ?? [];
    for (const step of steps) await desk.rate('R1/C-01', 'C-01-x', { ...full(step.id), support: 'contradicted' }, '');
    await again();
    for (const _ of steps) press('j', 'KeyJ');
    await screen.findByTestId('row-radpeer');
    const said = async () => (await desk.openCase('C-01')).chains[0]?.rating;
    click('confirm-first-bad');
    await waitFor(async () => expect((await said())?.first_bad_step).toBe('C-01-x.s1'));
    fireEvent.click(screen.getByTestId('row-first_bad_step').querySelector('[aria-checked=true]') as Element);
    await waitFor(async () => expect((await said())?.first_bad_step).toBe(''));
    press('Enter');
    await waitFor(async () => expect((await said())?.first_bad_step).toBe('C-01-x.s1'));
    const words = screen.getByLabelText('A finding that the chain does not mention');
    fireEvent.change(words, { target: { value: 'effusion' } });
    fireEvent.submit(words.closest('form') as Element);
    await waitFor(async () => expect((await said())?.missed).toHaveLength(1));
    press('ArrowUp');
    press('2');
    await waitFor(async () => expect((await said())?.missed[0]?.significance).toBe('b'));
    press('e', 'KeyE');
    click('draws');
    await waitFor(async () => expect((await said())?.missed[0]?.region?.shape).toBe('box'));
  });
});
