// The screens as built, over the fake desk, in Chromium at 1280×800: by keyboard alone, under axe, with hostile text, with a full disk.
//
//   node --test e2e/screens/screens.test.mjs
//
// CHROMIUM names the browser; without it the usual places are tried. SHOTS names a folder for screenshots.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { build, preview } from 'vite';
import { launch } from '../chromium.mjs';

const root = join(import.meta.dirname, '../..');

let outDir;
let server;
let browser;
let url;

before(async () => {
  outDir = mkdtempSync(join(tmpdir(), 'screens-'));
  const config = { root, mode: 'fake', logLevel: 'error', build: { outDir, emptyOutDir: true } };
  await build(config);
  server = await preview({ ...config, preview: { port: 0, host: '127.0.0.1' } });
  url = server.resolvedUrls.local[0];
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  if (outDir) rmSync(outDir, { recursive: true, force: true });
});

/** open shows the page and keeps what must not happen: errors, dialogs, requests to anywhere else. */
const open = async (query = '?open=1', size = { width: 1280, height: 800 }) => {
  const page = await (await browser.newContext({ viewport: size })).newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
  page.on('dialog', (d) => {
    faults.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  page.on('request', (r) => {
    if (!/^(data|blob):/.test(r.url()) && !r.url().startsWith(url)) faults.push(`request: ${r.url()}`);
  });
  await page.goto(url + query);
  const see = (id) => page.waitForSelector(`[data-testid="${id}"]`);
  return { page, faults, see };
};

const accept = async ({ page, see }) => {
  await see('accept-notice');
  await page.keyboard.press('Enter');
};

const phaseIs = (page, phase) =>
  page.waitForFunction((p) => document.querySelector('[data-testid="phase"]')?.dataset.phase === p, phase);

/** lookAtAll answers the questions of the open case by keyboard. */
const lookAtAll = async ({ page, see }) => {
  for (const q of ['q1', 'q2', 'q3']) {
    await see(`question-${q}`);
    await page.keyboard.press('1');
    await page.keyboard.press('2');
    await page.keyboard.press('Control+Enter');
    await see(`locked-${q}`);
  }
  await see('answer-text');
  await page.keyboard.press('Enter'); // into the text box
  await page.keyboard.type('njp 3?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('3');
  await page.keyboard.press('Control+Enter');
  await phaseIs(page, 'judge');
};

/** answerPart gives every row of the open part an answer by digits; evidence by the crosshair. */
const answerPart = async ({ page }) => {
  const rowNow = () =>
    page.evaluate(() => document.querySelector('[data-now] [data-active]')?.dataset.testid?.slice(4) ?? '');
  const missing = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[data-now] [data-missing]')].map((r) => r.dataset.testid.slice(4)),
    );
  for (let tries = 0; tries < 40 && (await missing()).length > 0; tries++) {
    const row = (await missing())[0];
    for (let i = 0; i < 12 && (await rowNow()) !== row; i++) await page.keyboard.press('ArrowUp');
    for (let i = 0; i < 12 && (await rowNow()) !== row; i++) await page.keyboard.press('ArrowDown');
    if (row === 'evidence') {
      await page.keyboard.press('e');
      await page.waitForSelector('[data-testid="tool-box"][aria-pressed="true"]');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Enter');
    } else await page.keyboard.press(row === 'needs_more' ? '5' : '1');
    await page.waitForFunction(
      (r) => !document.querySelector(`[data-now] [data-testid="row-${r}"][data-missing]`),
      row,
    );
  }
};

const shot = (page, name) =>
  process.env.SHOTS ? page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) }) : undefined;

/** sound checks that nothing serious is wrong for people who see, hear or move in other ways, and that nothing is clipped. */
const sound = async (page, name) => {
  await shot(page, name);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  assert.deepEqual(
    grave.map((v) => `${name}: ${v.id} at ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`),
    [],
  );
  const over = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight,
    cut: [...document.querySelectorAll('header *, footer *, button')]
      .filter((e) => {
        const r = e.getBoundingClientRect();
        return r.width > 0 && (r.right > innerWidth + 1 || r.left < -1);
      })
      .map((e) => e.textContent),
  }));
  assert.deepEqual(over, { page: false, cut: [] }, name);
};

test('a case is read from the library to the signature by keyboard alone', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('r');
  await see('reading');
  assert.equal(await page.locator('[data-testid^="step-"]').count(), 0);
  await sound(page, 'look');
  await lookAtAll(desk);
  await sound(page, 'judge');
  for (let chain = 0; chain < 2; chain++) {
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press(String(1 + ((chain + step) % 4)));
      await page.waitForSelector('[data-now] [data-testid^="support-"][aria-checked="true"]');
      await answerPart(desk);
      const before = await page.getAttribute('[data-now]', 'data-part');
      await page.keyboard.press('j');
      await page.waitForFunction((b) => document.querySelector('[data-now]')?.dataset.part !== b, before);
    }
    await answerPart(desk);
    await shot(page, `whole-${chain}`);
    await page.keyboard.press('j');
  }
  await see('sign-panel');
  assert.equal(await page.locator('[data-testid="missing"]').count(), 0);
  await sound(page, 'sign');
  await page.keyboard.press('Control+Enter');
  await phaseIs(page, 'signed');
  await page.keyboard.press('n');
  await page.waitForFunction(() => location.hash === '#/case/C-02');
  await page.keyboard.press('Alt+1');
  await page.waitForSelector('[data-testid="case-C-01"] [data-state="signed"]');
  assert.deepEqual(faults, []);
});

