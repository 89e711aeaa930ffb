// What files draw over a CT in the real window: a segmentation of the lungs and a nodule, a structure set, a plane in an image file. The case
// asks nothing, so that the coordinator sees it all. The picture of it is for the documents.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { segmentation, structures, textOf, withPlane } from './drawnFiles.mjs';
import { until, Window } from './realwin.mjs';

const { APP, PLUMB, PICTURES, HOME } = process.env;
const side = 256;

/** The first series of the sample study alone, with what is drawn over it. */
const drawn = () => {
  const sample = join(HOME, 'overlay-sample');
  execFileSync(PLUMB, ['sample', sample]);
  const from = join(sample, 'images/p01/e1');
  const files = readdirSync(from)
    .sort()
    .map((name) => readFileSync(join(from, name)));
  const place = readFileSync(join(sample, 'truth.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .find((t) => t.case === 'case-01' && t.question === 'q2')
    .evidence.find((r) => r.shape === 'box');
  const [x0, y0, x1, y1] = place.coords.map((v) => v * side);
  const ball = (x, y) => ((2 * x + 1 - x0 - x1) / (x1 - x0)) ** 2 + ((2 * y + 1 - y0 - y1) / (y1 - y0)) ** 2 < 1;
  const pixelsAt = files.map((f) => f.length - 2 * side * side);
  const hu = (x, y, n) => files[n].readInt16LE(pixelsAt[n] + 2 * (y * side + x)) - 1024;
  const inBody = (x, y) => ((x - 128) / 88) ** 2 + ((y - 132) / 70) ** 2 < 1;
  const out = join(HOME, 'drawn');
  mkdirSync(out, { recursive: true });
  const centre = (n) => textOf(files[n], 0x00200032).split('\\').map(Number);
  const heart = (n) => {
    const [px, py, pz] = centre(n);
    return Array.from({ length: 24 }, (_, k) => {
      const turn = (2 * Math.PI * k) / 24;
      return [px + 1.40625 * (140 + 46 * Math.cos(turn)), py + 1.40625 * (112 + 36 * Math.sin(turn)), pz];
    });
  };
  const middle = [13, 14, 15, 16, 17, 18, 19];
  writeFileSync(
    join(out, 'seg.dcm'),
    segmentation(files, side, side, [
      { name: 'lungs', lab: [40000, 30000, 24000], in: (x, y, n) => inBody(x, y) && hu(x, y, n) < -500 },
      { name: 'nodule', lab: [48000, 30000, 55000], in: (x, y, n) => n >= place.from && n <= place.to && ball(x, y) },
    ]),
  );
  writeFileSync(
    join(out, 'structures.dcm'),
    structures(files[0], [
      { name: 'heart', colour: [240, 90, 120], contours: middle.map(heart) },
      { name: 'elsewhere', colour: [255, 255, 255], contours: [heart(0).map(([x, y, z]) => [x, y, z - 500])] },
    ]),
  );
  const arrow = (x, y) => x > x1 + 3 && x < x1 + 22 && Math.abs(y - y0 - 5) < 1.5 - 0.02 * (x - x1);
  for (const [n, file] of files.entries()) {
    const last = n === place.from ? withPlane(file, side, side, 'arrow', arrow) : file;
    writeFileSync(join(out, `${String(n + 1).padStart(4, '0')}.dcm`), last);
  }
  return { out, frame: place.from };
};

let w;
const painted = (n) =>
  until(
    () => w.eval(`document.querySelector('[data-testid="viewer"]')?.dataset.painted === '${n}'`),
    `frame ${n} is painted`,
    60000,
  );
const keyHas = (words) =>
  until(
    () => w.eval(`document.querySelector('[data-mark=layer-key]')?.textContent.includes(${JSON.stringify(words)})`),
    `the key says ${words}`,
  );
/** How many pixels of the canvas over the picture are not clear. */
const covered = () =>
  w.eval(`(() => {
    const c = document.querySelector('[data-mark=layers]');
    const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
    let n = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i]) n++;
    return n;
  })()`);

try {
  const { out, frame } = drawn();
  w = await Window.open(APP, [], { PLUMBLINE_HOME: join(HOME, 'overlays') });
  w.resize(1280, 800);
  await w.fill('import-path', out);
  await w.click('import');
  await w.see('accept-notice', 120000);
  await w.click('accept-notice');
  await w.see('cases', 60000);
  await until(() => w.eval(`document.querySelectorAll('[data-testid^="case-"]').length === 1`), 'one case');
  await w.click(await w.eval(`document.querySelector('[data-testid^="case-"]').dataset.testid`));
  await w.see('tool-overlays', 60000);
  if (await w.eval(`!!document.querySelector('[data-mark=layer-key]')`))
    throw new Error('something covers the picture');
  w.key('w');
  w.key('Home');
  await painted(0);
  for (let i = 1; i <= frame; i++) {
    w.key('Down');
    await painted(i);
  }
  w.key('shift+v');
  await w.see('layers');
  await until(
    () => w.eval(`document.querySelectorAll('[data-testid="layers"] input[type=checkbox]').length === 4`),
    'a plane, two segments and a contour are listed',
  );
  const said = await w.eval(`document.querySelector('[data-testid="layer-problems"]')?.textContent ?? ''`);
  if (!/structures\.dcm: elsewhere: a contour lies outside/.test(said)) throw new Error(`what is not shown: ${said}`);
  await w.click('layers-all');
  for (const name of ['arrow', 'lungs', 'nodule', 'heart']) await keyHas(name);
  await until(async () => (await covered()) > 20000, 'the lungs are covered');
  await w.picture(join(PICTURES, 'overlays.png'));
  w.key('Escape');
  await until(async () => !(await w.exists('layers')), 'the list is closed');
  w.key('g');
  await until(() => w.eval(`!document.querySelector('[data-mark=layers]')`), 'all of it is hidden by one key');
  console.log('PASS drawings of files lie over the picture, by name', said);
  await w.close();
} catch (e) {
  console.error('FAIL', e.message);
  if (w?.process.exitCode === null) {
    await w.picture(join(PICTURES, 'overlays-failed.png')).catch(() => {});
    console.error(await w.eval('document.body.innerText.slice(0, 800)').catch(() => ''));
    console.error(w.log.join('').split('\n').slice(-15).join('\n'));
  }
  await w?.kill();
  process.exit(1);
}
