// Every kind of picture that a viewer gets wrong, opened in the real window and used as a radiologist uses it: scrolled, windowed,
// turned, measured, cut across, put beside others. Says what stands on the picture and fails where that is not what is in the file.
// KINDS is a dataset made by build/kinds.py; pictures of the window go to PICTURES as pictures-*.png. Run by build/pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, HOME, KINDS, PICTURES } = process.env;
mkdirSync(PICTURES, { recursive: true });
const w = await Window.open(APP, [], { PLUMBLINE_HOME: join(HOME, 'kinds') });
w.resize(1280, 800);

const marks = (name) =>
  w.eval(`[...document.querySelectorAll('[data-pane] [data-mark="${name}"]')].map((m) => m.textContent)`);
const mark = async (name, pane = 0) => (await marks(name))[pane] ?? '';
const letters = (pane = 0) =>
  w.eval(
    `[...document.querySelectorAll('[data-pane="${pane}"] [data-painted] > span[data-mark="letter"]')].map((m) => m.textContent).join(',')`,
  );
const painted = (panes) =>
  until(
    () =>
      w.eval(`(() => {
        const all = [...document.querySelectorAll('[data-pane] [data-painted]')];
        return all.length === ${panes} && all.every((a) => a.dataset.painted !== '' && a.dataset.loading === 'false');
      })()`),
    `${panes} pictures are painted`,
    60000,
  );
const expect = (what, got, want) => {
  const right = want instanceof RegExp ? want.test(got) : String(got) === String(want);
  if (!right) throw new Error(`${what}: ${JSON.stringify(got)}, not ${want}`);
};

/** clipped names the words on the pictures that leave their pane or are cut. Warnings may be cut where there are several panes: they stand beside too. */
const clipped = () =>
  w.eval(`[...document.querySelectorAll('[data-pane] [data-mark]')].filter((m) => {
    const r = m.getBoundingClientRect();
    if (r.width === 0 || m.closest('svg')) return false;
    const p = m.closest('[data-pane]').getBoundingClientRect();
    const outside = r.left < p.left - 1 || r.right > p.right + 1 || r.top < p.top - 1 || r.bottom > p.bottom + 1;
    return outside || (m.scrollWidth > m.clientWidth + 1 && m.dataset.mark !== 'warning');
  }).map((m) => m.dataset.mark + ': ' + m.textContent).join()`);
const save = async (name) => {
  expect(`words cut in ${name}`, await clipped(), '');
  await w.picture(join(PICTURES, `pictures-${name}.png`));
};

async function open(id) {
  await w.click('to-library').catch(() => {});
  await w.see('cases');
  await w.click(`case-${id}`);
  await painted(1);
  if (await w.exists('display-both')) await w.click('display-both');
  w.key('w');
  await until(() => w.eval(`!!document.activeElement?.closest('[data-zone=image]')`), 'the picture has the keys');
}
/** scroll walks the frames by key and by wheel; every step is one frame. */
async function scroll(by) {
  const at = async () => Number(/frame (\d+) /.exec(await mark('frame'))[1]);
  const from = await at();
  for (let i = 0; i < by; i++) w.key('Down');
  await until(async () => (await at()) === from + by, `frame ${from + by} by keys`);
  await w.wheel('viewer', -by);
  await until(async () => (await at()) === from, `frame ${from} by the wheel`);
}
/** across opens the planes across the volume and waits until all of them are there. */
async function across() {
  w.key('shift+p');
  await painted(4);
}

