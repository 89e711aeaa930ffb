// Drives the viewer alone in Chromium over invented pictures and compares greys, places and manners with what they must be.
//
//   node --test e2e/viewer/viewer.test.mjs
//
// CHROMIUM names the browser; without it the usual places are tried. SHOTS names a folder for screenshots.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { painting, serve } from './serve.mjs';

let served;
let root;
let browser;
let page;

before(async () => {
  served = await serve('viewer');
  root = served.root;
  browser = served.browser;
  page = await browser.newPage({ viewport: { width: 1280, height: 756 } });
});

after(() => served?.close());

const painted = () =>
  page.waitForFunction(() => window.said?.state?.painted !== undefined && !window.said.state.loading);
const frames = (n = 2) => painting(page, n);

/** Opens a stack and waits for its picture. */
async function open(query) {
  await page.goto(`${root}?${query}`);
  await painted();
}

/** Calls the handle and waits until the canvas has followed. */
async function viewer(call, ...args) {
  await page.evaluate(([name, rest]) => window.viewer[name](...rest), [call, args]);
  await frames();
}

async function shot(name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** The colour on the canvas at the middle of stored pixels of one row, read while pixels are sharp and one to one. */
async function row(columns, rows = 8, at = Math.floor(rows / 2)) {
  await viewer('smooth', false);
  await viewer('oneToOne');
  return page.evaluate(
    ([n, height, y]) => {
      const canvas = document.querySelector('canvas');
      const left = Math.round(canvas.width / 2 - n / 2);
      const top = Math.round(canvas.height / 2 - height / 2);
      const { data } = canvas.getContext('2d').getImageData(left, top + y, n, 1);
      return Array.from({ length: n }, (_, i) => [data[4 * i], data[4 * i + 1], data[4 * i + 2]]);
    },
    [columns, rows, at],
  );
}

const greys = async (columns, rows) => (await row(columns, rows)).map(([r]) => r);

// The formulas of DICOM PS3.3 C.11.2.1.2–3, written apart from the program's.
const linear = (x, c, w) =>
  x <= c - 0.5 - (w - 1) / 2 ? 0 : x > c - 0.5 + (w - 1) / 2 ? 255 : ((x - (c - 0.5)) / (w - 1) + 0.5) * 255;
const exact = (x, c, w) => (x <= c - w / 2 ? 0 : x > c + w / 2 ? 255 : ((x - c) / w + 0.5) * 255);
const sigmoid = (x, c, w) => 255 / (1 + Math.exp((-4 * (x - c)) / w));

function same(got, want, name) {
  for (const [i, w] of want.entries()) {
    assert.ok(Math.abs(got[i] - w) <= 0.5 + 1e-6, `${name}: stored ${i} is drawn ${got[i]}, and is ${w}`);
  }
}

const upTo = (n, of) => Array.from({ length: n }, (_, i) => of(i));

test('greys are those of DICOM to the last bit', async (t) => {
  const cases = [
    { stack: 'ramp', columns: 512, want: (i) => linear(i - 200, 40, 400) },
    { stack: 'ramp', columns: 512, window: [127.5, 1], want: (i) => (i - 200 > 127 ? 255 : 0) },
    { stack: 'ramp', columns: 512, window: [40, 0.2], want: (i) => linear(i - 200, 40, 1) },
    { stack: 'exact', columns: 512, want: (i) => exact(i - 200, 40, 400) },
    { stack: 'sigmoid', columns: 512, want: (i) => sigmoid(i - 200, 40, 400) },
    { stack: 'film', columns: 256, want: (i) => 255 - linear(i, 254, 128) },
    { stack: 'slope', columns: 256, want: (i) => linear(-10 * i + 3000, 1725, 2550) },
    { stack: 'float', columns: 256, want: (i) => exact(Math.fround(i / 255), 0.5, 0.4) },
    { stack: 'table', columns: 256, want: (i) => 255 - 2 * Math.min(127, Math.max(0, i - 64)) },
    { stack: 'padded', columns: 64, want: (i) => 255 - linear(i < 16 ? -2000 : i, 0, 100) },
  ];
  for (const c of cases) {
    await t.test(`${c.stack} ${c.window ?? ''}`, async () => {
      await open(`stack=${c.stack}`);
      if (c.window) await viewer('window', ...c.window);
      same(await greys(c.columns, 8), upTo(c.columns, c.want), c.stack);
    });
  }
});

// D05: inverted once, after the window; reset gives the first picture
test('a film turns its greys once, after the window, and reset gives the first picture', async () => {
  await open('stack=film');
  const first = await greys(256);
  const text = () => page.textContent('[data-mark=window]');
  const said = await text();
  await viewer('invert');
  same(
    await greys(256),
    first.map((g) => 255 - g),
    'inverted',
  );
  assert.equal(await text(), said, 'the numbers of the window do not change with inversion');
  await viewer('window', 10, 20);
  await viewer('flip');
  await viewer('reset');
  assert.deepEqual(await greys(256), first);
});

// D08: the window of a frame of its own
test('each frame has its own window until the reader chooses one', async () => {
  await open('stack=perFrame');
  assert.equal((await greys(256))[100], Math.round(linear(100, 100, 200)));
  await page.evaluate(() => window.go(1));
  await page.waitForFunction(() => window.said.state.painted === 1);
  await frames();
  assert.equal((await greys(256))[100], 0);
  assert.match(await page.textContent('[data-mark=window]'), /W 300 L 600/);
});

test('colour is left alone', async () => {
  await open('stack=color');
  await viewer('invert');
  await viewer('window', 10, 20);
  const got = await row(64, 64, 10);
  assert.deepEqual(
    got,
    upTo(64, (x) => [x * 4, 40, 128]),
  );
  assert.equal(await page.textContent('[data-mark=window]'), '');
  assert.match(await page.textContent('[data-mark=hints]'), /lossy/);
});

test('pictures of one row, one column or one value are shown', async () => {
  await open('stack=row');
  same(
    await greys(300, 1),
    upTo(300, (i) => linear(i, 150, 300)),
    'row',
  );
  await open('stack=column');
  await viewer('rotate');
  same(
    (await greys(300, 1)).reverse(),
    upTo(300, (i) => linear(i, 150, 300)),
    'column',
  );
  await open('stack=empty');
  assert.match(await page.textContent('[data-mark=window]'), /window computed/);
});

/** Where the middle of a stored pixel is on the page, from the transform that the canvas was drawn with. */
const onPage = (x, y) =>
  page.evaluate(
    ([px, py]) => {
      const canvas = document.querySelector('canvas');
      const r = canvas.getBoundingClientRect();
      const m = canvas.getContext('2d').getTransform();
      const p = m.transformPoint({ x: px, y: py });
      return { x: r.x + (p.x * r.width) / canvas.width, y: r.y + (p.y * r.height) / canvas.height };
    },
    [x, y],
  );

async function drag(from, to, button = 'left') {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button });
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up({ button });
  await frames();
}