test('the menu of the picture does what the keys do', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('r');
  await page.waitForSelector('[data-testid="viewer"] [data-loading="false"]');
  const window = (words) =>
    page.waitForFunction((w) => document.querySelector('[data-mark=window]')?.textContent.includes(w), words);
  await page.mouse.click(400, 700, { button: 'right' });
  await see('picture-menu');
  await sound(page, 'menu');
  await page.click('[data-testid="menu-preset-8"]');
  await window('bone');
  await page.keyboard.press('q');
  await window('LUNG');
  await page.keyboard.press('Shift+F10');
  await see('picture-menu');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-testid="picture-menu"]', { state: 'detached' });
  assert.equal(await page.getAttribute('[data-testid="focus"]', 'data-zone-now'), 'image');
  await page.mouse.click(400, 300, { button: 'right' });
  await page.click('[data-testid="menu-ellipse"]');
  await page.getByText('Drag an ellipse').waitFor();
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(360, 340, { steps: 3 });
  await page.mouse.up();
  await page.locator('[data-region]').first().waitFor({ state: 'attached' });
  await page.keyboard.press('y');
  for (const [x, y] of [
    [420, 400],
    [480, 400],
    [450, 460],
  ])
    await page.mouse.click(x, y);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('[data-region]').length === 2);
  await sound(page, 'shapes');
  await page.keyboard.press('?');
  await see('help');
  await sound(page, 'help-long');
  assert.deepEqual(faults, []);
});

test('the first picture of the next case is there before the reader is, and only that one', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  const asked = [];
  page.on('request', (r) => r.url().includes('/frames/') && asked.push(new URL(r.url()).pathname));
  const painted = () => page.waitForSelector('[data-testid="viewer"][data-painted="19"]');
  await accept(desk);
  await see('case-C-01');
  const ahead = page.waitForResponse((r) => r.url().includes('/frames/C-02/'));
  await page.keyboard.press('r');
  await painted();
  await (await ahead).finished();
  assert.deepEqual(
    asked.filter((a) => !a.startsWith('/frames/C-01/')).map((a) => a.split('/').at(-1)),
    ['19'],
  );
  await page.keyboard.press('n');
  await page.waitForFunction(() => location.hash === '#/case/C-02');
  await painted();
  assert.equal(asked.filter((a) => /C-02\/.*\/19$/.test(a)).length, 1);
  assert.deepEqual(faults, []);
});

test('every other screen is sound', async () => {
  const desk = await open('');
  const { page, see, faults } = desk;
  await see('sample-study');
  await sound(page, 'start');
  await page.click('[data-testid="sample-study"]');
  await see('accept-notice');
  await sound(page, 'notice');
  await page.keyboard.press('Enter');
  await see('case-C-01');
  await sound(page, 'library');
  await page.click('[data-testid="problems"]');
  await see('problem-list');
  await sound(page, 'problems');
  await page.keyboard.press('Escape');
  for (const screen of ['report', 'settings', 'about']) {
    await page.click(`[data-testid="nav-${screen}"]`);
    await see(screen);
    await sound(page, screen);
  }
  await page.getByRole('cell', { name: '@cornerstonejs/core' }).waitFor();
  await page.keyboard.press('?');
  await see('help');
  await sound(page, 'help');
  assert.deepEqual(faults, []);
});

test('an adjudicator decides by keyboard, and adopts what all agree on', async () => {
  const desk = await open('?open=1&role=adjudicator');
  const { page, see, faults } = desk;
  await accept(desk);
  await page.keyboard.press('Alt+6');
  await see('item-panel');
  for (const gone of ['report', 'study']) assert.equal(await page.locator(`[data-testid="nav-${gone}"]`).count(), 0);
  await page.waitForSelector('[data-testid="viewer"] [data-loading="false"]');
  assert.equal(await page.locator('[data-testid="decision"] [aria-checked="true"]').count(), 0);
  await sound(page, 'adjudication');
  const first = await page.getAttribute('[data-testid="item-panel"]', 'data-item');
  await page.keyboard.press('4');
  await page.waitForSelector('[data-testid="support-contradicted"][aria-checked="true"]');
  for (const [row, digit] of [
    ['error', 1],
    ['builds_on_error', 1],
    ['significance', 2],
  ]) {
    while ((await page.locator(`[data-testid="row-${row}"][data-active]`).count()) === 0)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press(String(digit));
    await page.waitForSelector(`[data-testid="row-${row}"] [aria-checked="true"]`);
  }
  await page.keyboard.press('Control+Enter');
  assert.match(await page.textContent('[data-testid="needs"]'), /a reason/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('a vessel, on the slices below too');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+G');
  await page.waitForSelector('[data-testid="half"][aria-pressed="true"]');
  await sound(page, 'adjudication-filled');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector(`[data-testid="item-${first}"][data-state="decided"]`);
  await page.waitForFunction((f) => document.querySelector('[data-testid="item-panel"]')?.dataset.item !== f, first);
  await page.click(`[data-testid="item-${first}"]`);
  await see('settled');
  await sound(page, 'adjudication-decided');
  await page.selectOption('[data-testid="only-kind"]', 'omission');
  await page.locator('[data-testid^="item-d-"]').first().click();
  await page.getByText('Small left pleural effusion (b)').first().waitFor();
  await sound(page, 'adjudication-chain');
  await page.click('[data-testid="adopt-unanimous"]');
  await see('adopt-dialog');
  await sound(page, 'adjudication-adopt');
  await page.click('[data-testid="adopt-now"]');
  await page.getByText('164 items adopted').waitFor();
  assert.deepEqual(faults, []);
});

test('the coordinator sees how much there is to decide, and what was overturned', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await accept(desk);
  await page.click('[data-testid="nav-adjudication"]');
  await see('overturns');
  await page.getByText('6 of 27').waitFor();
  assert.equal(await page.locator('[data-testid="adopt-unanimous"]').count(), 0);
  await sound(page, 'overturns');
  assert.deepEqual(faults, []);
});

