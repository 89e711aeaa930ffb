import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { fakeFrames } from './fakeFrames.ts';
import { licences } from './licences.ts';

// `--mode fake` shows the page over an invented desk, for looking at it in a browser; nothing of that is in the product.
export default defineConfig(({ mode }) => ({
  plugins: [react(), licences(import.meta.dirname), ...(mode === 'fake' ? [fakeFrames()] : [])],
  define: { 'import.meta.env.VITE_FAKE': JSON.stringify(mode === 'fake') },
  base: './',
  build: {
    target: 'es2022',
    sourcemap: false,
    cssCodeSplit: false, // a screen that comes later must not wait for its looks
    chunkSizeWarningLimit: 6000,
    outDir: mode === 'fake' ? 'node_modules/.fake' : 'dist', // public/.gitkeep keeps dist in the repository
  },
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
}));
