// Batches, the queue of unsure cases, routing and prompt emphasis in the real window, with a real model server: a run goes out as files, is
// answered line by line by the server, comes back in part, and is written again; then a model is pointed to a word and a place, by keyboard.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, needLlama, startLlama, stopLlamas } from './llama.mjs';
import { until, Window } from './realwin.mjs';

needLlama('queue.e2e');
const { APP, HOME, PICTURES, PLUMB } = process.env;
const env = { PLUMBLINE_HOME: join(HOME, 'queue-home') };
const workspace = join(HOME, 'queue-workspace');
/** outbox makes an empty folder for a batch: in a full one the system's dialog completes what is typed. */
const outbox = (n) => {
  const dir = join(HOME, `outbox-${n}`);
  mkdirSync(dir);
  return dir;
};
const plumb = (...args) =>
  execFileSync(PLUMB, ['--quiet', '--workspace', workspace, ...args], { env: { ...process.env, ...env } });
const port = await freePort();
const server = `http://127.0.0.1:${port}`;
const profile = join(HOME, 'tiny.json');
writeFileSync(
  profile,
  JSON.stringify({
    schema: 'plumbline.profile/1',
    name: 'tiny',
    base_url: `${server}/v1`,
    model: 'tiny',
    image: { long_side: 64 },
    max_tokens: 60,
    form: 'letter',
    structured: 'grammar',
    logprobs: 10,
    temperature: 1,
    key: {},
    boxes: {},
    timeouts: {},
  }),
);

let w;
const save = (name) => w.picture(join(PICTURES, `queue-${name}.png`));
const count = async (id) => Number((await w.text(id)) || 'none');
const whole = async () => assert.deepEqual(await w.clipped('main *'), []);

/** answer has the real server answer a batch, leaving so many lines out, and writes the results in another order. */
const answer = async (dir, leave) => {
  const lines = readdirSync(dir)
    .filter((f) => f.startsWith('requests'))
    .flatMap((f) => readFileSync(join(dir, f), 'utf8').trim().split('\n'))
    .map((l) => JSON.parse(l));
  const results = [];
  for (const { custom_id, url, body } of lines.slice(leave)) {
    const response = await fetch(server + url, { method: 'POST', body: JSON.stringify(body) });
    const got = { status_code: response.status, request_id: custom_id, body: await response.json() };
    results.push(JSON.stringify({ id: custom_id, custom_id, response: got, error: null }));
  }
  writeFileSync(join(dir, 'results-1.jsonl'), `${results.reverse().join('\n')}\n`);
  return lines.length;
};

