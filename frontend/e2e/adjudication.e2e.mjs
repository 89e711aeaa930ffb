// Adjudication in the real window: three readers who disagree read two cases of the sample study by plumb; then an adjudicator, under the
// code that the protocol names, decides by keyboard alone, sees no names, and adopts what all agree on.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, HOME, PICTURES, PLUMB } = process.env;
const home = join(HOME, 'adjudication-home');
const folder = join(HOME, 'adjudication');
const workspace = join(folder, 'workspace');
const plumb = (...args) =>
  execFileSync(PLUMB, [...args, '--quiet', '--workspace', workspace], {
    encoding: 'utf8',
    env: { ...process.env, PLUMBLINE_HOME: home },
    maxBuffer: 1 << 28,
  });
const records = (path) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

plumb('sample', join(folder, 'study'), '--open');
const rules = join(folder, 'protocol.json');
writeFileSync(
  rules,
  JSON.stringify({
    schema: 'plumbline/protocol/1',
    name: 'Three readers and an adjudicator',
    readers: [
      ...['R1', 'R2', 'R3'].map((code) => ({ code, role: 'reader', specialty: 'radiology', years: 9 })),
      { code: 'ADJ1', role: 'adjudicator', specialty: 'thoracic radiology', years: 22 },
    ],
  }),
);
plumb('protocol', 'set', rules);
plumb('assign');
const chainFiles = join(folder, 'study', 'chains');
const chains = readdirSync(chainFiles)
  .filter((name) => name !== 'manifest.jsonl')
  .flatMap((name) => records(join(chainFiles, name)));

/** moved shifts and stretches a region of the model, as another person would have drawn it. */
const moved = (region, reader) => {
  const [x0, y0, x1, y1] = region.coords;
  const [w, h] = [x1 - x0, y1 - y0];
  const off = { R1: [-0.12, -0.1, 0.1, 0.12], R2: [0.25, 0.2, 0.35, 0.3], R3: [0.02, -0.2, 0.2, 0.05] }[reader];
  const coords = [x0 + off[0] * w, y0 + off[1] * h, x1 + off[2] * w, y1 + off[3] * h];
  return { ...region, id: 'e1', shape: reader === 'R2' ? 'ellipse' : 'box', coords };
};

/** rated gives one reader's rating: of the first step that cites a place they differ, of the others they do not. */
const rated = (reader, step, later, disputed) => {
  const cited = step.regions.filter((r) => r.shape === 'box');
  const support = disputed ? { R1: 'supported', R2: 'contradicted', R3: 'unsupported' }[reader] : 'supported';
  const rating = { support };
  if (step.regions.length > 0) rating.model_place = disputed && reader === 'R2' ? 'wrong_site' : 'correct';
  if (step.text === null) return rating;
  rating.confidence = 2;
  const image = step.regions[0]?.image;
  rating.evidence = cited.length > 0 ? cited.map((r) => moved(r, reader)) : image ? [step.regions[0]] : undefined;
  if (support === 'supported') return rating;
  rating.error = reader === 'R2' ? ['false_finding', 'wrong_location'] : ['false_finding'];
  rating.significance = reader === 'R2' ? 'b' : 'a';
  if (later) rating.builds_on_error = 'no';
  if (reader === 'R2') rating.note = 'a vessel in cross-section: it runs on through the slices above and below';
  return rating;
};

const read = (reader, of) => {
  const steps = {};
  const whole = {};
  for (const chain of chains.filter((c) => c.case === of.id)) {
    const all = chain.answers.flatMap((a) => a.steps);
    const first = all.findIndex((s) => s.text !== null && s.regions.some((r) => r.shape === 'box'));
    all.forEach((step, i) => {
      const rating = rated(reader, step, i > 0, i === first);
      if (rating.support === 'supported' && step.text !== null && !rating.evidence && of.images[0])
        rating.evidence = [{ id: 'e1', image: of.images[0].id, shape: 'whole_image', coords: [] }];
      steps[`${chain.id}/${step.id}`] = rating;
    });
    whole[chain.id] = {
      answer: reader === 'R2' ? 'incorrect' : 'correct',
      first_bad_step: reader === 'R1' ? 'none' : (all[first]?.id ?? 'none'),
      radpeer: reader === 'R1' ? '1' : '3b',
      follows: 'yes',
      image_alone: 'yes',
      needs_more: ['none'],
    };
  }
  const look = of.questions.map((q) => ({
    question: q.id,
    answer: q.options?.[0]?.letter ?? 'as seen',
    confidence: 3,
  }));
  return { schema: 'plumbline/reading/1', assignment: of.id, look, steps, chains: whole, sign: true };
};