const regions = () => page.evaluate(() => window.said.regions);

test('a box over pixels is written by their outer edges, however the picture lies', async (t) => {
  const stacks = { oblong: [200, 100], exif: [40, 30], aspect: [100, 100] };
  const lays = {
    upright: [],
    flipped: ['flip'],
    'turned and flipped': ['rotate', 'flip'],
    'upside down': ['flipDown'],
    smaller: ['zoom'],
  };
  for (const [stack, [columns, rows]] of Object.entries(stacks)) {
    for (const [name, lay] of Object.entries(lays)) {
      await t.test(`${stack}, ${name}`, async () => {
        await open(`stack=${stack}&tool=box`);
        for (const step of lay) await (step === 'zoom' ? viewer('zoomBy', 0.6) : viewer(step));
        await drag(await onPage(12.5, 9.5), await onPage(14.5, 15.5));
        const [box] = await regions();
        assert.equal(box.shape, 'box');
        const want = [12 / columns, 9 / rows, 15 / columns, 16 / rows];
        for (const [i, w] of want.entries()) assert.ok(Math.abs(box.coords[i] - w) < 1e-9, `${box.coords} is ${want}`);
      });
    }
  }
});

test('a box drawn on the screen is drawn back at the same place', async () => {
  await open('stack=oblong&tool=box');
  await viewer('rotate');
  await viewer('flip');
  const from = await onPage(20, 30);
  const to = await onPage(60, 50);
  await drag(from, to);
  const drawn = await page
    .locator('[data-region="1"]')
    .first()
    .evaluate((path) => {
      const { x, y, width, height } = path.getBBox();
      return [x, y, x + width, y + height];
    });
  const want = [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.max(from.x, to.x), Math.max(from.y, to.y)];
  // A pixel of this picture is 12 by 4 on the screen, and the box covers whole ones.
  assert.ok(
    drawn.every((v, i) => Math.abs(v - want[i]) <= 13),
    `${drawn} over ${want}`,
  );
});