try {
  plumb('sample', join(HOME, 'queue-study'), '--open');
  plumb('models', 'add', profile);
  const rules = JSON.parse(plumb('protocol', 'show').toString());
  const readers = [{ code: 'R9', role: 'reader', specialty: '', years: 3 }];
  writeFileSync(join(HOME, 'rules.json'), JSON.stringify({ ...rules, readers }));
  plumb('protocol', 'set', join(HOME, 'rules.json'));
  await startLlama('qwen25vl', port);
  w = await Window.open(APP, ['--accept-research-use', workspace], env);
  w.resize(1280, 800);
  await w.see('cases', 60000);
  w.focus();
  w.key('alt+5');
  await w.see('models');

  // Out: conditions and cases as set up, the model chosen, a folder chosen by the system's dialog.
  await w.click('set-original');
  await w.click('some-cases');
  await w.put('filter-modality', 'CR');
  await w.click('take-cases');
  await w.click('tab-batches');
  await w.put('batch-what', 'new');
  await w.put('batch-model', 'tiny');
  await w.see('batch-estimate');
  await w.click('batch-write-into');
  const box = outbox(1);
  await w.name('Folder for the batch', box);
  await w.see('batch-written', 30000);
  assert.match(await w.text('batch-written'), /2 requests of stage 1/);
  const first = join(box, 'plumbline-batch-1');
  assert.equal(await answer(first, 1), 2);

  // Back in part: one answered, one missing; what is left is written next, the missing first stage and the other's second.
  await w.click('batch-look');
  await w.see('batch-found');
  await w.click('batch-take');
  await w.see('batch-taken', 30000);
  assert.deepEqual([await count('taken-answered'), await count('taken-missing')], [1, 1]);
  await w.click('batch-missing', 'summary');
  await until(async () => /case-(05|13) · original/.test(await w.text('batch-missing')), 'what is missing is named');
  assert.equal(await w.exists('unfinished'), false, 'a run that is out in batches is not to be gone on with by itself');
  await save('batches');
  await whole();
  await w.click('batch-next');
  for (let round = 2; round < 12; round++) {
    await until(async () => (await w.attribute('batch-write-into', 'title')) === '', 'what is left can be written');
    await w.click('batch-write-into');
    const next = outbox(round);
    await w.name('Folder for the batch', next);
    const dir = join(next, 'plumbline-batch-1');
    await until(async () => (await w.text('batch-written')).includes(dir), `batch ${round} is written`, 30000);
    await answer(dir, 0);
    await w.click('batch-look'); // the latest
    await until(async () => (await w.text('batch-found')).includes(dir), 'its folder is looked into');
    await w.click('batch-take');
    await until(async () => (await count('taken-missing')) === 0, 'it is read', 30000);
    if ((await count('taken-chains')) === 2) break;
    await w.click('batch-next');
  }
  assert.equal(await count('taken-chains'), 2);
  await w.click('tab-runs');
  await until(
    () => w.eval(`document.querySelectorAll('[data-testid="past-runs"] tr[data-state="done"]').length === 1`),
    'the run is complete',
  );

  // The queue: how unsure, how good a sign that is, and the order of reading, kept in the protocol.
  await w.click('tab-queue');
  await w.see('queue-list');
  assert.match(await w.text('queue-list'), /case-05[\s\S]*tiny/);
  assert.match(await w.text('triggers'), /tiny/);
  await w.click('order-uncertain');
  await until(async () => (await w.attribute('order-uncertain', 'data-chosen')) !== '', 'the order is kept');

  // A model is pointed to a word by mouse and to a place by keyboard, and asked again.
  const row = await w.eval(`document.querySelector('[data-testid^="unsure-"]').dataset.testid`);
  await w.click(row);
  await until(async () => (await w.attribute('emphasis-picture', 'data-painted')) !== '', 'the film is there', 30000);
  w.key('e');
  await until(async () => (await w.attribute('emphasis-draw', 'aria-pressed')) === 'true', 'a box is drawn');
  const steps = (n, key) => Array(n).fill(`shift+${key}`);
  w.key(...steps(12, 'Left'), ...steps(10, 'Up'), 'Return', ...steps(5, 'Right'), ...steps(12, 'Down'), 'Return');
  await until(async () => /box 1/.test(await w.text('emphasise')), 'the box is listed');
  await w.fill('emphasis-words', 'pleural line');
  await w.click('emphasise', 'fieldset button:nth-of-type(13)');
  await save('emphasis');
  await whole();
  await w.click('emphasis-ask');
  await w.see('emphasis-after', 30000);
  assert.match(await w.text('emphasis-after'), /Prompt emphasis/);
  await save('emphasis-after');
  await w.click('emphasis-compare');
  await w.see('is-emphasis');
  await until(
    () => w.eval(`[0, 1].every((n) => document.querySelector('[data-testid="pane-' + n + '"]')?.dataset.painted)`),
    'both pictures are there',
    30000,
  );
  assert.match(await w.text('arm-1'), /emphasis/);
  await save('emphasis-compare');

  // Which model: that of the recorded chains which was right on cases like it, and a run is set up with it.
  w.key('alt+5');
  await w.see('expert');
  await w.click('tab-which');
  await w.see('which-model', 30000);
  assert.match(await w.text('which-model'), /oracle-pixels/);
  await until(
    () => w.eval(`[...document.querySelectorAll('[data-testid="which"] img')].every((i) => i.naturalWidth > 0)`),
    'pictures of the nearest cases are there',
  );
  await save('which');
  await whole();
  await w.click('which-set-up');
  await until(
    () => w.eval(`document.querySelector('[data-testid="model-oracle-pixels"]')?.checked`),
    'a run is set up',
  );
  assert.match(await w.text('chosen-conditions'), /original/);
  await w.close();
  assert.match(plumb('protocol', 'show').toString(), /"order": "uncertain"/);
  console.log('queue.e2e: a run in batches over a real server, the queue, prompt emphasis, and the model to ask');
} catch (e) {
  await w?.lost(join(PICTURES, 'queue-failed.png'));
  throw e;
} finally {
  stopLlamas();
}
