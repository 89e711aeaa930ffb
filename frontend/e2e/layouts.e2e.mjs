// Several images of a case beside each other in the real window: a CT twice, a colour clip, a film whose white is its least value, and
// a PNG of 16 bits. Needs the shared test files beside the repository.
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { until, Window } from './realwin.mjs';

const { APP, PICTURES, HOME, SHARED } = process.env;
const shared = resolve(SHARED, 'dicom');
if (!existsSync(shared)) {
  if (process.env.PLUMBLINE_REQUIRE_SHARED) throw new Error(`${shared} is not there`);
  console.log('SKIP layouts.e2e: needs the shared test files beside the repository');
  process.exit(0);
}

/** A PNG of 16-bit greys, 0 to 1176 from left to right (I02). */
const png16 = (side) => {
  const rows = Buffer.alloc(side * (1 + 2 * side));
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      rows.writeUInt16BE(Math.round((1176 * x) / (side - 1)), y * (1 + 2 * side) + 1 + 2 * x);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([16, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
};

/** A dataset of two cases with several images each, made for this run alone. */
const dataset = () => {
  const dir = join(HOME, 'several');
  mkdirSync(join(dir, 'images'), { recursive: true });
  cpSync(join(shared, 'volumes/ct_ge_28_jls'), join(dir, 'images/ct'), { recursive: true });
  cpSync(join(shared, 'files/pydicom-data__OBXXXX1A_rle_2frame.dcm'), join(dir, 'images/us.dcm'));
  cpSync(join(shared, 'files/pydicom-data__RG3_J2KR.dcm'), join(dir, 'images/film.dcm'));
  writeFileSync(join(dir, 'images/grey16.png'), png16(256));
  const line = (id, images) =>
    JSON.stringify({ schema: 'plumbline/case/1', id, images, language: 'en', questions: [] });
  writeFileSync(join(dir, 'dataset.json'), JSON.stringify({ schema: 'plumbline/dataset/1', name: 'several' }));
  writeFileSync(
    join(dir, 'cases.jsonl'),
    `${line('several', [
      { id: 'ct', path: 'images/ct', kind: 'volume', modality: 'CT' },
      { id: 'us', path: 'images/us.dcm', kind: 'frames', modality: 'US' },
      { id: 'film', path: 'images/film.dcm', kind: 'image', modality: 'CR' },
      { id: 'grey16', path: 'images/grey16.png', kind: 'image', modality: 'OT' },
    ])}\n${line('twice', [
      { id: 'ct', path: 'images/ct', kind: 'volume', modality: 'CT' },
      { id: 'again', path: 'images/ct', kind: 'volume', modality: 'CT' },
    ])}\n`,
  );
  return dir;
};

let w;
const painted = (n) =>
  until(
    () =>
      w.eval(`(() => {
        const all = [...document.querySelectorAll('[data-pane] [data-painted]')];
        return all.length === ${n} && all.every((a) => a.dataset.painted !== '' && a.dataset.loading === 'false');
      })()`),
    `${n} pictures are painted`,
    60000,
  );
const marks = (name) =>
  w.eval(`[...document.querySelectorAll('[data-pane] [data-mark=${name}]')].map((m) => m.textContent).join(' | ')`);

try {
  w = await Window.open(APP, [], { PLUMBLINE_HOME: join(HOME, 'layouts') });
  w.resize(1280, 800);
  await w.fill('import-path', dataset());
  await w.click('import');
  await w.see('accept-notice', 120000);
  await w.click('accept-notice');
  await w.see('cases', 60000);
  await w.click('case-several');
  await painted(1);
  await w.see('strip');
  w.key('w');
  w.key('x');
  await painted(2);
  w.key('x');
  await painted(2);
  w.key('x');
  await painted(4);
  await until(
    () => w.eval(`[...document.querySelectorAll('[data-testid=strip] img')].every((i) => i.naturalWidth > 0)`),
    'every small picture is there',
  );
  const windows = await marks('window');
  if (!/0|1176/.test(windows)) throw new Error(`windows: ${windows}`);
  await w.picture(join(PICTURES, '40-layouts.png'));

  await w.click('to-library');
  await w.see('cases');
  await w.click('case-twice');
  await painted(1);
  w.key('w');
  w.key('x');
  await painted(2);
  for (let i = 0; i < 4; i++) w.key('Down');
  await until(async () => {
    const [a, b] = (await marks('frame')).split(' | ');
    return a === b;
  }, 'both series are on one frame');
  await w.picture(join(PICTURES, '41-linked.png'));
  // This CT has gaps and a tilt (G11, G13): there are no planes across it, and the menu says why.
  w.key('shift+F10');
  await w.see('menu-across');
  const why = await w.eval(`document.querySelector('[data-testid="menu-across"]').title`);
  if (!/expected \d+\.\d\d mm, found/.test(why)) throw new Error(`planes across: ${why}`);
  w.key('Escape');
  await w.close();

  w = await Window.open(APP, ['--sample', '--accept-research-use'], { PLUMBLINE_HOME: join(HOME, 'across') });
  w.resize(1280, 800);
  await painted(1);
  w.key('w');
  w.key('shift+p');
  await painted(4);
  await w.picture(join(PICTURES, 'layouts.png'));
  console.log('PASS several images in the real window', windows);
  await w.close();
} catch (e) {
  console.error('FAIL', e.message);
  if (w?.process.exitCode === null) {
    await w.picture(join(PICTURES, 'layouts-failed.png')).catch(() => {});
    console.error(await w.eval('document.body.innerText.slice(0, 800)').catch(() => ''));
    console.error(w.log.join('').split('\n').slice(-15).join('\n'));
    await w.kill();
  }
  process.exitCode = 1;
}