test('the problems are copied as a table, and a long list draws what is in sight', async () => {
  const desk = await open('?open=1&problems=30000');
  const { page, see, faults } = desk;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await accept(desk);
  await see('case-C-01');
  await page.click('[data-testid="problems"]');
  await see('problem-list');
  const rows = page.locator('[data-testid="problem-list"] tr[data-index]');
  await rows.first().waitFor();
  assert.ok((await rows.count()) < 80);
  await page.focus('[data-testid="problem-list"]');
  await page.keyboard.press('End');
  await page.waitForSelector('[data-index="29999"]');
  await sound(page, 'problems-long');
  await page.getByRole('searchbox', { name: 'Filter problems' }).fill('unknown case');
  await page.click('[data-testid="copy-problems"]');
  await page.getByText('copied 10,000 lines').waitFor();
  await sound(page, 'problems-copied');
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split(/\r?\n/);
  assert.equal(lines.length, 10_001);
  assert.equal(lines[1], 'chains/a.jsonl\t3\tcase\ta chain for the unknown case C-99');
  assert.deepEqual(faults, []);
});

test('what a model wrote stays text', async () => {
  const desk = await open();
  const { page, faults, see } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('r');
  await lookAtAll(desk);
  await page.click('[data-testid="chain-B"]');
  await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(faults, []);
});

test('a step that is rated before its slice is there is told so', async () => {
  const desk = await open();
  const { page, see } = desk;
  const held = [];
  await page.route(/\/frames\/C-01\/[^/]+\/39(\?|$)/, (route) => held.push(route));
  await accept(desk);
  await see('cases');
  await page.keyboard.press('r');
  await lookAtAll(desk);
  await page.keyboard.press('End');
  await page.getByText('slice 40 not shown yet').waitFor();
  await shot(page, 'unshown');
  for (const route of held) await route.abort();
  await page.getByText('slice 40 cannot be shown').waitFor();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => !document.querySelector('[data-testid="unshown"]'));
});

test('a click that cannot be saved is said loudly and kept', async () => {
  const desk = await open('?open=1&fail=io');
  const { page, see } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('r');
  await lookAtAll(desk);
  await page.click('[data-testid="support-partly"]');
  await see('save-trouble');
  assert.equal(await page.getAttribute('[data-testid="saved"]', 'data-state'), 'failed');
  assert.equal(await page.getAttribute('[data-testid="support-partly"]', 'aria-checked'), 'true');
  await sound(page, 'unsaved');
});

test('the report answers a click with its cases, narrows itself, and compares, by keyboard too', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.click('[data-testid="nav-report"]');
  await see('report');
  await page.waitForSelector('[data-testid="accuracy"] svg path', { state: 'attached' });
  await page.locator('[data-testid="cross-01"]').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-testid="behind"] tbody tr').first().waitFor();
  await sound(page, 'report-behind');
  for (const section of ['origin', 'reliance', 'cues', 'consistency', 'calibration', 'readers']) {
    await page.click(`[data-testid="section-${section}"]`);
    await page.waitForSelector(`main[data-section="${section}"]`);
    if (section !== 'readers') await page.locator('[role=img] svg path').first().waitFor({ state: 'attached' });
    await sound(page, `report-${section}`);
  }
  await page.click('[data-testid="section-origin"]');
  await page.click('[data-testid="table-first-error"]');
  const door = page.getByRole('region', { name: 'First error' }).getByRole('button').first();
  await door.focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-testid="behind"] tbody tr').first().waitFor();
  await page.selectOption('[data-testid="filter-models"]', 'text-only');
  await page.waitForFunction(() => document.querySelectorAll('aside [aria-pressed][title]').length === 1);
  await page.selectOption('[data-testid="filter-models"]', '');
  await page.waitForFunction(() => document.querySelectorAll('aside [aria-pressed][title]').length === 2);
  await page.click('[data-testid="section-compare"]');
  await page.selectOption('[data-testid="compare-a"]', { index: 1 });
  await page.selectOption('[data-testid="compare-b"]', { index: 2 });
  await page.locator('[data-testid="compared"] tbody tr').first().waitFor();
  await sound(page, 'report-compare');
  assert.deepEqual(faults, []);
});

test('a reader’s seat gets words instead of a report', async () => {
  const desk = await open('?open=1&role=reader');
  await accept(desk);
  await desk.see('cases');
  await desk.page.keyboard.press('Alt+2');
  await desk.see('report-refused');
  assert.equal(await desk.page.locator('[data-testid="nav-study"]').count(), 0);
  await desk.page.keyboard.press('Alt+4');
  await desk.see('study-refused');
  assert.equal(await desk.page.locator('svg[role=img]').count(), 0);
});