test('by keyboard the crosshair walks as seen and Enter sets two corners', async () => {
  await open('stack=ct&frame=4&tool=box');
  await viewer('flip');
  await viewer('crosshair', true);
  for (const key of ['ArrowLeft', 'ArrowUp', 'Enter', 'ArrowLeft', 'ArrowLeft', 'Shift+ArrowUp', 'Enter']) {
    await page.keyboard.press(key);
  }
  const [box] = await regions();
  assert.deepEqual(box.coords, [129 / 256, 117 / 256, 132 / 256, 128 / 256]);
  assert.equal(box.frame, 4);
});

test('an own region is chosen, moved, reshaped and deleted', async () => {
  await open('stack=ct&frame=4&tool=box');
  await drag(await onPage(50, 60), await onPage(70, 80));
  await page.evaluate(() => window.use('window'));
  const edge = await onPage(60, 60);
  await page.mouse.click(edge.x, edge.y);
  await page.waitForSelector('[data-corner="2"]');
  await drag(await onPage(60, 60), await onPage(70, 65));
  assert.deepEqual(
    (await regions())[0].coords.map((c) => Math.round(c * 256)),
    [60, 65, 80, 85],
  );
  await drag(await onPage(80, 85), await onPage(90, 100));
  assert.deepEqual(
    (await regions())[0].coords.map((c) => Math.round(c * 256)),
    [60, 65, 90, 100],
  );
  await page.keyboard.press('Delete');
  assert.deepEqual(await regions(), []);
});

test('points, ellipses and polygons come out too', async () => {
  await open('stack=ct&frame=4&tool=point');
  const p = await onPage(64, 128);
  await page.mouse.click(p.x, p.y);
  await page.evaluate(() => window.use('ellipse'));
  await drag(await onPage(10.5, 10.5), await onPage(20.5, 30.5));
  await page.evaluate(() => window.use('polygon'));
  for (const [x, y] of [
    [100, 100],
    [120, 100],
    [120, 130],
  ]) {
    const q = await onPage(x, y);
    await page.mouse.click(q.x, q.y);
  }
  await page.keyboard.press('Enter');
  const [point, ellipse, polygon] = await regions();
  assert.ok(Math.abs(point.coords[0] - 0.25) < 0.002 && Math.abs(point.coords[1] - 0.5) < 0.002, `${point.coords}`);
  assert.deepEqual(ellipse.coords, [10 / 256, 10 / 256, 21 / 256, 31 / 256]);
  assert.equal(polygon.shape, 'polygon');
  assert.equal(polygon.coords.length, 6);
  await shot('evidence');
});

test('the words beside small regions cover neither them nor each other', async () => {
  await open('stack=ct&frame=18&tool=box');
  for (const [x, y, side] of [
    [180, 84, 14],
    [182, 104, 8],
    [196, 84, 10],
  ]) {
    await drag(await onPage(x + 0.5, y + 0.5), await onPage(x + side - 0.5, y + side - 0.5));
  }
  const rects = (selector) =>
    page.locator(selector).evaluateAll((all) =>
      all.map((e) => {
        const { x, y, width, height } = e.getBBox();
        return [x, y, x + width, y + height];
      }),
    );
  const words = await rects('svg g:has(> [data-region]) > text');
  const outlines = await rects('path[data-region]');
  assert.equal(words.length, 4);
  const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  for (const [i, w] of words.entries()) {
    assert.deepEqual(
      [...outlines, ...words.slice(i + 1)].filter((o) => meet(w, o)),
      [],
      `${w}`,
    );
  }
  await shot('labels');
});

test('the right button zooms when it is dragged and asks for the menu when it is clicked', async () => {
  await open('stack=ct&frame=4');
  const zoom = () => page.evaluate(() => window.said.state.zoom);
  const menus = () => page.evaluate(() => window.said.menus);
  const fitted = await zoom();
  const at = await onPage(128, 128);
  await drag(at, { x: at.x + 1, y: at.y - 1 }, 'right');
  assert.deepEqual(await menus(), [{ x: Math.round(at.x + 1), y: Math.round(at.y - 1) }]);
  assert.equal(await zoom(), fitted);
  await drag(at, { x: at.x, y: at.y - 60 }, 'right');
  assert.ok((await zoom()) > fitted * 1.3);
  assert.equal((await menus()).length, 1);
  await page.mouse.dblclick(at.x, at.y);
  await frames();
  assert.equal(await zoom(), fitted);
});

