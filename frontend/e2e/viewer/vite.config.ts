// Serves the viewer alone over the invented stacks: `npx vite --config e2e/viewer/vite.config.ts`.

import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { body, stacks } from './stacks.ts';

async function answer(image: string, frame: number, res: ServerResponse) {
  const stack = stacks[image];
  const manner = stack?.manner?.(frame) ?? 'plain';
  if (!stack || manner === 'broken') {
    res.statusCode = 422;
    res.end('the pixel data of this frame is cut short');
    return;
  }
  if (manner === 'slow') await pause(700);
  const samples = Buffer.from(body(stack, frame));
  res.setHeader('Content-Type', 'application/octet-stream');
  res.setHeader('X-Plumbline-Samples', stack.kind);
  res.end(manner === 'short' ? samples.subarray(0, 10) : samples);
}

// A small picture: a grey square is enough.
const thumb =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#777"/></svg>';

const frames: Plugin = {
  name: 'invented-frames',
  configureServer(server) {
    server.middlewares.use('/thumbs', (_req, res) => {
      res.setHeader('Content-Type', 'image/svg+xml');
      res.end(thumb);
    });
    server.middlewares.use('/frames', (req, res) => {
      const [, , image = '', n = ''] = (req.url ?? '').split('/');
      void answer(image, Number(n), res);
    });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), frames],
  server: { host: '127.0.0.1', fs: { allow: ['../..'] } },
  optimizeDeps: { include: ['@cornerstonejs/core', 'react', 'react-dom/client'] },
  cacheDir: '../../node_modules/.vite-viewer',
});
