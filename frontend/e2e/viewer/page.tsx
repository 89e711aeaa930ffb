// The viewer beside a plain list of what came out of it. ?stack=ct&tool=box chooses what is shown; ?stacks=ct,film shows panes.

import '../../src/theme/tokens.css';
import { cache, getRenderingEngines } from '@cornerstonejs/core';
import { StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Region, Stack } from '../../src/lib/nouns';
import {
  type SeenPicture,
  type Tool,
  Viewer,
  type ViewerHandle,
  type ViewerRegion,
  type ViewerState,
  Views,
  type ViewsHandle,
} from '../../src/viewer';
import { layers, stacks } from './stacks';

declare global {
  interface Window {
    viewer: ViewerHandle;
    views: ViewsHandle;
    showRegions: (on: boolean) => void;
    go: (frame: number) => void;
    use: (tool: Tool) => void;
    change: (stack: string) => void;
    /** Rendering engines that are alive and bytes in their cache. */
    alive: () => [number, number];
    /** A stack from elsewhere, set before the page starts. */
    given?: Stack;
    said: {
      regions: Region[];
      seen: (SeenPicture & { at: number })[];
      /** The images of all panes when a picture came. */
      there: string[];
      menus: { x: number; y: number }[];
      state: ViewerState | undefined;
    };
  }
}

const asked = new URLSearchParams(location.search);
const several = asked.get('stacks')?.split(',').map(stackOf);
const first = window.given ?? several?.[0] ?? stackOf(asked.get('stack') ?? 'ct');

function stackOf(name: string): Stack {
  const found = stacks[name];
  if (!found) throw new Error(`no stack ${name}`);
  return found.stack;
}

const claimed: ViewerRegion = {
  region: { id: 'm1', image: 'ct', frame: 18, shape: 'box', coords: [0.695, 0.328, 0.76, 0.395] },
  owner: 'model',
  label: 'model · step 3',
};

function Page() {
  const [stack, setStack] = useState(first);
  const [frame, setFrame] = useState(Number(asked.get('frame') ?? 0));
  const [tool, setTool] = useState<Tool>((asked.get('tool') ?? 'window') as Tool);
  const [mine, setMine] = useState<Region[]>([]);
  const [shown, setShown] = useState(true);
  window.showRegions = setShown;
  const said = useRef<Window['said']>({ regions: [], seen: [], there: [], menus: [], state: undefined });
  said.current.regions = mine;
  window.said = said.current;
  window.go = setFrame;
  window.use = setTool;
  window.change = (name) => {
    setStack(stackOf(name));
    setFrame(0);
  };
  window.alive = () => [getRenderingEngines()?.length ?? 0, cache.getCacheSize()];
  const regions: ViewerRegion[] = [claimed, ...mine.map((region) => ({ region, owner: 'mine' as const }))];
  const common = {
    ref: (handle: ViewerHandle | null) => {
      if (handle) window.viewer = handle;
    },
    caseId: 'C-07',
    frameURL: (image: string, n: number) => `/frames/C-07/${image}/${n}`,
    frame,
    tool,
    regions,
    layers: asked.has('layers') ? layers : undefined,
    showModelRegions: shown,
    onRegion: (r: Region) => setMine((all) => [...all, { ...r, id: `e${all.length + 1}` }]),
    onRegionChange: (r: Region) => setMine((all) => all.map((o) => (o.id === r.id ? r : o))),
    onRegionDelete: (r: Region) => setMine((all) => all.filter((o) => o.id !== r.id)),
    onMenu: (at: { x: number; y: number }) => said.current.menus.push(at),
    onState: (s: ViewerState) => {
      said.current.state = s;
    },
  };
  const see = (s: SeenPicture, all: readonly SeenPicture[] = [s]) => {
    said.current.seen.push({ ...s, at: performance.now() });
    said.current.there = all.map((x) => x.image);
  };
  return (
    <>
      {several ? (
        <Views
          {...common}
          views={(handle) => {
            if (handle) window.views = handle;
          }}
          stacks={several}
          image={stack.image}
          onFrame={(to, image) => {
            setStack(stackOf(image));
            setFrame(to);
          }}
          thumbURL={(image, n) => `/thumbs/C-07/${image}/${n}`}
          onSeen={see}
        />
      ) : (
        <Viewer {...common} stack={stack} onFrame={setFrame} onSeen={see} />
      )}
      <pre>{JSON.stringify(mine, null, 1)}</pre>
    </>
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
