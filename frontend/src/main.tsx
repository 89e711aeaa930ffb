import '@mantine/core/styles.css';
import './theme/tokens.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import type { Backend } from './backend/client';
import { BackendProvider, newCache } from './backend/queries';
import { newSaves, SavesProvider } from './backend/saves';
import { theme, variables } from './theme/mantine';

// The fake desk is for looking at the screens in a browser; a build without VITE_FAKE does not contain it.
const desk = async (): Promise<Backend> =>
  import.meta.env.VITE_FAKE
    ? (await import('./backend/fakeWindow')).fakeFromAddress()
    : (await import('./backend/wails')).wailsBackend();

const start = async (root: HTMLElement) => {
  const backend = await desk();
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} forceColorScheme="dark" cssVariablesResolver={variables}>
        <QueryClientProvider client={newCache()}>
          <BackendProvider backend={backend}>
            <SavesProvider queue={newSaves()}>
              <App />
            </SavesProvider>
          </BackendProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
};

const root = document.getElementById('root');
if (root) void start(root);