test('the rules of the study are written, checked at the field, set, and assigned', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('Alt+4');
  await see('study-name');
  await sound(page, 'study');
  await page.fill('[data-testid="reader-1-code"]', 'R 2');
  await page.waitForSelector('[data-field="readers[1].code"]');
  assert.equal(await page.getAttribute('[data-testid="set-protocol"]', 'aria-disabled'), 'true');
  await sound(page, 'study-wrong');
  await page.click('[data-testid="view-json"]');
  await see('protocol-problems');
  await sound(page, 'study-json');
  await page.fill('[data-testid="protocol-json"]', '{"readers": [');
  await page.click('[data-testid="view-form"]');
  await page.getByText('This is no protocol yet').waitFor();
  await page.click('[data-testid="load-protocol"]');
  await page.waitForFunction(() => document.querySelector('[data-testid="study-name"]')?.value === 'From a file');
  await page.click('[data-testid="add-rubric"]');
  await page.getByText('Added GRD · version 1-short').waitFor();
  await page.selectOption('[data-testid="rubric-choice"]', { label: 'GRD · version 1-short' });
  await page.click('[data-testid="tab-progress"]');
  await see('stands-R1');
  assert.equal(await page.getAttribute('[data-testid="assign"]', 'aria-disabled'), 'true');
  await page.click('[data-testid="tab-protocol"]');
  assert.equal(await page.inputValue('[data-testid="study-name"]'), 'From a file'); // another tab loses nothing
  await page.click('[data-testid="set-protocol"]');
  await page.getByText('As set.').waitFor();
  await page.focus('[data-testid="tab-protocol"]');
  await page.keyboard.press('ArrowRight');
  await page.click('[data-testid="assign"]');
  await page.getByText('78 assignments made').waitFor();
  await sound(page, 'progress');
  await page.click('[data-testid="tab-protocol"]');
  await page.click('[data-testid="close-study"]');
  await see('close-yes');
  await sound(page, 'study-close');
  await page.click('[data-testid="close-yes"]');
  await page.getByText('The study is closed').waitFor();
  assert.deepEqual(faults, []);
});

test('agreement is shown by stage, explains its numbers, and is copied as CSV', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await accept(desk);
  await see('cases');
  await page.keyboard.press('Alt+4');
  await page.click('[data-testid="tab-agreement"]');
  await see('agree-support');
  await sound(page, 'agreement');
  await page.focus('[data-testid="copy-agreement"]');
  await page.keyboard.press('Tab');
  await page.getByText('Items that two readers or more answered').waitFor();
  await page.click('[data-testid="agree-support"] button');
  await page.getByText('two readers needed, found 3').first().waitFor();
  await sound(page, 'agreement-open');
  await page.click('[data-testid="stage-2"]');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid^="agree-"]').length === 1);
  await page.click('[data-testid="copy-agreement"]');
  await page.getByText('copied 17 lines').waitFor();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split(/\r?\n/);
  assert.equal(lines.length, 17);
  assert.match(lines[1], /^"support",,,"ordinal",288,276,3,840,12,12,0\.855,0\.71,/);
  assert.deepEqual(faults, []);
});

test('a hundred thousand cases are shown, searched and walked through, a screenful at a time', async () => {
  const desk = await open('?open=1&cases=100000');
  const { page, see } = desk;
  await accept(desk);
  await see('case-C-01');
  assert.ok((await page.locator('[data-testid^="case-"]').count()) < 80);
  await page.fill('[data-testid="search"]', 'C-99999');
  await see('case-C-99999');
  await page.fill('[data-testid="search"]', '');
  await page.focus('[data-testid="cases"]');
  await page.keyboard.press('End');
  await see('case-C-100000');
  await page.keyboard.press('Enter');
  await see('reading');
});

test('training comes first, the display is checked once, and a step takes what the reader would have said', async () => {
  const desk = await open('?open=1&training=2');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  assert.equal((await page.locator('[role="row"][aria-disabled="true"]').count()) > 0, true);
  await sound(page, 'library-training');
  await page.click('[data-testid="case-C-03"]', { force: true }); // locked: nothing opens
  assert.equal(await page.locator('[data-testid="reading"]').count(), 0);
  await page.keyboard.press('r');
  await see('display-check');
  await sound(page, 'display-check');
  await page.focus('[data-testid="display-both"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-testid="display-check"]', { state: 'detached' });
  assert.equal(await page.getAttribute('[data-testid="focus"]', 'data-zone-now'), 'steps'); // the keys are back
  await lookAtAll(desk);
  await page.keyboard.press('2');
  await page.waitForSelector('[data-now] [data-testid^="support-"][aria-checked="true"]');
  await page.keyboard.press('Shift+A');
  await see('own-answer');
  await page.keyboard.press('3');
  await page.waitForSelector('[data-testid="own-answer"] [aria-checked="true"]');
  await sound(page, 'own-answer');
  await page.keyboard.press('Shift+A');
  await page.getByText('I would have said: C').first().waitFor();
  // A region is drawn, chosen, moved and stretched by keys, and all of it is undone.
  await page.keyboard.press('e');
  await page.waitForSelector('[data-testid="tool-box"][aria-pressed="true"]');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.focus('[data-testid="evidence-mine-1"]');
  await page.keyboard.press('Enter');
  await page.keyboard.press('w');
  const edges = () =>
    page
      .locator('[data-region]')
      .last()
      .evaluate((e) => e.getBoundingClientRect().x);
  const before = await edges();
  await page.keyboard.press('Alt+ArrowRight');
  await page.waitForFunction(
    (b) => [...document.querySelectorAll('[data-region]')].at(-1).getBoundingClientRect().x > b,
    before,
  );
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Shift+E');
  await page.getByText(/frames \d+–\d+/).waitFor();
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await page.waitForSelector('[data-testid="evidence-mine-1"]', { state: 'detached' });
  assert.deepEqual(faults, []);
});

