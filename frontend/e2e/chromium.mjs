// Starts Debian's Chromium for the browser tests, on software rendering and with nothing that calls home.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** launch gives a browser, or says what to install. */
export const launch = () => {
  const executablePath = places.find((p) => p && existsSync(p));
  if (!executablePath) throw new Error('no Chromium here: install chromium, or name it in CHROMIUM');
  return chromium.launch({ executablePath, args });
};
