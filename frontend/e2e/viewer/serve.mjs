// Serves the viewer's page for a test file and opens Chromium on it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { launch } from '../chromium.mjs';

/** serve gives where the page is, a browser, and the way to end both. A cache of its own: a server beside would change it under the page. */
export async function serve(name) {
  const cacheDir = mkdtempSync(join(tmpdir(), `${name}-`));
  let server;
  let browser;
  const close = async () => {
    await browser?.close();
    await server?.close();
    rmSync(cacheDir, { recursive: true, force: true });
  };
  try {
    server = await createServer({
      configFile: join(import.meta.dirname, 'vite.config.ts'),
      cacheDir,
      logLevel: 'error',
    });
    await server.listen(0);
    browser = await launch();
  } catch (e) {
    await close();
    throw e;
  }
  return { root: server.resolvedUrls.local[0], browser, close };
}

/** painting waits so many animation frames of a page. */
export const painting = (page, n) =>
  page.evaluate((count) => {
    const wait = (left) =>
      left ? new Promise((done) => requestAnimationFrame(() => done(wait(left - 1)))) : undefined;
    return wait(count);
  }, n);
