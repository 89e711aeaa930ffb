// The main job in the real window: open the sample study, read three cases in both phases with mouse and keyboard, sign, close; reopen
// where it was left; be killed in the middle of a case and lose nothing; find every label in `plumb readings`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window, workspaceIn } from './realwin.mjs';

const { APP, PLUMB, PICTURES, HOME } = process.env;
const home = join(HOME, 'plumbline');
const env = { PLUMBLINE_HOME: home };
const cases = Number(process.env.CASES ?? 3);
const check = (ok, what) => {
  if (!ok) throw new Error(`not so: ${what}`);
  console.log(`ok  ${what}`);
};
const plumb = (...args) => execFileSync(PLUMB, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
const picture = (w, name) => w.picture(join(PICTURES, `${name}.png`));

/** saved waits until the page says that the desk has answered every act. */
const saved = (w) =>
  until(() => w.eval(`document.querySelector('[data-testid="saved"]')?.dataset.state === 'saved'`), 'saved');

/** phase waits until the case is in a phase: look, judge or signed. */
const phase = (w, name) =>
  until(
    () => w.eval(`document.querySelector('[data-testid="phase"]')?.dataset.phase === '${name}'`),
    `the phase is ${name}`,
  );
const inLook = (w) => w.eval(`document.querySelector('[data-testid="phase"]')?.dataset.phase === 'look'`);

/** look answers every question of the case unaided: an option by its digit, a confidence, and for the first one a box. */
async function look(w, name) {
  for (let n = 0; await inLook(w); n++) {
    const asked = await w.eval(`document.querySelector('[data-testid^="question-"]')?.dataset.testid`);
    if (!asked) break;
    w.key(n % 3 === 0 ? '2' : '1');
    await until(
      () => w.eval(`!!document.querySelector('[data-testid^="option-"][aria-checked="true"]')`),
      'an option is chosen',
    );
    await w.click('confidence-2');
    if (n === 0) {
      await w.click('viewer');
      w.key('e');
      await w.drag('viewer', [0.42, 0.42], [0.55, 0.55]);
      await until(
        () => w.eval(`!!document.querySelector('[data-testid^="evidence-"]')`),
        'the box is listed as evidence',
      );
      if (name) await picture(w, name);
    }
    w.key('ctrl+Return');
    await until(
      async () =>
        (await w.eval(`document.querySelector('[data-testid^="question-"]')?.dataset.testid ?? ''`)) !== asked,
      `${asked} is locked and the next question appears`,
    );
  }
}

/** answerRows gives each row of the open card that still needs an answer one: the first choice, or the whole image as evidence. */
async function answerRows(w) {
  for (let i = 0; i < 12; i++) {
    const row = await w.eval(`(() => {
      const card = document.querySelector('[data-now]');
      for (const r of card?.querySelectorAll('[data-testid^="row-"][data-missing]') ?? []) return r.dataset.testid.slice(4);
      return '';
    })()`);
    if (!row) return;
    if (row === 'evidence') await w.click('add-whole');
    else {
      const choice = await w.eval(
        `document.querySelector('[data-now] [data-testid="row-${row}"] button[role]')?.dataset.testid ?? ''`,
      );
      if (!choice) throw new Error(`row ${row} offers no choice`);
      await w.click(choice);
    }
    await until(
      () => w.eval(`!document.querySelector('[data-now] [data-testid="row-${row}"][data-missing]')`),
      `row ${row} is answered`,
    );
  }
}

/** judge rates every step of every chain, and each chain as a whole; limit stops it early. */
async function judge(w, { name, limit = Infinity } = {}) {
  const grades = ['1', '2', '3', '4', '5', '6'];
  let rated = 0;
  const chains = await w.eval(`[...document.querySelectorAll('[data-testid^="chain-"]')].map((c) => c.dataset.testid)`);
  for (const chain of chains.length ? chains : ['']) {
    if (chain) await w.click(chain);
    const ids = await w.eval(
      `[...document.querySelectorAll('[data-testid^="step-"]')].map((c) => c.dataset.testid).filter((c) => c !== 'step-chain')`,
    );
    for (const id of ids) {
      if (rated >= limit) return rated;
      await w.click(id, '[aria-expanded]');
      await until(() => w.eval(`!!document.querySelector('[data-testid="${id}"][data-now]')`), `${id} is open`);
      w.key(grades[rated % grades.length]);
      await until(
        () => w.eval(`!!document.querySelector('[data-now] [data-testid^="support-"][aria-checked="true"]')`),
        `${id} has a grade`,
      );
      await answerRows(w);
      rated++;
      if (name && rated === 3) await picture(w, name);
    }
    await w.click('step-chain', '[aria-expanded]');
    await until(
      () => w.eval(`!!document.querySelector('[data-testid="step-chain"][data-now]')`),
      'the whole chain is open',
    );
    if (await w.exists('confirm-first-bad')) await w.click('confirm-first-bad');
    await answerRows(w);
  }
  return rated;
}

/** openStep opens the card of a step of the chain that is shown. */
const openStep = async (w, id) => {
  if (!(await w.eval(`!!document.querySelector('[data-testid="${id}"][data-now]')`)))
    await w.click(id, '[aria-expanded]');
  await until(() => w.eval(`!!document.querySelector('[data-testid="${id}"][data-now]')`), `${id} is open`);
};

/** correct says another answer in place of the second step of the first chain: opened by key, chosen by mouse. */
async function correct(w) {
  const chain = await w.eval(`document.querySelector('[data-testid^="chain-"]')?.dataset.testid ?? ''`);
  if (chain) await w.click(chain);
  const ids = await w.eval(`[...document.querySelectorAll('[data-testid^="step-"]')].map((c) => c.dataset.testid)`);
  const id = ids[1];
  await openStep(w, id);
  w.key('shift+a');
  await w.see('own-answer');
  const choice = await w.eval(
    `[...document.querySelectorAll('[data-testid="own-answer"] button[role]')].at(-1).dataset.testid`,
  );
  await w.click(choice);
  await until(
    () => w.eval(`!!document.querySelector('[data-testid="own-answer"] [aria-checked="true"]')`),
    'another answer is said',
  );
  await saved(w);
  w.key('shift+a');
  return { chain, id };
}

/** goOn has the model go on from a correction, once by mouse and once by key; both times the chains stand beside each other. */
async function goOn(w, { chain, id }) {
  const here = await where(w);
  for (const by of ['mouse', 'key']) {
    await w.click('phase-judge');
    await w.see('step-chain');
    if (chain) await w.click(chain);
    await openStep(w, id);
    await w.see('go-on-from');
    if (by === 'mouse') await w.click('go-on-from');
    else w.key('shift+c');
    await w.see('continued', 30000);
    check((await w.text('arm-1')).includes('expert'), `the model goes on from a correction, by ${by}`);
    check(/corrected by a reader/.test(await w.text('answers')), 'the correction stands among the answers');
    if (by === 'mouse') await picture(w, '06-go-on');
    await w.eval(`(location.hash = ${JSON.stringify(here)})`);
    await w.see('phase-judge');
  }
  await w.click('phase-sign');
}

const where = (w) => w.eval('location.hash');
let w;
try {
  w = await Window.open(APP, [], env);
  w.resize(1280, 800);
  await w.see('sample-study', 30000);
  await picture(w, '01-first-start');
  await w.click('sample-study');
  await w.see('accept-notice', 60000);
  await picture(w, '02-notice');
  await w.click('accept-notice');
  await w.see('cases');
  await until(
    () => w.eval(`document.querySelectorAll('[data-testid^="case-"]').length >= 20`),
    'the worklist is there',
  );
  await picture(w, '03-library');
  const first = await w.eval(`document.querySelector('[data-testid^="case-"]').dataset.testid`);
  await w.click(first);
  for (let n = 0; n < cases; n++) {
    await until(
      () => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`),
      'a picture is painted',
    );
    await phase(w, 'look');
    check(!(await w.exists('step-chain')), 'no chain is to be seen before the look is locked');
    await look(w, n === 0 && '04-look');
    await w.see('step-chain');
    await judge(w, { name: n === 0 && '05-judge' });
    const corrected = n === 0 && (await correct(w));
    w.key('Escape', 'ctrl+Return');
    await w.see('sign-panel');
    if (n === 0) await picture(w, '06-sign');
    check(!(await w.exists('missing')), 'nothing is missing before signing');
    await w.click('sign');
    await w.see('go-next');
    await saved(w);
    if (corrected) await goOn(w, corrected);
    if (n < cases - 1) {
      const before = await where(w);
      await w.click('go-next');
      await until(async () => (await where(w)) !== before, 'the next case opens');
    }
  }
  await w.click('go-next');
  await phase(w, 'look');
  await look(w);
  await w.see('step-chain');
  await judge(w, { limit: 3 });
  await saved(w);
  const left = await where(w);
  await w.kill();

  w = await Window.open(APP, [], env);
  w.resize(1280, 800);
  await w.click('recent');
  await w.see('cases');
  await w.click('resume');
  await w.see('step-chain');
  check((await where(w)) === left, 'after a kill the app resumes at the case that was left');
  const graded = await w.eval(`document.querySelectorAll('[data-graded]').length`);
  check(graded >= 3, `the three steps rated before the kill are there (${graded} graded)`);
  await picture(w, '07-resumed');
  w.key('Escape', 'alt+2');
  await w.see('report');
  await w.see('accuracy');
  await w.see('section-reliance');
  await picture(w, '08-report');
  check((await w.close()).code === 0, 'the app quits in order');
  check(JSON.parse(readFileSync(join(home, 'window.json'), 'utf8')).width === 1280, 'the size of the window is kept');

  const sample = plumb('readings', '--json', '--workspace', workspaceIn(home));
  const events = sample
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l));
  const of = (kind) => events.filter((e) => e.kind === kind);
  check(of('sign').length === cases, `${cases} signed cases are in plumb readings`);
  check(of('look').length >= 5 * cases, `every look is in plumb readings (${of('look').length})`);
  check(of('rating').length >= 10 * cases, `the ratings are in plumb readings (${of('rating').length} revisions)`);
  check(
    events.some((e) => e.body.look?.evidence?.[0]?.shape === 'box'),
    'the box drawn by mouse is stored as evidence',
  );
  const verified = JSON.parse(plumb('verify', '--json', '--workspace', workspaceIn(home)));
  check(verified.first_break === null, 'plumb verify finds the ledger whole');
  console.log('PASS the main job in the real window');
} catch (e) {
  console.error('FAIL', e.message);
  if (w?.process.exitCode === null) {
    await picture(w, 'failed').catch(() => {});
    console.error(w.log.join('').split('\n').slice(-15).join('\n'));
    await w.kill();
  }
  process.exitCode = 1;
}
