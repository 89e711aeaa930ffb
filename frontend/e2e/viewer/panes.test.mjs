// Drives the panes of the viewer in Chromium over invented pictures: layouts, what is linked, the strip, measuring, the magnifier, cine.
//
//   node --test e2e/viewer/panes.test.mjs
//
// CHROMIUM names the browser; without it the usual places are tried. SHOTS names a folder for screenshots.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { painting, serve } from './serve.mjs';

let served;
let root;
let page;

before(async () => {
  served = await serve('panes');
  root = served.root;
  page = await (await served.browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
});

after(() => served?.close());

const frames = (n = 2) => painting(page, n);

const painted = () =>
  page.waitForFunction(() => {
    const all = [...document.querySelectorAll('[data-painted]')];
    return all.length > 0 && all.every((a) => a.dataset.painted !== '' && a.dataset.loading === 'false');
  });

async function open(query) {
  await page.goto(`${root}?${query}`);
  await painted();
}

async function views(call, ...args) {
  await page.evaluate(([name, rest]) => window.views[name](...rest), [call, args]);
  await painted();
  await frames(3);
}

const shown = () =>
  page.evaluate(() => window.views.panes().panes.map((p) => (p.image ? `${p.image} ${p.frame}` : '')));
const pane = (n) => page.locator(`[data-pane="${n}"]`);
const middleOf = async (n) => {
  const box = await pane(n).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
const mark = (n, name) => pane(n).locator(`[data-mark=${name}]`).textContent();

async function shot(name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** Whether every pane has greys on its canvas: a blank is never taken for a picture. */
const blank = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-pane]')]
      .filter((p) => {
        const canvas = p.querySelector('canvas');
        if (!canvas) return false;
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return !data.some((v, i) => i % 4 < 3 && v > 30);
      })
      .map((p) => p.dataset.pane),
  );

test('one image has one pane and no strip', async () => {
  await open('stacks=ct');
  assert.equal(await page.locator('[data-testid=strip]').count(), 0);
  assert.equal(await page.locator('[data-pane]').count(), 1);
});

test('layouts take the images of the case, and no pane is blank however fast they change', async () => {
  await open('stacks=ct,thick,film,color&frame=20');
  await page.evaluate(() => {
    for (const layout of ['1x2', '2x1', '2x2', '1x1', '2x2']) window.views.layout(layout);
  });
  await painted();
  await frames(4);
  assert.deepEqual(await shown(), ['ct 20', 'thick 5', 'film 0', 'color 0']);
  assert.deepEqual(await blank(), []);
  for (const layout of ['1x2', '2x1', '2x2']) {
    await views('layout', layout);
    assert.deepEqual(await blank(), [], layout);
  }
  await shot('panes-2x2');
  const { violations } = await new AxeBuilder({ page }).include('#root').analyze();
  assert.deepEqual(
    violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id),
    [],
  );
});

test('frames follow by position in one space, and every pane that is on the screen is told of as seen', async () => {
  await open('stacks=ct,thick&frame=20');
  await views('layout', '1x2');
  await page.mouse.move(...(await middleOf(0)));
  for (let i = 0; i < 8; i++) await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => window.views.panes().panes[0].frame === 28);
  await painted();
  assert.deepEqual(await shown(), ['ct 28', 'thick 7']);
  assert.match(await mark(1, 'frame'), /8 \/ 10/);
  assert.deepEqual([...(await page.evaluate(() => window.said.there))].sort(), ['ct', 'thick']);
  const seen = await page.evaluate(() => window.said.seen.map((s) => `${s.image} ${s.frame}`));
  assert.ok(seen.includes('thick 7') && seen.includes('ct 28'), `${seen}`);

  // The wheel over the other pane leads too, without making it the active one.
  await page.mouse.move(...(await middleOf(1)));
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => window.views.panes().panes[1].frame === 6);
  await painted();
  assert.deepEqual(await shown(), ['ct 24', 'thick 6']);
  assert.equal(await page.evaluate(() => window.views.panes().active), 0);

  await views('link', 'scroll');
  for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => window.views.panes().panes[1].frame === 3);
  assert.deepEqual(await shown(), ['ct 24', 'thick 3']);
  await views('link', 'scroll');
  assert.deepEqual(await shown(), ['ct 24', 'thick 6']);
});