test('packages are made for readers and taken back, with a passphrase; what was said in two ways is listed', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await accept(desk);
  await page.click('[data-testid="nav-study"]');
  await page.click('[data-testid="tab-packages"]');
  await see('conflicts');
  await sound(page, 'packages');
  assert.match(await page.textContent('[data-testid="packages"]'), /KQ4M-7TZA-2WXC-PL6N-R5VD-Y3HB/);
  assert.match(await page.textContent('[data-testid="conflicts"]'), /partly[\s\S]*contradicted[\s\S]*counts for now/);
  assert.equal(await page.getAttribute('[data-testid="make-R3"]', 'aria-disabled'), 'true'); // nothing is assigned
  await page.focus('[data-testid="make-R2"]');
  await page.keyboard.press('Enter');
  await see('passphrase-dialog');
  await page.keyboard.type('short');
  await page.keyboard.press('Enter');
  await see('passphrase-dialog'); // too short: nothing happens
  await page.keyboard.type(' no longer');
  await sound(page, 'package-make');
  await page.keyboard.press('Enter');
  await see('made');
  await page.click('[data-testid="merge"]');
  await see('passphrase-dialog');
  await page.keyboard.type('wrong one');
  await page.keyboard.press('Enter');
  await page.getByText('not the passphrase').waitFor();
  await sound(page, 'package-wrong');
  await page.fill('[data-testid="passphrase"]', 'open sesame');
  await page.keyboard.press('Enter');
  await see('merged');
  await sound(page, 'package-merged');
  assert.match(await page.textContent('[data-testid="merged"]'), /118 events new[\s\S]*B7XA-92QK/);
  for (const accept of [true, false]) {
    await page.click('[data-testid="merge"]');
    await see('passphrase-dialog');
    await page.keyboard.type('another key');
    await page.keyboard.press('Enter');
    if (!accept) continue;
    await see('accept-key');
    await sound(page, 'package-other-key');
    await page.click('[data-testid="accept-key"]');
    await page.getByText('take the package back once more').waitFor();
  }
  await see('merged');
  assert.deepEqual(faults, []);
});

test('a reader opens a package of work and hands the answers back', async () => {
  const desk = await open('?role=reader&open=1');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('hand-back');
  await page.click('[data-testid="hand-back"]');
  await see('handed-back');
  await sound(page, 'handed-back');
  await page.click('[data-testid="more-data"]');
  await page.click('[data-testid="open-work"]');
  await see('passphrase-dialog');
  await page.keyboard.type('open sesame');
  await sound(page, 'package-open');
  await page.keyboard.press('Enter');
  await see('opened-work');
  assert.match(await page.textContent('[data-testid="opened-work"]'), /40 new cases[\s\S]*KQ4M-7TZA/);
  await sound(page, 'opened-work');
  assert.deepEqual(faults, []);
});

test('the images of a case lie beside each other by keys, and the screen stays sound', async () => {
  const desk = await open('?open=1&images=4');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('r');
  await see('strip');
  await page.keyboard.press('w');
  for (let i = 0; i < 3; i++) await page.keyboard.press('x');
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('[data-pane] [data-painted]')];
    return all.length === 4 && all.every((a) => a.dataset.painted !== '' && a.dataset.loading === 'false');
  });
  await sound(page, 'layouts');
  await page.keyboard.press('ArrowDown');
  // By position within the series, and by the part of the way through where the space is another.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-pane] [data-painted]')]
      .map((a) => a.dataset.painted)
      .every((at, i) => at === (i === 1 ? '10' : '20')),
  );
  await page.keyboard.press('Shift+W');
  await page.waitForSelector('[data-pane="1"][data-active]');
  await page.keyboard.press('Shift+F10');
  await see('menu-layout-2x2');
  await sound(page, 'layouts-menu');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-testid="picture-menu"]', { state: 'detached' });
  await page.keyboard.press('Shift+X');
  await page.waitForFunction(() => document.querySelectorAll('[data-pane]').length === 1);
  assert.deepEqual(faults, []);
});

test('studies come from an archive by its address: consent, login, choice; by keyboard', async () => {
  const desk = await open('');
  const { page, see, faults } = desk;
  await see('sample-study');
  await page.fill('[data-testid="import-path"]', 'https://archive.example/dicom-web');
  await page.keyboard.press('Enter');
  await see('archive');
  const why = (id) => page.getAttribute(`[data-testid="${id}"]`, 'title');
  assert.match(await why('archive-find'), /Agree that archive.example/);
  await page.focus('[data-testid="archive-agree"]');
  await page.keyboard.press('Space');
  await page.click('[data-testid="archive-find"]');
  await page.getByText('the server wants a login').waitFor();
  await page.click('[data-testid="archive-login-name"]');
  assert.match(await why('archive-find'), /not complete/);
  await page.fill('[data-testid="archive-user"]', 'reader');
  await page.fill('[data-testid="archive-secret"]', 'wrong');
  await page.keyboard.press('Enter');
  await page.getByText('does not know this login').waitFor();
  await page.fill('[data-testid="archive-secret"]', 'open sesame');
  await page.keyboard.press('Enter');
  await see('archive-studies');
  await page.getByText('the first 50 studies').waitFor();
  assert.match(await why('archive-bring'), /Choose a study/);
  await page.focus('[data-testid="archive-study-1.2.840.9.2"]');
  await page.keyboard.press('Space');
  await page.click('text=CT thorax');
  await sound(page, 'archive');
  await page.fill('[data-testid="archive-patient"]', 'P-999');
  await page.keyboard.press('Enter');
  await page.getByText('no study like this').waitFor();
  await page.fill('[data-testid="archive-patient"]', '');
  await page.keyboard.press('Enter');
  await page.click('[data-testid="archive-all"]');
  await page.getByText('Bring in 50 studies').waitFor();
  await page.click('[data-testid="archive-bring"]');
  await see('progress');
  await accept(desk);
  await see('imported');
  assert.deepEqual(faults, []);
});

