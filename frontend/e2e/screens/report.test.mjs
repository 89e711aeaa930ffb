// The HTML report that the command line writes, in Chromium: under axe on screen and as printed, nothing wider than the window or taller than a
// sheet, every figure told in words. Of the sample study with three readers and two controls.
//
//   node --test e2e/screens/report.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { launch } from '../chromium.mjs';
import { threeReaders } from '../threeReaders.mjs';

const root = new URL('../../..', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'plumbline-report-'));
const binary = join(home, 'plumb');
const env = { PLUMBLINE_HOME: join(home, 'home') };
const sheets = { A4: [210, 297], Letter: [215.9, 279.4] }; // mm
const margins = { across: 28, down: 33 }; // mm, of the page's own style sheet
const pixels = (mm) => (mm / 25.4) * 96;

let browser;
let page;
let asked;

before(async () => {
  execFileSync('go', ['build', '-o', binary, './backend/cmd/plumb'], { cwd: root, stdio: 'inherit' });
  const workspace = threeReaders(binary, home, env);
  const plumb = (...args) =>
    execFileSync(binary, [...args, '--quiet', '--workspace', workspace], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  const cases = Array.from({ length: 12 }, (_, i) => `case-${String(i + 1).padStart(2, '0')}`).join();
  plumb('run', '--model', 'oracle-pixels,random', '--template', 'necessity,wording', '--cases', cases);
  plumb('report', '--out', join(home, 'out'));
  browser = await launch();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  asked = [];
  page.on('request', (r) => asked.push(r.url()));
  await page.goto(pathToFileURL(join(home, 'out', 'report.html')).href);
});

after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

const serious = async () => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
};

test('axe finds nothing serious, on screen, with all parts open, and as printed', async () => {
  assert.deepEqual(await serious(), []);
  await page.$$eval('details', (all) => {
    for (const d of all) d.open = true;
  });
  assert.deepEqual(await serious(), []);
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual(await serious(), []);
  await page.emulateMedia({ media: 'screen' });
  await page.$$eval('details', (all) => {
    for (const d of all) d.open = false;
  });
});

test('nothing is wider than the window, and nothing comes from elsewhere', async () => {
  for (const width of [1280, 1440, 800]) {
    await page.setViewportSize({ width, height: 800 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `too wide at ${width}`);
  }
  assert.equal(asked.length, 1, asked.join(' '));
});

test('every figure says in words what it shows, a 2×2 without data too', async () => {
  const figures = await page.$$eval('svg', (all) =>
    all.map((s) => ({
      role: s.getAttribute('role'),
      label: s.getAttribute('aria-label'),
      title: s.querySelector('title')?.textContent,
      words: s.querySelector('desc')?.textContent,
    })),
  );
  assert.ok(figures.length > 20, `${figures.length} figures`);
  for (const f of figures) {
    assert.equal(f.role, 'img');
    assert.ok(f.title && f.words && f.label.includes(f.words), `${f.title}: no words`);
    assert.doesNotMatch(f.words, /NaN|Inf|undefined|null|<nil>/);
  }
  assert.ok(
    figures.some((f) => f.title === 'Intervention and readers' && f.words.startsWith('not estimable: ')),
    'no 2×2 without data',
  );
  assert.doesNotMatch(await page.textContent('body'), /NaN|<nil>|undefined/);
});

test('as printed no figure and no short table is larger than a sheet, and heads of tables are repeated', async () => {
  await page.emulateMedia({ media: 'print' });
  for (const [name, [wide, tall]] of Object.entries(sheets)) {
    const [w, h] = [Math.floor(pixels(wide - margins.across)), Math.floor(pixels(tall - margins.down))];
    await page.setViewportSize({ width: w, height: h });
    const parts = await page.$$eval('svg, table', (all) =>
      all
        .filter((e) => e.checkVisibility())
        .map((e) => ({
          what: e.querySelector('title')?.textContent ?? e.parentElement.getAttribute('aria-label') ?? e.tagName,
          whole: e.tagName === 'svg' || e.className === 'short',
          head: e.tagName === 'svg' || getComputedStyle(e.tHead).display === 'table-header-group',
          right: e.getBoundingClientRect().right,
          height: e.getBoundingClientRect().height,
        })),
    );
    for (const p of parts) {
      assert.ok(p.right <= w + 1, `${name}: ${p.what} is cut at the right`);
      assert.ok(!p.whole || p.height <= h, `${name}: ${p.what} is higher than a sheet`);
      assert.ok(p.head, `${name}: ${p.what} has no head`);
    }
  }
  await page.emulateMedia({ media: 'screen' });
  const pdf = await page.pdf({ format: 'A4' });
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g).length;
  assert.ok(pages > 3 && pages < 60, `${pages} pages`);
});