test('the windows of the file are walked through by name', async () => {
  await open('stack=ct&frame=4');
  const names = await page.evaluate(() => window.said.state.fileWindows);
  assert.ok(names.length > 1, `${names}`);
  const said = [];
  for (let i = 0; i <= names.length; i++) {
    said.push(await page.evaluate(() => window.said.state.window.explanation));
    await viewer('nextFileWindow');
  }
  assert.deepEqual(said, [...names, names[0]]);
  await viewer('window', 1, 2);
  await viewer('nextFileWindow');
  assert.equal(await page.evaluate(() => window.said.state.window.explanation), names[0]);
});

test('by keyboard a polygon takes its corners one by one and closes on the last', async () => {
  await open('stack=ct&frame=4&tool=polygon');
  await viewer('crosshair', true);
  for (const key of ['Enter', 'Enter', 'ArrowRight', 'Enter', 'ArrowDown', 'Enter', 'Enter']) {
    await page.keyboard.press(key);
  }
  const [polygon] = await regions();
  const pixels = polygon.coords.map((c) => c * 256 - 128.5);
  assert.deepEqual(pixels, [0, 0, 1, 0, 1, 1]);
  assert.equal(await page.locator('[data-mark=crosshair]').count(), 0);
});

test('a polygon that was begun goes with its tool', async () => {
  await open('stack=ct&frame=4&tool=polygon');
  const at = await onPage(100, 100);
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(at.x + 30, at.y);
  await page.waitForSelector('[data-mark=draft]', { state: 'attached' });
  await page.evaluate(() => window.use('window'));
  await page.waitForSelector('[data-mark=draft]', { state: 'detached' });
  assert.deepEqual(await regions(), []);
});

// D13: the width stops at 1, and the picture never turns its polarity
test('the wheel walks the frames, Ctrl zooms under the pointer, and the width stops at one', async () => {
  await open('stack=ct&frame=10');
  const spot = await onPage(186.5, 92.5);
  await page.mouse.move(spot.x, spot.y);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => window.said.state.painted === 11);
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => window.said.state.painted === 10);
  const before = await page.textContent('[data-mark=probe]');
  assert.match(before, /^x 186 y 92 · −?\d+ HU$/);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  await frames();
  assert.equal(await page.textContent('[data-mark=probe]'), before);
  await viewer('window', 40, 50);
  await drag({ x: 700, y: 300 }, { x: 5, y: 300 });
  assert.equal((await page.evaluate(() => window.viewer.state())).window.width, 1);
});

// S15: loading is said, and what was not shown was not seen
test('a frame that is late says so, a broken one says why, and the rest still scrolls', async () => {
  await open('stack=trouble');
  await page.evaluate(() => window.go(3));
  await page.waitForFunction(() => window.said.state.trouble !== '');
  assert.match(
    await page.textContent('[role=alert]'),
    /Frame 4 cannot be shown: the pixel data of this frame is cut short/,
  );
  assert.equal(await page.locator('canvas').isVisible(), false, 'no earlier picture stands under the trouble');
  await page.evaluate(() => window.go(5));
  await page.waitForFunction(() => /10 bytes/.test(window.said.state.trouble));
  await page.evaluate(() => window.go(4));
  await painted();
  assert.equal(await page.locator('canvas').isVisible(), true);
  await page.evaluate(() => window.go(11));
  await page.waitForSelector('[role=status]');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('canvas')).visibility === 'hidden');
  assert.match(await page.textContent('[role=status]'), /loading frame 12/);
  await page.evaluate(() => window.go(2));
  await page.waitForFunction(() => window.said.state.painted === 2);
  await page.waitForFunction(() => !window.said.state.loading);
  const seen = await page.evaluate(() => window.said.seen.map((s) => s.frame));
  assert.ok(!seen.includes(11) && !seen.includes(3) && !seen.includes(5), `what was not shown was not seen: ${seen}`);
});