test('files that changed on the disk are told of, and the data are opened again', async () => {
  const desk = await open('?open=1&changed=3');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('changed');
  await page.getByText('3 files changed on the disk').waitFor();
  await sound(page, 'changed');
  await page.focus('[data-testid="open-again"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('[data-testid="changed"]'));
  await see('imported');
  assert.deepEqual(faults, []);
});

test('what lies over the pictures is listed, shown and left by keyboard, and a heatmap comes with its chain', async () => {
  const desk = await open('?open=1&overlays');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('r');
  await see('tool-overlays');
  const key = (words) =>
    page.waitForFunction((w) => document.querySelector('[data-mark=layer-key]')?.textContent.includes(w), words);
  assert.equal(await page.locator('[data-mark=layer-key]').count(), 0, 'nothing covers the picture at first');
  assert.equal(await page.locator('[data-testid^="layer-heat"]').count(), 0);
  await page.keyboard.press('Shift+V');
  await see('layers');
  await page.focus('[data-testid="layer-file-1-1"] input[type=checkbox]');
  await page.keyboard.press('Space');
  await key('left lung');
  await page.keyboard.press('1'); // a key of the questions: not in here
  await page.focus('[data-testid="layer-file-1-1"] input[type=range]');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(
    () => document.querySelector('[data-testid="layer-file-1-1"] output')?.textContent === '39 %',
  );
  await page.getByText('a contour lies 15.0 mm away').waitFor();
  await sound(page, 'overlays');
  assert.equal(await page.locator('[data-testid^="option-"][aria-checked="true"]').count(), 0);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('[data-testid="layers"]'));
  await key('left lung');
  await page.keyboard.press('s'); // to the questions
  await lookAtAll(desk);
  await page.keyboard.press('Shift+V');
  await see('layers');
  await page.focus('[data-testid="layer-heat-1-1"] input[type=checkbox]');
  await page.keyboard.press('Space');
  await key('chain A, step 1');
  await sound(page, 'heatmap');
  assert.deepEqual(faults, []);
});

const cardIs = (page, ...states) =>
  page.waitForFunction((s) => s.includes(document.querySelector('[data-testid="run-card"]')?.dataset.state), states);

