// The report's screen in the real window, over a study that three readers read and two controls answered: narrowed by each filter and held
// against the command line, a bar, its cases and back, pairs with intervals, figures and the report as files. Pictures go to PICTURES.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';
import { threeReaders } from './threeReaders.mjs';

const { APP, HOME, PICTURES, PLUMB } = process.env;
const env = { PLUMBLINE_HOME: join(HOME, 'report-home') };
const workspace = threeReaders(PLUMB, HOME, env);
const plumb = (...args) =>
  execFileSync(PLUMB, [...args, '--quiet', '--workspace', workspace], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
const cases = Array.from({ length: 14 }, (_, i) => `case-${String(i + 1).padStart(2, '0')}`).join();
plumb('run', '--model', 'oracle-pixels,text-only', '--template', 'necessity,guess,wording', '--cases', cases);

/** What the command line says to each filter, asked before the window has the workspace. */
const reportOf = (...filter) => JSON.parse(plumb('report', '--json', '--out', join(HOME, 'by-command'), ...filter));
const everything = reportOf();
const filters = {
  stages: ['stage', '3'],
  categories: ['category', 'laterality'],
  modalities: ['modality', 'CT'],
  languages: ['language', 'en'],
  models: ['model', 'text-only'],
  conditions: ['condition', 'none'],
  readers: ['reader', 'R2'],
};
const narrowed = Object.fromEntries(
  Object.entries(filters).map(([name, [flag, value]]) => [name, reportOf(`--${flag}`, value)]),
);

const w = await Window.open(APP, ['--accept-research-use', workspace], env);
w.resize(1280, 800);
const save = (name) => w.picture(join(PICTURES, `report-${name}.png`));
const whole = async () => assert.deepEqual(await w.clipped('main *, aside *', '[role=region]'), []);
const settled = () =>
  until(() => w.eval(`document.querySelector('main[aria-busy]')?.getAttribute('aria-busy') === 'false'`), 'computed');
const cells = (figure) =>
  w.eval(`[...document.querySelectorAll('[data-testid="figure-${figure}"] tbody tr')].map((r) =>
    [...r.cells].map((c) => c.textContent))`);
const written = (v) =>
  v
    .toFixed(2)
    .replace(/^(-?)0\./, '$1.')
    .replace('-', '−');

/** told gives what a document says along the chain, as the table of the figure writes it. */
const told = (doc) =>
  doc.models.flatMap((m) =>
    m.accuracy.stages.map((s) => [s.name, s.value === null ? 'not estimable' : written(s.value), String(s.n)]),
  );
const shown = async () =>
  (await cells('accuracy-along-the-chain')).map(([, name, value, , , n]) => [name, value.split(':')[0], n]);
const agrees = (doc, what) =>
  until(
    async () => JSON.stringify(await shown()) === JSON.stringify(told(doc)),
    `the screen says what the command line says: ${what}`,
  );

try {
  await w.see('cases', 60000);
  w.focus();
  w.key('alt+2');
  await w.see('report', 30000);
  await until(() => w.eval(`!!document.querySelector('[data-testid="accuracy"] svg path')`), 'a figure is drawn');
  await settled();
  await save('overview');
  await whole();

  // The first say most; the others are shown too.
  const pressed = `[...document.querySelectorAll('aside button[title]')].filter((b) => b.getAttribute('aria-pressed') === 'true')`;
  assert.deepEqual(await w.eval(`${pressed}.map((b) => b.title.includes('run-')).filter(Boolean).length`), 2);
  for (let n = 3; n < everything.models.length; n++) {
    await w.eval(
      `document.querySelector('aside button[title][aria-pressed="false"]').setAttribute('data-testid', 'hidden-${n}')`,
    );
    await w.click(`hidden-${n}`);
    await until(() => w.eval(`${pressed}.length === ${n + 1}`), 'one more is shown');
  }

  // Every filter, held against the command line.
  await w.click('table-accuracy-along-the-chain');
  await agrees(everything, 'everything');
  for (const [name, [, value]] of Object.entries(filters)) {
    await w.put(`filter-${name}`, value);
    await agrees(narrowed[name], `${name} ${value}`);
    await settled();
    assert.match(await w.text('report'), /Whole chains are not filtered by question/);
    if (name === 'stages') await save('narrowed');
    await w.put(`filter-${name}`, '');
    await agrees(everything, `everything after ${name}`);
  }
  await w.click('table-accuracy-along-the-chain');

  // A bar by mouse, its cases, one of them, and back to where it was.
  await w.click('section-origin');
  await w.click('table-first-error');
  const counts = await until(async () => {
    const rows = await cells('first-error');
    return rows.length > 0 && rows;
  }, 'the table of first errors');
  await w.click('table-first-error');
  const bar = await until(
    () =>
      w.eval(`(() => {
        const wide = [...document.querySelectorAll('[data-testid="figure-first-error"] svg path')]
          .map((p) => [p, p.getBoundingClientRect()])
          .filter(([p, r]) => r.height > 8 && r.height < 40 && r.width > 30 && (p.getAttribute('fill') ?? 'none') !== 'none');
        wide.at(0)?.[0].setAttribute('data-testid', 'a-bar');
        return wide.length > 0;
      })()`),
    'a bar is drawn',
  );
  assert.ok(bar);
  await w.click('a-bar');
  await until(() => w.eval(`!!document.querySelector('[data-testid="behind"] tbody tr')`), 'the cases of the bar');
  const said = await w.eval(`document.querySelector('[data-testid="behind"] [role=status]').textContent`);
  const [, questions] = /(\d+) questions? in \d+ cases?/.exec(said);
  assert.ok(counts.some(([, , , n]) => n === questions) && Number(questions) > 0, `${said} is no number of the table`);
  await save('behind');
  await whole();
  await w.click('behind', 'tbody a');
  await w.see('viewer', 30000);
  w.focus();
  w.key('alt+2');
  await w.see('report');
  await until(
    () =>
      w.eval(`document.querySelector('[data-testid="behind"] [role=status]')?.textContent === ${JSON.stringify(said)}`),
    'the report is as it was left',
  );
  assert.equal(await w.eval(`document.querySelector('main[data-section]').dataset.section`), 'origin');

  for (const section of ['reliance', 'cues', 'consistency', 'calibration', 'readers']) {
    await w.click(`section-${section}`);
    await until(() => w.eval(`document.querySelector('main[data-section]').dataset.section === '${section}'`), section);
    await save(section);
    await whole();
  }

  // Two models, and two conditions of one, paired.
  await w.click('section-compare');
  const keys = await w.eval(`[...document.querySelector('[data-testid="compare-a"]').options].map((o) => o.value)`);
  const run = (name) => keys.find((k) => k.startsWith(name) && k.includes('run-'));
  await w.put('compare-a', run('oracle-pixels'));
  await w.put('compare-b', run('text-only'));
  const rows = () =>
    w.eval(`[...document.querySelectorAll('[data-testid="compared"] tbody tr')].map((r) =>
      [...r.cells].map((c) => c.textContent))`);
  const models = await until(async () => {
    const list = await rows();
    return list.length > 4 && list;
  }, 'two models are compared');
  const byCommand = everything.comparisons.find(
    (c) => c.what === 'stage accuracy, all questions' && c.a === run('oracle-pixels') && c.b === run('text-only'),
  );
  assert.deepEqual(models[0].slice(0, 4), [
    byCommand.what,
    written(byCommand.value),
    byCommand.interval ? byCommand.interval.map(written).join(' – ') : '–',
    String(byCommand.n),
  ]);
  await save('compare');
  await w.put('compare-b', run('oracle-pixels'));
  await w.put('compare-condition_b', 'none');
  const conditions = await until(async () => {
    const list = await rows();
    return list.length > 4 && list[0][1] !== models[0][1] && list;
  }, 'two conditions are compared');
  const without = everything.models
    .find((m) => m.key === run('oracle-pixels'))
    .conditions.find((c) => c.condition === 'none').difference;
  assert.equal(conditions[0][1], written(-without.value));
  await whole();

  // Figures as files.
  await w.click('section-origin');
  const folder = join(HOME, 'figures');
  mkdirSync(folder);
  for (const kind of ['svg', 'png', 'csv']) {
    const file = join(folder, `first.${kind}`);
    await until(() => w.eval(`!!document.querySelector('[data-testid="figure-first-error"] svg path')`), 'it is drawn');
    await w.click(`save-${kind}-first-error`);
    await w.name('Save figure as …', file);
    await until(async () => (await w.text('saved-first-error')).includes(file), `${kind} is saved`);
  }
  const svg = readFileSync(join(folder, 'first.svg'), 'utf8');
  assert.match(svg, /^<svg[^>]+viewBox|^<svg[^>]+width="\d+"/);
  assert.ok(svg.includes('oracle-pixels') && svg.includes('</svg>'));
  const png = readFileSync(join(folder, 'first.png'));
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.readUInt32BE(16) > 500, `${png.readUInt32BE(16)} pixels wide`);
  const csv = readFileSync(join(folder, 'first.csv'), 'utf8').trimEnd().split('\r\n');
  assert.equal(csv.length, counts.length + 1);
  assert.ok(csv[0].startsWith('model,'));

  // The report as files, as it is narrowed.
  await w.put('filter-stages', '3');
  await settled();
  const out = join(HOME, 'saved-report');
  mkdirSync(out);
  await w.click('save-report');
  await w.name('Folder for the report', out);
  await w.see('report-saved', 30000);
  const saved = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  assert.deepEqual(saved.filter.stages, [3]);
  assert.deepEqual(told(saved), told(narrowed.stages));
  assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /Narrowed: only stage 3/);
  await w.close();
} catch (e) {
  await w.lost(join(PICTURES, 'report-lost.png'));
  throw e;
}
console.log('report.e2e: the report narrows, opens its cases, compares and saves');