test('the window and the zoom follow when they are linked, in one unit only', async () => {
  await open('stacks=ct,thick,film&frame=20');
  await views('layout', '2x2');
  await page.evaluate(() => window.viewer.window(40, 80));
  await frames();
  assert.match(await mark(1, 'window'), /W 400 L 40/);
  await views('link', 'window');
  await page.evaluate(() => window.viewer.preset(4));
  await frames();
  assert.match(await mark(1, 'window'), /W 1500 L −600 lung/);
  assert.match(await mark(2, 'window'), /W 128 L 254/);
  await views('link', 'zoom');
  await page.evaluate(() => window.viewer.zoomBy(2));
  await frames();
  assert.equal(await mark(1, 'zoom'), await mark(0, 'zoom'));
  await page.evaluate(() => window.viewer.fit());
  await frames();
  assert.equal(await mark(1, 'zoom'), await mark(0, 'zoom'));
});

test('a pane is chosen by a press, by keys and from the strip; two clicks make it alone', async () => {
  await open('stacks=ct,thick,film&frame=20');
  await views('layout', '1x2');
  const active = () => page.evaluate(() => window.views.panes().active);
  await page.mouse.click(...(await middleOf(1)));
  assert.equal(await active(), 1);
  assert.equal(await pane(1).getAttribute('data-active'), '');
  assert.equal((await page.evaluate(() => window.viewer.state())).painted, 5, 'keys are for the active pane');
  await views('next');
  assert.equal(await active(), 0);

  await page.locator('[data-testid=stack-film]').click();
  await painted();
  assert.deepEqual(await shown(), ['film 0', 'thick 5']);
  await page.locator('[data-testid=stack-film]').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await painted();
  assert.equal((await shown())[0].split(' ')[0], 'ct');

  await page.locator('[data-testid=stack-film]').dragTo(pane(1));
  await painted();
  assert.deepEqual((await shown())[1], 'film 0');
  assert.equal(await active(), 1);

  await page.mouse.dblclick(...(await middleOf(1)));
  await frames(3);
  assert.equal(await page.locator('[data-pane]').count(), 1);
  assert.deepEqual(await page.evaluate(() => window.said.there), ['film'], 'what is not on the screen is not seen');
  const [x, y] = await middleOf(1);
  await page.mouse.dblclick(x, y);
  await painted();
  assert.equal(await page.locator('[data-pane]').count(), 2);
  assert.deepEqual(await blank(), []);
});

/** Where a stored pixel point lies on the page, in a single pane that was just opened. */
const onPage = (x, y) =>
  page.evaluate(
    ([px, py]) => {
      const box = document.querySelector('[data-painted]').getBoundingClientRect();
      const zoom = Math.min(box.width / 256, box.height / 256);
      return [box.x + box.width / 2 + (px - 128) * zoom, box.y + box.height / 2 + (py - 128) * zoom];
    },
    [x, y],
  );

async function drag(from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await page.mouse.move(...to);
  await page.mouse.up();
  await frames();
}

const said = () => page.locator('[data-measured]').allTextContents();

test('several measurements are kept beside their frame, moved, and removed', async () => {
  await open('stack=ct&frame=18&tool=measure');
  await drag(await onPage(100, 100), await onPage(130, 140));
  assert.deepEqual(await said(), ['35.0 mm']); // 50 px of 0.7 mm
  await page.evaluate(() => window.use('angle'));
  await frames();
  for (const p of [
    [150, 60],
    [120, 60],
    [120, 90],
  ])
    await page.mouse.click(...(await onPage(...p)));
  await frames();
  assert.deepEqual(await said(), ['35.0 mm', '90.0°']);

  // D14: values in HU, from the samples of a rib of 600 HU, whatever the window is
  await page.evaluate(() => window.use('roi-box'));
  await frames();
  await page.evaluate(() => window.viewer.window(-600, 10));
  await drag(await onPage(122, 180), await onPage(134, 192));
  const [, , values] = await said();
  assert.match(values, /^mean 6\d\d\.\d ± \d+\.\d HU|^mean 59\d\.\d ± \d+\.\d HU/);
  assert.match(values, /n 144/);
  assert.match(values, /area 70\.6 mm²/);
  await shot('measures');

  await page.evaluate(() => window.go(17));
  await painted();
  assert.deepEqual(await said(), []);
  await page.evaluate(() => window.go(18));
  await painted();
  await page.waitForFunction(() => document.querySelectorAll('[data-measured]').length === 3);
  assert.deepEqual(await page.evaluate(() => window.said.regions), [], 'nothing of that is evidence');

  await page.evaluate(() => window.use('window'));
  await frames();
  await page.mouse.click(...(await onPage(115, 120)));
  await drag(await onPage(130, 140), await onPage(130, 100));
  assert.equal((await said())[0], '21.0 mm');
  await page.keyboard.press('Delete');
  await frames();
  assert.equal((await said()).length, 2);
  await page.evaluate(() => window.viewer.reset());
  assert.equal((await said()).length, 2, 'a reset of the view takes no measurement away');
  await page.evaluate(() => window.viewer.clearMeasures());
  await frames();
  assert.deepEqual(await said(), []);
});