/** tabTo moves the focus by Tab until it is on what carries the test id. */
const tabTo = async (page, id) => {
  for (let i = 0; i < 120; i++) {
    if (await page.evaluate((t) => document.activeElement?.closest(`[data-testid="${t}"]`) !== null, id)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${id}`);
};

const atExperiment = async (more = '') => {
  const desk = await open(`?open=1${more}`);
  await accept(desk);
  await desk.see('cases');
  await desk.page.keyboard.press('Alt+5');
  return desk;
};

test('an experiment is set up, started, paused and gone on with by keyboard', async () => {
  const { page, see, faults } = await atExperiment();
  await see('models');
  assert.equal(await page.locator('[data-testid="models"] input:checked').count(), 0);
  assert.match(await page.getAttribute('[data-testid="start-run"]', 'title'), /choose a model/);
  await sound(page, 'experiment');
  await tabTo(page, 'model-oracle-pixels');
  await page.keyboard.press('Space');
  await tabTo(page, 'set-original');
  await page.keyboard.press('Enter');
  // Two fields at once are compared with nothing that is chosen, until what lies between is added.
  await tabTo(page, 'compose');
  await page.keyboard.press('Enter');
  await see('composer');
  assert.match(await page.getAttribute('[data-testid="add-condition"]', 'title'), /choose what to change/);
  await page.selectOption('[data-testid="factor-image"]', 'none');
  await page.selectOption('[data-testid="factor-cue"]', 'suggest-right');
  await page.selectOption('[data-testid="stage-cue"]', 'S4');
  assert.equal(await page.textContent('[data-testid="composed"]'), 'none+suggest-right@S4');
  await sound(page, 'experiment-compose');
  await tabTo(page, 'add-condition');
  await page.keyboard.press('Enter');
  await see('alone-none+suggest-right@S4');
  await page.click('[data-testid="add-none"]');
  await page.waitForSelector('[data-testid="alone-none+suggest-right@S4"]', { state: 'detached' });
  await see('estimate-requests');
  await sound(page, 'experiment-set');
  await tabTo(page, 'start-run');
  await page.keyboard.press('Enter');
  await cardIs(page, 'running');
  await tabTo(page, 'pause-run');
  await page.keyboard.press('Enter');
  await cardIs(page, 'paused');
  await sound(page, 'experiment-paused');
  await page.keyboard.press('Alt+1');
  await see('going');
  await sound(page, 'library-while-running');
  await page.keyboard.press('Alt+5');
  await cardIs(page, 'paused');
  assert.equal(await page.locator('[data-testid="model-oracle-pixels"]:checked').count(), 1, 'what was set up stays');
  await tabTo(page, 'pause-run');
  await page.keyboard.press('Enter');
  await cardIs(page, 'complete');
  await see('not-applicable');
  await page.click('[data-testid="tab-runs"]');
  await page.click('[data-testid="past-runs"] [aria-expanded]');
  await page.getByText('seed 1').waitFor();
  await sound(page, 'experiment-runs');
  assert.deepEqual(faults, []);
});

test('a run that was left is asked about, failures are listed by kind, and the missing are asked again', async () => {
  const { page, see, faults } = await atExperiment('&left');
  await see('unfinished');
  await sound(page, 'experiment-unfinished');
  await page.click('[data-testid="not-now"]');
  await page.waitForSelector('[data-testid="unfinished"]', { state: 'detached' });
  await page.click('[data-testid="model-qwen-local"]');
  await page.click('[data-testid="set-necessity"]');
  await see('estimate-requests');
  await page.click('[data-testid="start-run"]');
  await cardIs(page, 'ended');
  await page.getByText('the connection ended within the answer').waitFor();
  await page.click('[data-testid="failures"] details summary');
  await page.getByText('was cut off before its end').first().waitFor();
  await sound(page, 'experiment-failed');
  await page.click('[data-testid="go-on"]');
  await cardIs(page, 'running');
  assert.deepEqual(faults, []);
});

test('a run goes out in batches and comes back by keyboard', async () => {
  const { page, see, faults } = await atExperiment();
  await see('models');
  await page.click('[data-testid="set-original"]');
  await tabTo(page, 'tab-set');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await see('batches');
  assert.match(await page.getAttribute('[data-testid="batch-write-into"]', 'title'), /choose what goes out/);
  await sound(page, 'batches');
  await page.selectOption('[data-testid="batch-what"]', 'new');
  await page.selectOption('[data-testid="batch-model"]', 'qwen-local');
  await page.click('[data-testid="batch-style-vllm"]');
  await see('batch-estimate');
  await tabTo(page, 'batch-write-into');
  await page.keyboard.press('Enter');
  await see('batch-written');
  await see('batch-list');
  await sound(page, 'batches-written');
  await tabTo(page, 'batch-look');
  await page.keyboard.press('Enter');
  await see('batch-found');
  await page.click('[data-testid="batch-files"]');
  await page.getByText('results-2.jsonl').waitFor();
  await tabTo(page, 'batch-take');
  await page.keyboard.press('Enter');
  await see('batch-taken');
  assert.equal(await page.textContent('[data-testid="taken-missing"]'), '1');
  await page.click('[data-testid="batch-missing"] summary');
  await page.click('[data-testid="batch-missed"] summary');
  await page.getByText('Invalid image data').waitFor();
  await sound(page, 'batches-read');
  assert.deepEqual(faults, []);
});

test('the queue of unsure cases: its trigger, the model to ask, and what a model is pointed to, by keyboard', async () => {
  const { page, see, faults } = await atExperiment();
  await see('models');
  await tabTo(page, 'tab-set');
  await page.keyboard.press('ArrowLeft');
  await see('queue-list');
  assert.match(await page.textContent('[data-testid="trigger-oracle-pixels"]'), /AUROC 0\.81/);
  await sound(page, 'queue');
  await see('order-unset'); // without a protocol there is nothing that could keep the order
  assert.equal(await page.locator('[data-testid="order-uncertain"] input:disabled').count(), 1);
  await tabTo(page, 'queue-list');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-testid="emphasis-picture"][data-painted]');
  assert.match(await page.getAttribute('[data-testid="emphasis-ask"]', 'title'), /name words or draw a place/);
  // A box by keyboard: E, the arrows, two corners with Enter.
  await page.keyboard.press('e');
  await page.waitForSelector('[data-testid="emphasis-draw"][aria-pressed="true"]');
  await page.keyboard.press('Enter');
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('box 1').waitFor();
  await page.getByRole('button', { name: 'abnormality' }).click();
  await page.fill('[data-testid="emphasis-words"]', 'left upper lobe, spicules');
  await page.selectOption('[data-testid="emphasis-question"]', 'q2');
  await sound(page, 'emphasis');
  await tabTo(page, 'emphasis-ask');
  await page.keyboard.press('Enter');
  await see('emphasis-after');
  assert.match(await page.textContent('[data-testid="emphasis-after"]'), /Prompt emphasis: 1 of 4 answers changed/);
  await sound(page, 'emphasis-after');
  await page.click('[data-testid="tab-which"]');
  await see('which-model');
  await sound(page, 'which-model');
  await tabTo(page, 'which-set-up');
  await page.keyboard.press('Enter');
  await see('models');
  assert.equal(await page.locator('[data-testid="model-oracle-pixels"]:checked').count(), 1);
  assert.deepEqual(faults, []);
});

test('a model behind a server is added, probed, allowed by name and removed', async () => {
  const { page, see, faults } = await atExperiment();
  await page.click('[data-testid="add-model"]');
  await see('profile-dialog');
  await page.click('[data-testid="save-profile"]');
  await page.getByText('name must be').waitFor();
  await page.fill('[data-testid="profile-name"]', 'mine');
  await page.fill('[data-testid="profile-model"]', 'qwen2.5-vl');
  await page.fill('[data-testid="profile-url"]', 'http://127.0.0.1:11434/v1');
  await sound(page, 'model-add');
  await page.click('[data-testid="profile-view"]');
  assert.match(await page.inputValue('[data-testid="profile-json"]'), /"base_url": "http:\/\/127.0.0.1:11434\/v1"/);
  await page.click('[data-testid="save-profile"]');
  await see('profile-mine');
  await page.click('[data-testid="probe-mine"]');
  await page.getByText('✓ reasoning apart').waitFor();
  await page.click('[data-testid="remove-mine"]');
  await page.click('[data-testid="remove-yes"]');
  await page.waitForSelector('[data-testid="profile-mine"]', { state: 'detached' });
  // A public host: what is sent is named, nothing is ticked, and without a name there is no consent.
  await page.click('[data-testid="model-cloud-vlm"]');
  await page.click('[data-testid="set-original"]');
  await page.waitForFunction(() =>
    /public host/.test(document.querySelector('[data-testid="start-run"]')?.title ?? ''),
  );
  await page.click('[data-testid="consent-cloud-vlm"]');
  await see('consent-dialog');
  assert.equal(await page.locator('[data-testid="consent-dialog"] input:checked').count(), 0);
  await sound(page, 'model-consent');
  await page.click('[data-testid="consent-text"]');
  await page.click('[data-testid="consent-images"]');
  await page.fill('[data-testid="consent-by"]', 'Ann');
  await page.keyboard.press('Enter');
  await page.getByText('allowed by Ann').waitFor();
  await page.waitForFunction(() => document.querySelector('[data-testid="start-run"]')?.title === '');
  assert.deepEqual(faults, []);
});

test('a reader has no experiments and nothing to compare', async () => {
  const desk = await open('?open=1&role=reader');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  for (const gone of ['experiment', 'compare'])
    assert.equal(await page.locator(`[data-testid="nav-${gone}"]`).count(), 0);
  for (const key of ['Alt+5', 'Alt+7']) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => location.hash.replace('#/', '').replace('library', '')), '');
  }
  await page.evaluate(() => {
    location.hash = '#/experiment';
  });
  await see('experiment-refused');
  assert.deepEqual(faults, []);
});

const bothPainted = (page) =>
  page.waitForFunction(() =>
    [0, 1].every((n) => document.querySelector(`[data-testid="pane-${n}"]`)?.dataset.painted !== undefined),
  );
const framesOf = (page) =>
  page.evaluate(() => [0, 1].map((n) => document.querySelector(`[data-testid="pane-${n}"]`)?.dataset.painted));

test('two chains lie beside each other, linked; a correction lets the model go on', async () => {
  const desk = await open('?open=1');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.keyboard.press('Alt+7');
  await see('pick-model');
  await sound(page, 'compare-empty');
  await page.selectOption('[data-testid="pick-model"]', 'oracle-pixels');
  await page.selectOption('[data-testid="pick-before"]', 'original');
  await page.selectOption('[data-testid="pick-after"]', 'none+suggest-right');
  await see('unfair');
  await sound(page, 'compare-unfair');
  await page.selectOption('[data-testid="pick-after"]', 'occ');
  await bothPainted(page);
  await page.getByText('1 of 4 answers changed').waitFor();
  await sound(page, 'compare');
  const first = await framesOf(page);
  assert.equal(first[0], first[1]);
  await page.focus('[data-testid="pane-1"] [tabindex="0"]');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(
    (was) =>
      [0, 1].every((n) => Number(document.querySelector(`[data-testid="pane-${n}"]`)?.dataset.painted) === was + 1),
    Number(first[0]),
  );
  await page.keyboard.press('Shift+S'); // the frames go their own ways
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => {
    const [a, b] = [0, 1].map((n) => document.querySelector(`[data-testid="pane-${n}"]`)?.dataset.painted);
    return Number(b) === Number(a) + 1;
  });
  await page.keyboard.press('Shift+S');
  await page.keyboard.press('Shift+I');
  await page.getByText('after − before').waitFor();
  await bothPainted(page);
  await sound(page, 'compare-difference');
  await page.keyboard.press('Shift+I');
  await page.keyboard.press('n');
  await page.waitForFunction(() => location.hash.startsWith('#/compare/C-02/'));
  await bothPainted(page);
  await page.keyboard.press('k');
  await page.waitForSelector('[data-testid="compared-q2"][data-open]');
  await page.keyboard.press('Shift+C');
  await see('continue-dialog');
  assert.match(await page.getAttribute('[data-testid="ask-again"]', 'title'), /say what it should be/);
  await page.keyboard.press('Space');
  await page.waitForSelector('[data-testid="should-A"]:checked');
  await sound(page, 'continue-asked');
  await page.click('[data-testid="ask-again"]');
  await see('continued');
  await bothPainted(page);
  await page.getByText('corrected by a reader').first().waitFor();
  await sound(page, 'continued');
  assert.deepEqual(faults, []);
});

test('where the protocol hides the arms, nothing names them', async () => {
  const desk = await open('?open=1&hidden');
  const { page, see, faults } = desk;
  await accept(desk);
  await see('cases');
  await page.evaluate(() => {
    location.hash = `#/compare/C-01/${encodeURIComponent('C-01/oracle-pixels/original')}/${encodeURIComponent('C-01/oracle-pixels/occ')}`;
  });
  await bothPainted(page);
  await page.getByText('still hides which arm is which').waitFor();
  for (const n of [0, 1]) assert.match(await page.textContent(`[data-testid="arm-${n}"]`), /^Arm [AB]$/);
  assert.equal(await page.locator('[data-testid^="continue-"]').count(), 0);
  await sound(page, 'compare-hidden');
  assert.deepEqual(faults, []);
});