const marked = new Set(
  chains
    .filter((c) =>
      c.answers.some((a) => a.steps.some((s) => s.text !== null && s.regions.some((r) => r.shape === 'box'))),
    )
    .map((c) => c.case),
);
const cases = records(join(folder, 'study', 'cases.jsonl'))
  .filter((c) => marked.has(c.id))
  .slice(0, 2);
const file = join(folder, 'reading.json');
for (const of of cases) {
  for (const reader of ['R1', 'R2', 'R3']) {
    writeFileSync(file, JSON.stringify(read(reader, of)));
    plumb('rate', '--reader', reader, '--file', file);
  }
}
plumb('adjudicate', 'list', '--as', 'ADJ1');

const w = await Window.open(APP, ['--accept-research-use', workspace], { PLUMBLINE_HOME: home });
w.resize(1280, 800);
w.focus();
await w.see('nav-adjudication');
for (const gone of ['nav-report', 'nav-study']) assert.equal(await w.exists(gone), false, gone);
w.key('alt+6');
await w.see('item-panel');
const item = () => w.eval(`document.querySelector('[data-testid="item-panel"]')?.dataset.item ?? ''`);
const first = await item();
await until(
  () => w.eval(`document.querySelector('[data-testid="viewer"] [data-loading]')?.dataset.loading === 'false'`),
  'the image is there',
);
await until(() => w.eval(`document.querySelectorAll('[data-region]').length >= 3`), 'the regions are on it');
const shown = await w.eval('document.body.innerText');
for (const name of ['R1', 'R2', 'R3']) assert.ok(!new RegExp(`\\b${name}\\b`).test(shown), `${name} is on the screen`);
assert.equal(await w.eval(`document.querySelectorAll('[data-testid="decision"] [aria-checked="true"]').length`), 0);
await w.picture(join(PICTURES, 'adjudication.png'));

w.key('4');
await until(
  () => w.eval(`!!document.querySelector('[data-testid="support-contradicted"][aria-checked="true"]')`),
  'graded',
);
for (let tries = 0; tries < 30; tries++) {
  const row = await w.eval(`document.querySelector('[data-testid="decision"] [data-missing]')?.dataset.testid ?? ''`);
  if (row === '') break;
  await until(async () => {
    if (await w.eval(`!!document.querySelector('[data-testid="${row}"][data-active]')`)) return true;
    w.key('Down');
    if (await w.eval(`!!document.querySelector('[data-testid="${row}"][data-active]')`)) return true;
    return false;
  }, `${row} has the focus`);
  w.key('1');
  await until(() => w.eval(`!document.querySelector('[data-testid="${row}"][data-missing]')`), `${row} is answered`);
}
w.key('Return');
await until(() => w.eval(`document.activeElement?.dataset.testid === 'reason'`), 'the reason has the focus');
w.type('a vessel on the slices above and below');
await until(
  () => w.eval(`document.querySelector('[data-testid="reason"]').value.endsWith('below')`),
  'the reason is typed',
);
w.key('Escape');
await w.picture(join(PICTURES, 'adjudication-filled.png'));
w.key('ctrl+Return');
await until(async () => (await item()) !== first, 'the next disagreement is open');
assert.equal(await w.eval(`document.querySelector('[data-testid="item-${first}"]')?.dataset.state`), 'decided');

await w.click('adopt-unanimous');
await w.click('adopt-now');
await until(() => w.eval(`/items? adopted/.test(document.body.innerText)`), 'adopted');
await w.picture(join(PICTURES, 'adjudication-adopted.png'));
w.key('alt+1');
await until(() => w.eval(`location.hash === '#/library'`), 'the library');
await until(() => w.eval(`/nothing is yours to read/.test(document.body.innerText)`), 'the library says where to go');
await w.close();

plumb('adjudicate', 'list', '--as', 'R1');
const verdicts = plumb('readings', '--reader', 'ADJ1', '--json')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter((e) => e.kind === 'adjudication');
const decided = verdicts.filter((e) => !e.body.adjudication.unanimous);
assert.equal(decided.length, 1);
assert.equal(decided[0].reason, 'a vessel on the slices above and below');
assert.equal(decided[0].body.adjudication.rating.support, 'contradicted');
assert.ok(verdicts.length > 10, `${verdicts.length} verdicts`);
plumb('verify');
console.log(`adjudication.e2e: 1 decided by keyboard, ${verdicts.length - 1} adopted`);