const kinds = {
  // A head of 200 slices, JPEG-LS: brain window of the file, presets, the line of measuring, planes across.
  async ct() {
    await open('ct');
    expect('slices', await mark('frame'), /\/ 200$/);
    expect('window', await mark('window'), 'W 100 L 35');
    expect('spacing', await mark('spacing'), '1.00 mm · 0.49 × 0.49');
    expect('letters', await letters(), 'R,L,A,P');
    expect('ruler', await mark('ruler-label'), /cm/);
    await scroll(8);
    w.key('m');
    await w.drag('viewer', [0.42, 0.45], [0.58, 0.45]);
    await until(async () => / mm$/.test(await mark('measure')), 'a length in mm');
    await save('ct');
    w.key('Escape');
    w.key('shift+Delete');
    w.key('w');
    w.key('F8');
    await until(async () => /W 2000 L 500/.test(await mark('window')), 'the bone window');
    w.key('h');
    await until(async () => (await letters()) === 'L,R,A,P', 'the letters follow the flip');
    w.key('r');
    await until(async () => (await letters()) === 'P,A,L,R', 'the letters follow the turn');
    w.key('space');
    await until(async () => (await letters()) === 'R,L,A,P', 'reset');
    await across();
    expect('coronal', await letters(1), 'R,L,H,F');
    expect('sagittal', await letters(2), 'A,P,H,F');
    await save('ct-planes');
  },
  // A clip in colour: no window, its own times, the depth in centimetres; no place in the patient.
  async us() {
    await open('us');
    expect('window', await mark('window'), '');
    expect('hints', await mark('hints'), 'lossy compression');
    expect('warnings', (await marks('warning')).join(), '');
    expect('letters', await letters(), '?,?,?,?');
    expect('ruler', await mark('ruler-label'), '1 cm');
    await scroll(4);
    w.key('c');
    await until(async () => /^−30(\.0)?\/s of the file/.test(await mark('cine')), 'cine at the pace of the file');
    await save('us');
    w.key('c');
  },
  // A film whose least value is white: inverted once, and once more by key.
  async film() {
    await open('film');
    expect('window', await mark('window'), 'W 1024 L 550');
    expect('spacing', await mark('spacing'), 'no spacing known');
    await save('film');
    w.key('i');
    await until(async () => /inverted/.test(await mark('hints')), 'inverted');
    w.key('i');
    await until(async () => !/inverted/.test(await mark('hints')), 'as it was');
  },
  // Sagittal frames of one file, of which each has a window.
  async mr() {
    await open('mr');
    expect('letters', await letters(), 'A,P,H,F');
    expect('window', await mark('window'), 'W 1400 L 700 b 0');
    expect('volumes', await mark('warning'), /one of 2 volumes of the same places/);
    await scroll(5);
    await across();
    expect('axial', await letters(1), 'R,L,A,P');
    expect('coronal', await letters(2), 'R,L,H,F');
    await save('mr');
  },
  // A head under a tilted gantry: told, and planes across are put right.
  async tilted() {
    await open('tilted');
    expect('warning', await mark('warning'), /gantry tilt 18\.5°/);
    expect('letters', await letters(), 'R,L,AH,PF');
    w.key('Home');
    for (let i = 0; i < 4; i++) w.key('Down');
    await across();
    expect('hint', await mark('hints', 0), /tilt of 18\.5° corrected/);
    await save('tilted');
  },
  // The same with slices missing: no planes across, and why.
  async gaps() {
    await open('gaps');
    expect('warning', await mark('warning'), /expected 4\.00 mm, found 1\.08 mm between frames 14 and 15/);
    w.key('shift+F10');
    await w.see('menu-across');
    expect(
      'planes',
      await w.eval(`document.querySelector('[data-testid="menu-across"]').title`),
      /expected .* mm, found/,
    );
    await w.picture(join(PICTURES, 'pictures-gaps.png'));
    w.key('Escape');
  },
  // 16 bits of a PNG: a window computed from its values, and the values themselves under the pointer.
  async grey16() {
    await open('grey16');
    expect('window', await mark('window'), /W 2621 L 1310\.5 window computed/);
    expect('letters', await letters(), '?,?,?,?');
    await w.wheel('viewer', 0);
    await until(async () => /x \d+ y \d+ · \d{3,4}$/.test(await mark('probe')), 'the value under the pointer');
    await save('grey16');
  },
  // Four of them beside each other.
  async together() {
    await open('together');
    for (const panes of [2, 2, 4]) {
      w.key('x');
      await painted(panes);
    }
    await until(
      () => w.eval(`[...document.querySelectorAll('[data-testid=strip] img')].every((i) => i.naturalWidth > 0)`),
      'every small picture is there',
    );
    await save('together');
  },
};

try {
  await w.fill('import-path', KINDS);
  await w.click('import');
  await w.see('accept-notice', 120000);
  await w.click('accept-notice');
  await w.see('cases', 60000);
  for (const [name, look] of Object.entries(kinds)) {
    const begun = performance.now();
    await look();
    console.log(`PASS ${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
  await w.close();
} catch (e) {
  console.error('FAIL', e.message);
  await w.picture(join(HOME, 'failed.png')).catch(() => {});
  await w.kill();
  process.exitCode = 1;
}