test('by keyboard too, and without a spacing pixels are counted', async () => {
  await open('stack=exif&tool=measure');
  await page.evaluate(() => window.viewer.crosshair(true));
  await frames();
  for (const key of ['Enter', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
  await frames();
  assert.deepEqual(await said(), ['10.0 pxspacing unknown']);
});

test('the magnifier shows what lies under the pointer, three times as large', async () => {
  await open('stack=ct&frame=18');
  await page.evaluate(() => window.viewer.lens(true));
  await page.mouse.move(...(await onPage(186, 92)));
  await frames();
  const middle = await page.evaluate(() => {
    const canvas = document.querySelector('[data-mark=lens] canvas');
    const { data } = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
    return data[0];
  });
  assert.ok(middle > 200, `the nodule is bright in a lung window: ${middle}`);
  await shot('lens');
  await page.evaluate(() => window.viewer.lens(false));
  await frames();
  assert.equal(await page.locator('[data-mark=lens]').count(), 0);
});

test('cine goes at the pace of the file, says so, and skips no frame', async () => {
  await open('stacks=clip,ct');
  await page.evaluate(() => window.viewer.cine(true));
  await page.waitForFunction(() => window.said.seen.filter((s) => s.image === 'clip').length > 20);
  assert.match(await page.textContent('[data-mark=cine]'), /50\/s of the file/);
  const order = await page.evaluate(() => window.said.seen.map((s) => s.frame));
  for (const [i, n] of order.entries()) {
    if (i > 0 && order[i] !== order[i - 1]) assert.equal(n, (order[i - 1] + 1) % 6, `${order}`);
  }
  await page.locator('[data-mark=cine] button').first().click();
  await frames();
  assert.match(await page.textContent('[data-mark=cine]'), /40\/s 0\.8 ×/);
  await page.evaluate(() => window.viewer.cine(false));
  await open('stack=ct');
  await page.evaluate(() => window.viewer.cine(true));
  await frames();
  assert.match(await page.textContent('[data-mark=cine]'), /10\/s assumed/);
});

// G18 and G19 draw on the pixel: what is set is coloured, and its neighbours are not.
test('drawings of files lie on their pixels, turn with the picture, and are shown, hidden and made fainter', async () => {
  await open('stacks=ct,thick&layers&frame=18');
  await frames();
  const layer = (id) => page.locator(`[data-testid=layer-${id}] input[type=checkbox]`);
  const key = (words) =>
    page.waitForFunction((w) => document.querySelector('[data-mark=layer-key]')?.textContent.includes(w), words);
  assert.equal(await page.locator('[data-mark=layer-key]').count(), 0, 'nothing lies over a picture at first');
  await page.evaluate(() => window.viewer.focus());
  await page.evaluate(() => window.views.layers());
  await page.getByTestId('layers').waitFor();
  assert.match(await page.evaluate(() => document.activeElement.tagName), /INPUT|BUTTON/);
  await layer('plane').check();
  await page.locator('[data-testid=layer-plane] input[type=range]').fill('100');
  await key('overlay 6000');
  const alphas = (points) =>
    page.evaluate((list) => {
      const canvas = document.querySelector('[data-mark=layers]');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const scale = Math.min(canvas.width / 256, canvas.height / 256);
      return list.map(([x, y]) => {
        const px = Math.round(canvas.width / 2 + (x + 0.5 - 128) * scale);
        const py = Math.round(canvas.height / 2 + (y + 0.5 - 128) * scale);
        return data[4 * (py * canvas.width + px) + 3];
      });
    }, points);
  const corners = [
    [39, 19],
    [43, 21],
    [38, 19],
    [44, 21],
    [39, 18],
    [43, 22],
  ];
  await frames();
  assert.deepEqual(await alphas(corners), [255, 255, 0, 0, 0, 0]);
  await page.evaluate(() => window.viewer.flip());
  await frames();
  assert.deepEqual(await alphas(corners.map(([x, y]) => [255 - x, y])), [255, 255, 0, 0, 0, 0]);
  await page.evaluate(() => window.viewer.flip());

  await layer('seg').check();
  await key('left lung');
  await frames();
  const [inside, outside] = await alphas([
    [176, 125],
    [82, 125],
  ]);
  assert.ok(Math.abs(inside - 102) <= 1, `two fifths as strong at first: ${inside}`);
  assert.equal(outside, 0);
  await page.locator('[data-testid=layer-seg] input[type=range]').fill('20');
  await frames();
  assert.ok(Math.abs((await alphas([[176, 125]]))[0] - 51) <= 1);

  for (const id of ['contour', 'heat', 'broken']) await layer(id).check();
  await key('right lungnot on this frame');
  await frames();
  await shot('layers');
  await layer('plane').uncheck();
  await page.getByTestId('layer-to-broken').click();
  await key('right lungcannot be shown: the file is gone');
  await page.evaluate(() => window.go(17));
  await painted();
  await frames();
  assert.equal((await alphas([[40, 20]]))[0], 0, 'a drawing is of its frame');
  const { violations } = await new AxeBuilder({ page }).include('#root').analyze();
  assert.deepEqual(
    violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id),
    [],
  );
  await page.evaluate(() => window.showRegions(false));
  await frames();
  assert.equal(await page.locator('[data-mark=layers], [data-mark=layer-key]').count(), 0);
  assert.match(await page.textContent('[data-testid=layers]'), /All are hidden by the key/);
  await layer('seg').focus();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByTestId('layers').count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'application');
});

