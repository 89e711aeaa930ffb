import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Backend } from '../backend/client';
import { fakeBackend } from '../backend/fake';
import { BackendProvider, newCache } from '../backend/queries';
import { KeyList } from '../features/settings/KeyList';
import { actions } from '../lib/actions';
import { ActionsProvider } from '../ui/actions';
import { HelpSheet } from './HelpSheet';
import { usePreferences } from './usePreferences';

afterEach(cleanup);

const Keys = () => {
  const { remap, setRemap } = usePreferences();
  return (
    <ActionsProvider remap={remap}>
      <KeyList remap={remap} onRemap={setRemap} />
      <HelpSheet open onClose={() => {}} />
    </ActionsProvider>
  );
};

/** start is the program started on a desk whose preferences stay. */
const start = (desk: Backend) =>
  render(
    <MantineProvider forceColorScheme="dark">
      <QueryClientProvider client={newCache()}>
        <BackendProvider backend={desk}>
          <Keys />
        </BackendProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );

const change = async (label: string, key: string) => {
  fireEvent.click(screen.getByLabelText(`Change: ${label}`));
  fireEvent.keyDown(window, { key, code: key });
};
const helped = (label: string) => {
  const line = within(screen.getByTestId('help')).getByText(label).parentElement;
  return [...(line?.querySelectorAll('kbd') ?? [])].map((k) => k.textContent);
};
const commit = 'Commit or sign';

it('K05: commit moves from Ctrl+Enter to Enter, stays there after a restart, and the help sheet says so', async () => {
  const desk = fakeBackend();
  const first = start(desk);
  await screen.findByTestId('help');
  expect(helped(commit)).toEqual(['Ctrl ↵']);
  await change(commit, 'Enter');
  expect((await screen.findByRole('alert')).textContent).toContain('Into the text box of the row');
  await change('Into the text box of the row', 'Insert');
  await waitFor(() => expect(helped('Into the text box of the row')).toEqual(['Insert']));
  await change(commit, 'Enter');
  await waitFor(() => expect(helped(commit)).toEqual(['↵']));
  first.unmount();
  start(desk);
  await waitFor(() => expect(helped(commit)).toEqual(['↵']));
});

it('K05: no key needs AltGr: letters, digits by their place, keys that every keyboard has, signs with or without Shift', () => {
  const plain =
    /^((Control|Alt|Shift)\+)*([a-z]|Digit\d|Numpad\d|F\d+|Enter|Escape|Space|Home|End|Page(Up|Down)|Arrow\w+|ContextMenu|Delete)$/;
  const sign = /^\[Shift\]\+[?/.,]$/; // on AZERTY and QWERTZ too
  const odd = actions.flatMap((a) => a.keys.map((k) => k.key)).filter((k) => !plain.test(k) && !sign.test(k));
  expect(odd).toEqual([]);
});
