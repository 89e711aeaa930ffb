// The reading screen without its picture, for tests: what is asked and what is said do not need one.
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import type { Backend, Trouble } from '../../backend/client';
import { type FakeOptions, fakeBackend } from '../../backend/fake';
import { BackendProvider, newCache, useCase, useRubric } from '../../backend/queries';
import { newSaves, SavesProvider } from '../../backend/saves';
import type { Remap } from '../../lib/keys';
import type { CaseView, Rubric } from '../../lib/nouns';
import { unrated, unratedChain } from '../../lib/rubric';
import { ActionsProvider, useActions } from '../../ui/actions';
import type { ViewerHandle } from '../../viewer';
import { Header } from './Header';
import { Panel } from './Panel';
import { useReading } from './useReading';
import { readingActions } from './useReadingActions';
import { useRightWidth } from './useRightWidth';

/** pressed lists the window presets that were asked of the picture. */
export const presets: number[] = [];
const picture = { preset: (n: number) => presets.push(n) } as unknown as ViewerHandle;
const drawnBox = { id: '', image: 'ct', frame: 3, shape: 'box', coords: [0.1, 0.1, 0.2, 0.2] };

// In the picture's place stand buttons for what a reader does there.
const Loaded = ({ view, rubric }: { view: CaseView; rubric: Rubric }) => {
  const reading = useReading(view, rubric);
  const panel = useRef<HTMLElement>(null);
  const right = useRightWidth();
  const sign = () => void reading.acts.sign(view.assignment);
  const actions = readingActions(reading, { viewer: useRef(picture), panel, onCase: () => {}, onSign: sign });
  useActions(actions);
  return (
    <div data-testid="reading" data-zone="steps">
      <div data-zone="image" data-testid="picture" tabIndex={-1} />
      <button type="button" data-testid="draws" onClick={() => reading.drawn(drawnBox)} />
      <button
        type="button"
        data-testid="loads"
        onClick={() => reading.move({ do: 'unshown', unshown: reading.s.unshown ? '' : 'loading' })}
      />
      <Header reading={reading} reader="R1" actions={actions} onCase={() => {}} onLibrary={() => {}} />
      <Panel
        reading={reading}
        panel={panel}
        right={right}
        signFault=""
        onSign={sign}
        onCase={() => {}}
        onCorrect={() => reading.move({ do: 'correct', reason: 'misread' })}
        onLibrary={() => {}}
      />
    </div>
  );
};

const Case = ({ id }: { id: string }) => {
  const view = useCase(id);
  const rubric = useRubric();
  return view.data && rubric.data ? <Loaded view={view.data} rubric={rubric.data} /> : null;
};

export const Page = ({ desk, remap = {} }: { desk: Backend; remap?: Remap }) => (
  <MantineProvider forceColorScheme="dark">
    <QueryClientProvider client={newCache()}>
      <BackendProvider backend={desk}>
        <SavesProvider queue={newSaves()}>
          <ActionsProvider remap={remap}>
            <Case id="C-01" />
          </ActionsProvider>
        </SavesProvider>
      </BackendProvider>
    </QueryClientProvider>
  </MantineProvider>
);

export const open = async (fail?: (act: string) => Trouble | undefined, more: FakeOptions = {}, remap: Remap = {}) => {
  const desk = fakeBackend({ open: true, fail, ...more });
  const shown = render(<Page desk={desk} remap={remap} />);
  await screen.findByTestId('panel');
  const again = async () => {
    shown.unmount();
    render(<Page desk={desk} remap={remap} />);
    await screen.findByTestId('panel');
  };
  return { desk, again };
};

export const inPanel = () => {
  const panel = screen.getByTestId('panel');
  panel.focus();
  return panel;
};
export const press = (key: string, code = /^\d$/.test(key) ? `Digit${key}` : key, more = {}) =>
  fireEvent.keyDown(inPanel(), { key, code, ...more });
export const commit = () => press('Enter', 'Enter', { ctrlKey: true });
export const click = (id: string) => fireEvent.click(screen.getByTestId(id));

export const lookAtAll = async () => {
  for (const q of ['q1', 'q2', 'q3']) {
    await screen.findByTestId(`question-${q}`);
    press('1');
    press('2');
    commit();
    await screen.findByTestId(`locked-${q}`);
  }
  const text = await screen.findByTestId('answer-text');
  fireEvent.change(text, { target: { value: 'a scar' } });
  fireEvent.blur(text);
  click('confidence-3');
  click('commit');
  await screen.findByTestId('step-chain');
};

const wholeImage = { id: 'whole', image: 'ct', shape: 'whole_image', coords: [] };
export const full = (step: string) => ({
  ...unrated(step),
  support: 'supported',
  evidence: [wholeImage],
  model_place: 'correct',
  confidence: 2,
});
export const fullChain = {
  ...unratedChain(),
  answer: 'correct',
  first_bad_step: 'none',
  radpeer: '1',
  follows: 'yes',
  image_alone: 'yes',
  needs_more: ['none'],
};
