import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Action } from '../lib/actions';
import type { Remap } from '../lib/keys';
import { ActionsProvider, useActions, useKeysOfData } from './actions';

afterEach(cleanup);

const Desk = ({ actions }: { actions: Action[] }) => {
  useActions(actions);
  return (
    <>
      <button type="button" data-zone="image" data-testid="image">
        image
      </button>
      <section data-zone="steps" data-testid="steps" tabIndex={-1}>
        <textarea data-testid="text" />
        <button type="button" data-testid="button">
          option
        </button>
      </section>
      <p data-testid="elsewhere" tabIndex={-1} />
    </>
  );
};

const bench = (remap: Remap = {}, can?: () => string) => {
  const heard: string[] = [];
  const ids = ['answer-3', 'preset-3', 'next-step', 'next-case', 'commit', 'reset', 'help'] as const;
  const actions = ids.map((id): Action => ({ id, can, run: () => void heard.push(id) }));
  render(
    <ActionsProvider remap={remap}>
      <Desk actions={actions} />
    </ActionsProvider>,
  );
  const at = (id: string) => screen.getByTestId(id).focus();
  const press = (key: string, code = key, more = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, code, ...more });
  return { heard, at, press };
};

describe('keys', () => {
  it('K02: a digit rates in the steps and is a window preset on the image, never both', () => {
    const { heard, at, press } = bench();
    at('steps');
    press('3', 'Digit3');
    expect(heard).toEqual(['answer-3']);
    at('image');
    press('3', 'Digit3');
    expect(heard).toEqual(['answer-3', 'preset-3']);
    at('elsewhere');
    press('3', 'Digit3');
    expect(heard).toHaveLength(2);
  });

  it('F1–F8 are presets wherever the focus is', () => {
    const { heard, at, press } = bench();
    for (const zone of ['steps', 'image', 'elsewhere']) {
      at(zone);
      press('F3');
    }
    expect(heard).toEqual(['preset-3', 'preset-3', 'preset-3']);
  });

  it('no shortcut acts in a text box, and Esc leaves it with the text kept', () => {
    const { heard, at, press } = bench();
    at('text');
    const text = screen.getByTestId('text') as HTMLTextAreaElement;
    fireEvent.change(text, { target: { value: 'njk3' } });
    for (const key of ['n', 'j', '3', '?']) press(key, key === '3' ? 'Digit3' : key);
    press('Enter', 'Enter', { ctrlKey: true });
    expect(heard).toEqual([]);
    press('Escape');
    expect(document.activeElement).toBe(screen.getByTestId('steps'));
    expect(text.value).toBe('njk3');
    press('j', 'KeyJ');
    expect(heard).toEqual(['next-step']);
  });

  it('K04: Enter alone and a alone do nothing where no action has them', () => {
    const { heard, at, press } = bench();
    at('steps');
    press('Enter');
    press('a', 'KeyA');
    expect(heard).toEqual([]);
  });

  it('Space presses the button that has the focus and nothing else', () => {
    const { heard, at, press } = bench();
    at('button');
    press(' ', 'Space');
    expect(heard).toEqual([]);
  });

  it('an action that cannot be done now is not done', () => {
    const { heard, at, press } = bench({}, () => 'not now');
    at('steps');
    press('n', 'KeyN');
    expect(heard).toEqual([]);
  });

  it('K05: a remapped key acts, its old key does not', () => {
    const { heard, at, press } = bench({ commit: [{ scope: 'reading', key: 'Enter' }] });
    at('steps');
    press('Enter', 'Enter', { ctrlKey: true });
    expect(heard).toEqual([]);
    press('Enter');
    expect(heard).toEqual(['commit']);
  });

  it('while a dialog is open nothing behind it acts', () => {
    const { heard, at, press } = bench();
    render(<div role="dialog">dialog</div>);
    at('steps');
    press('n', 'KeyN');
    expect(heard).toEqual([]);
  });
});

const Brought = ({ keys }: { keys: ReadonlyMap<string, () => void> }) => {
  useKeysOfData(keys);
  return null;
};

describe('keys of a rubric', () => {
  it('act while the steps have the focus, never in a text box, and never before a key of the program', () => {
    const heard: string[] = [];
    const say = (what: string) => () => void heard.push(what);
    render(
      <ActionsProvider remap={{}}>
        <Desk actions={[{ id: 'next-step', run: say('next-step') }]} />
        <Brought keys={new Map(['j', ';'].map((k) => [k, say(`rubric ${k}`)]))} />
      </ActionsProvider>,
    );
    const press = (at: string, key: string, more = {}) => {
      screen.getByTestId(at).focus();
      fireEvent.keyDown(document.activeElement ?? document.body, { key, code: key, ...more });
    };
    press('steps', ';');
    press('button', ';');
    press('image', ';');
    press('text', ';');
    press('steps', ';', { ctrlKey: true });
    press('steps', 'j');
    expect(heard).toEqual(['rubric ;', 'rubric ;', 'next-step']);
  });
});