// G14: letters at the edges by the orientation; G15: unknown is '?', never guessed; G01: lengths in square millimetres; G05: no ruler without one
test('marks tell the side, the place and the size', async (t) => {
  const letters = async () => (await page.locator('[class*=letter]').allTextContents()).join(' ');
  await t.test('letters follow the picture', async () => {
    await open('stack=ct');
    assert.equal(await letters(), 'R L A P');
    await viewer('flip');
    assert.equal(await letters(), 'L R A P');
    await viewer('rotate');
    assert.equal(await letters(), 'P A L R');
    assert.match(await page.textContent('[data-mark=warning]'), /gantry tilt/);
    await shot('ct');
  });
  await t.test('oblique, and by letters alone, and unknown', async () => {
    await open('stack=oblong');
    assert.equal(await letters(), 'RA LP H F');
    await shot('oblong');
    await open('stack=aspect');
    assert.equal(await letters(), 'R L H F');
    assert.equal(await page.locator('[data-mark=ruler]').count(), 0);
    await open('stack=ramp');
    assert.equal(await letters(), '? ? ? ?');
  });
  await t.test('the ruler is as long as it says', async () => {
    await open('stack=oblong');
    const label = await page.textContent('[data-mark=ruler-label]');
    const length = Number(await page.getAttribute('[data-mark=ruler]', 'data-length'));
    const a = await onPage(0, 0);
    const b = await onPage(1, 0);
    const mm = Number.parseFloat(label) * (label.endsWith('cm') ? 10 : 1);
    assert.ok(Math.abs(length - (mm / 0.4) * (b.x - a.x)) < 0.01, `${label} is drawn ${length} px`);
    await page.evaluate(() => window.use('measure'));
    await drag(await onPage(20, 10), await onPage(120, 60));
    const [value, unit] = (await page.textContent('[data-mark=measure]')).split(' ');
    assert.equal(unit, 'mm');
    assert.ok(Math.abs(Number(value) - Math.hypot(100 * 0.4, 50 * 1.2)) < 0.3, value);
  });
});

test('on a dense display, and on a wide one where the page is enlarged, pixels and pointer keep together', async (t) => {
  const displays = {
    dense: { viewport: { width: 1280, height: 756 }, deviceScaleFactor: 2 },
    wide: { viewport: { width: 2560, height: 1440 }, deviceScaleFactor: 1 },
  };
  const usual = page;
  for (const [name, display] of Object.entries(displays)) {
    await t.test(name, async () => {
      page = await browser.newPage(display);
      await open('stack=ct&tool=box');
      const drawn = await page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        return [canvas.width / canvas.getBoundingClientRect().width, window.devicePixelRatio];
      });
      assert.ok(Math.abs(drawn[0] - drawn[1]) < 0.01, `canvas pixels to display pixels: ${drawn}`);
      await drag(await onPage(100.5, 60.5), await onPage(140.5, 90.5));
      assert.deepEqual(
        (await regions())[0].coords.map((c) => c * 256),
        [100, 60, 141, 91],
      );
      await page.mouse.move(...Object.values(await onPage(33.5, 44.5)));
      await frames();
      assert.match(await page.textContent('[data-mark=probe]'), /^x 33 y 44/);
      await shot(name);
      await page.close();
    });
  }
  page = usual;
});

test('the track at the edge goes where it is pressed', async () => {
  await open('stack=ct&frame=3');
  const track = await page.locator('[data-mark=track]').boundingBox();
  const y = (position) => track.y + ((position + 0.5) / 40) * track.height;
  await page.mouse.move(track.x + 4, y(30));
  await page.mouse.down();
  await page.waitForFunction(() => window.said.state.painted === 30);
  await page.mouse.move(track.x + 4, y(12));
  await page.waitForFunction(() => window.said.state.painted === 12);
  await page.mouse.up();
  assert.match(await page.textContent('[data-mark=window]'), /W 1500 L −600/, 'the window stays');
});

test('cine walks round and stops', async () => {
  await open('stack=perFrame');
  await viewer('cine', true);
  await page.waitForFunction(() => window.said.seen.filter((s) => s.frame === 0).length > 2);
  await viewer('cine', false);
  assert.equal((await page.evaluate(() => window.viewer.state())).cine, false);
});

test('another image begins as it is first shown, and the one before leaves nothing behind', async () => {
  await open('stack=ct');
  await viewer('window', 40, 80);
  await viewer('rotate');
  for (const name of ['film', 'ct', 'radiograph', 'ct', 'color', 'ct', 'ramp']) {
    await page.evaluate((to) => window.change(to), name);
    await page.waitForFunction((to) => window.said.seen.at(-1)?.image === to, name);
    await painted();
  }
  const [engines, bytes] = await page.evaluate(() => window.alive());
  assert.equal(engines, 1);
  assert.equal(bytes, 512 * 8 * 2, 'only the picture on the screen is held');
  await page.evaluate(() => window.change('ct'));
  await page.waitForFunction(() => window.said.seen.at(-1)?.image === 'ct');
  await frames();
  assert.match(await page.textContent('[data-mark=window]'), /W 1500 L −600 lung/);
  assert.equal((await page.locator('[class*=letter]').allTextContents()).join(' '), 'R L A P');
});

test('a film of 3000 × 2500 is shown', async () => {
  await open('stack=radiograph');
  await shot('radiograph');
  assert.equal((await page.evaluate(() => window.viewer.state())).painted, 0);
});