test('planes across a volume lie right, cross where a place is pointed at, and take no evidence', async () => {
  await open('stacks=ct,film&frame=18');
  assert.equal(await page.evaluate(() => window.views.acrossTrouble()), '');
  await views('across');
  const images = (await shown()).map((x) => x.replace(/ \d+$/, ''));
  assert.deepEqual(images, ['ct', 'ct · coronal', 'ct · sagittal', 'ct · axial']);
  assert.deepEqual(await blank(), []);
  const letters = async (n) => (await pane(n).locator('[class*=letter]').allTextContents()).join('');
  assert.deepEqual([await letters(0), await letters(1), await letters(2)], ['RLAP', 'RLHF', 'APHF']);
  assert.match(await mark(1, 'spacing'), /0\.70 × 0\.70/);
  assert.equal(await pane(0).locator('[data-mark=cuts]').count(), 1);

  // The nodule at 186, 92 of frame 18: pointed at in the frame, it lies in the middle of both planes across.
  const box = await pane(0).boundingBox();
  const zoom = Math.min(box.width, box.height) / 256;
  const at = [box.x + box.width / 2 + (186.5 - 128) * zoom, box.y + box.height / 2 + (92.5 - 128) * zoom];
  await page.mouse.click(...at);
  await page.waitForFunction(() => window.views.panes().panes[1].frame === 92);
  await painted();
  assert.equal(await page.evaluate(() => window.views.panes().panes[2].frame), 186);
  await shot('across');

  // The value under the pointer is that of the volume, in HU.
  const coronal = await pane(1).boundingBox();
  const k = Math.min(coronal.width / 256, coronal.height / 56);
  await page.mouse.move(
    coronal.x + coronal.width / 2 + (186.5 - 128) * k,
    coronal.y + coronal.height / 2 + ((39 - 18) / 0.7 + 0.5 - 28) * k,
  );
  await frames();
  const hu = Number(/· (−?\d+) HU/.exec(await mark(1, 'probe'))[1].replace('−', '-'));
  assert.ok(Math.abs(hu - 35) < 30, `the nodule has about 35 HU: ${hu}`);

  await page.getByTestId('slab').locator('select').first().selectOption('20');
  await page.getByTestId('slab').locator('select').last().selectOption('max');
  await painted();
  await frames(3);
  assert.match(await pane(1).textContent(), /coronal MIP 20 mm.*interpolated/);
  assert.deepEqual(await blank(), []);
  assert.equal(await page.evaluate(() => window.views.panes().panes[2].frame), 186, 'the place stays');
  await shot('slab');

  await page.mouse.click(...(await middleOf(2)));
  await page.evaluate(() => window.use('box'));
  await frames();
  assert.equal(await page.evaluate(() => window.views.panes().active), 0, 'evidence lies on frames that there are');
  const seen = await page.evaluate(() => window.said.seen.map((s) => s.image));
  assert.deepEqual([...new Set(seen)], ['ct'], 'a plane across is no frame that was seen');

  await page.evaluate(() => window.use('window'));
  await views('across');
  assert.equal(await page.locator('[data-pane]').count(), 1);
  await page.locator('[data-testid=stack-film]').click();
  await painted();
  assert.match(await page.evaluate(() => window.views.acrossTrouble()), /three frames/);
});
