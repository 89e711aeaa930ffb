// An experiment in the real window, on the sample study with the control models: set up, started, paused, gone on with after a kill;
// then its chains compared, and one gone on from with a correction. Pictures go to PICTURES.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, HOME, PICTURES, PLUMB } = process.env;
const home = join(HOME, 'experiment-home');
const env = { PLUMBLINE_HOME: home };
const workspace = join(HOME, 'experiment-workspace');
execFileSync(PLUMB, ['--quiet', '--workspace', workspace, 'sample', join(HOME, 'experiment-study'), '--open'], {
  env: { ...process.env, ...env },
});

let w;
const open = async () => {
  w = await Window.open(APP, ['--accept-research-use', workspace], env);
  w.resize(1280, 800);
  await w.see('cases', 60000);
  w.focus();
};
const save = (name) => w.picture(join(PICTURES, `${name}.png`));
const card = () => w.attribute('run-card', 'data-state');
const done = async () => Number(/^[\d,]+/.exec(await w.text('run-done'))?.[0].replaceAll(',', '') ?? 0);
const clipped = () => w.clipped('header *, main button');
// Set up, by mouse and by a composed condition; a comparison of two changed fields is refused, and mended by one click.
await open();
w.key('alt+5');
await w.see('models');
assert.equal(await w.eval(`document.querySelectorAll('[data-testid="models"] input:checked').length`), 0);
await w.click('all-controls');
await w.click('set-original');
await w.click('compose');
await w.put('factor-image', 'none');
await w.put('factor-cue', 'suggest-right');
await w.click('add-condition');
await w.see('alone-none+suggest-right');
await save('experiment-refused');
await w.click('add-none');
await until(async () => !(await w.exists('alone-none+suggest-right')), 'something to compare it with');
await w.put('factor-image', 'occ');
await w.click('add-condition');
await w.see('chosen-occ');
await w.click('compose');
await w.see('estimate-requests');
assert.deepEqual(await clipped(), []);

// Started, paused, gone on with; looked at from another screen meanwhile.
await w.click('start-run');
await until(async () => (await card()) === 'running' && (await done()) > 20, 'it runs', 60000);
await w.click('pause-run');
await until(async () => (await card()) === 'paused', 'it is paused');
const atPause = await until(async () => {
  const before = await done();
  await new Promise((r) => setTimeout(r, 900)); // two looks at the run
  return before === (await done()) && before;
}, 'nothing more is asked');
await save('experiment-paused');
w.key('alt+1');
await w.see('cases');
await w.see('going');
await w.click('going');
await until(async () => (await card()) === 'paused', 'it is still paused');
await w.click('pause-run');
await until(async () => (await done()) > atPause, 'it goes on', 30000);
await save('experiment');

// A kill loses nothing that was answered: the next start asks whether to go on.
await w.kill();
await open();
w.key('alt+5');
await w.see('unfinished');
await save('experiment-unfinished');
await w.click('go-on');
await until(async () => (await card()) === 'complete', 'it is complete', 300000);
await w.see('pace-random');
await save('experiment-done');
await w.click('tab-runs');
await w.see('past-runs');
assert.equal(await w.eval(`document.querySelectorAll('[data-testid="past-runs"] tr[data-state="done"]').length`), 1);

// Compared: the oracle changes its mind where the finding is gone.
w.key('alt+7');
await w.see('pick-model');
await w.put('pick-model', 'oracle-pixels');
await w.put('pick-before', 'original');
await w.put('pick-after', 'none+suggest-right');
await w.see('unfair');
assert.match(await w.text('unfair'), /image, cue/);
await w.put('pick-after', 'occ/remove'); // the finding is taken out of the scene itself
const painted0 = () =>
  until(
    () => w.eval(`document.querySelector('[data-testid="pane-0"]')?.dataset.painted !== undefined`),
    'the picture is there',
    30000,
  );
const painted = () =>
  until(
    () =>
      w.eval(
        `[0, 1].every((n) => document.querySelector('[data-testid="pane-' + n + '"]')?.dataset.painted !== undefined)`,
      ),
    'both pictures are there',
    30000,
  );
await painted();
await until(async () => /[1-9]\d* of \d+ answers changed/.test(await w.text('changed-count')), 'answers changed');
assert.match(await w.text('changed-frames'), /[1-9]\d* of \d+ frames? changed/);
assert.deepEqual(await clipped(), []);
// The wheel turns both.
const frames = () =>
  w.eval(`[0, 1].map((n) => document.querySelector('[data-testid="pane-' + n + '"]').dataset.painted)`);
const at = await frames();
assert.equal(at[0], at[1]);
await save('compare');
await w.wheel('pane-0', 2);
await until(async () => {
  const now = await frames();
  return now[0] === now[1] && now[0] !== at[0];
}, 'both panes show the next frames');
w.key('shift+i');
await until(async () => (await w.attribute('difference', 'aria-pressed')) === 'true', 'the difference is shown');
await painted();
await save('compare-difference');
w.key('shift+i');
w.key('n');

// Continued: the chain-copier is told another finding, and its impression follows.
await w.put('pick-model', 'chain-copier');
await w.put('pick-after', 'original');
await until(
  () => w.eval(`location.hash.split('/').slice(-2).every((chain, _, both) => chain === both[0])`),
  'one chain is alone',
);
await painted0();
await w.click('compared-q4', 'button');
await until(
  () => w.eval(`!!document.querySelector('[data-testid="compared-q4"][data-open] [data-testid="continue-0"]')`),
  'the finding is open',
);
const said = await w.eval(
  `document.querySelector('[data-testid="compared-q4"]').innerText.match(/\\n([A-F]) /)?.[1] ?? ''`,
);
await w.click('continue-0');
await w.see('continue-dialog');
assert.equal(await w.eval(`document.querySelectorAll('[data-testid="continue-dialog"] input:checked').length`), 0);
const other = await w.eval(
  `[...document.querySelectorAll('[data-testid^="should-"]')].map((e) => e.dataset.testid.slice(7)).find((l) => l !== ${JSON.stringify(said)})`,
);
await w.click(`should-${other}`);
await w.click('because');
w.type('it is seen on three frames');
await save('continue-asked');
await w.click('ask-again');
await w.see('continued', 30000);
await painted();
assert.match(await w.text('compared-q4'), /corrected by a reader/);
assert.match(await w.text('arm-1'), /expert/);
await save('continue');
// The new chain is kept beside the one before.
w.key('alt+5');
await w.click('tab-runs');
await until(
  () => w.eval(`document.querySelectorAll('[data-testid="past-runs"] tr[data-state="done"]').length === 2`),
  'the run that went on is listed',
);
await w.close();
console.log('experiment.e2e: set up, paused, gone on with after a kill, compared, and gone on from');