test('an export is written from the study, counted, and blocked in words where it leaks', async () => {
  const desk = await open();
  const { page, see, faults } = desk;
  await accept(desk);
  await page.click('[data-testid="nav-study"]');
  await page.click('[data-testid="tab-export"]');
  await see('export-tab');
  assert.equal(await page.locator('[data-testid="export-tab"] [aria-pressed="true"]').count(), 0); // nothing is picked for anybody
  await page.focus('[data-testid="format-llamafactory-sft"]');
  await page.keyboard.press('Enter');
  await see('export-order');
  await sound(page, 'export');
  await page.focus('[data-testid="export-split"]');
  await page.keyboard.press('Enter');
  await see('export-written');
  const said = await page.textContent('[data-testid="export-written"]');
  assert.match(
    said,
    /29 files, 18 pictures among them[\s\S]*24[\s\S]*22[\s\S]*2: a question without a known right answer[\s\S]*train[\s\S]*19/,
  );
  await sound(page, 'export-written');
  await page.fill('[data-testid="export-against"]', '/elsewhere/manifest.json');
  await page.focus('[data-testid="export-write"]');
  await page.keyboard.press('Enter');
  await see('export-failed');
  assert.match(
    await page.textContent('[data-testid="export-failed"]'),
    /two sides[\s\S]*is in train here and test there[\s\S]*C-01, C-07/,
  );
  await sound(page, 'export-blocked');
  await page.selectOption('[data-testid="export-labels"]', 'adjudicated');
  await page.click('[data-testid="export-against-choose"]');
  await page.waitForFunction(() =>
    document.querySelector('[data-testid="export-against"]').value.endsWith('export/manifest.json'),
  );
  await page.click('[data-testid="format-pool"]');
  await see('pool');
  await sound(page, 'pool-empty');
  await page.click('[data-testid="pool-add"]');
  await see('pooled');
  assert.match(await page.textContent('[data-testid="pooled"]'), /1 site: 24 cases of 12 patients[\s\S]*K3QP-7TZA/);
  await sound(page, 'pool');
  assert.deepEqual(faults, []);
});
