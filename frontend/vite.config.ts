import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  base: './',
  build: { target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 6000 },
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
});
