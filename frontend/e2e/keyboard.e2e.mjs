// A reader without a mouse in the real window: reads cases of the sample study in both phases by keyboard alone, draws by the crosshair,
// attaches a look region by its number, says what they would have said, signs, goes on; then everything said is in `plumb readings`.
// KEYBOARD_CASES says how many; 2 where it is not set, so that the script can be part of every test run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { until, Window, workspaceIn } from './realwin.mjs';

const { APP, PLUMB, PICTURES, HOME } = process.env;
const home = join(HOME, 'keyboard');
const cases = Number(process.env.KEYBOARD_CASES ?? 2);
const check = (ok, what) => {
  if (!ok) throw new Error(`not so: ${what}`);
  console.log(`ok  ${what}`);
};
const plumb = (...args) => execFileSync(PLUMB, args, { encoding: 'utf8', maxBuffer: 1 << 28 });

let w;
const said = { looks: 0, boxes: 0, steps: 0, chains: 0, attached: 0, own: 0, errors: 0, missed: 0 };
const at = (selector, what = 'dataset.testid') => w.eval(`document.querySelector('${selector}')?.${what} ?? ''`);
const focused = () =>
  w.eval(`document.activeElement?.closest('[data-testid]')?.dataset.testid ?? document.activeElement?.tagName`);
const phase = () => at('[data-testid="phase"]', 'dataset.phase');
const saved = () => until(async () => (await at('[data-testid="saved"]', 'dataset.state')) === 'saved', 'saved');
const missing = () =>
  w.eval(`[...document.querySelectorAll('[data-now] [data-missing]')].map((r) => r.dataset.testid.slice(4))`);
const checked = (id) =>
  w.eval(`document.querySelector('[data-now] [data-testid="${id}"]')?.getAttribute('aria-checked') === 'true'`);

/** tabTo presses Tab until what carries the test id has the focus. */
async function tabTo(id, most = 80) {
  for (let i = 0; i < most; i++) {
    if ((await focused()) === id) return;
    w.key('Tab');
  }
  throw new Error(`Tab does not reach ${id}`);
}

/** toRow goes up or down to a row of what is open; above the first row is the grade. */
async function toRow(row) {
  const way = await w.eval(`(() => {
    const rows = [...document.querySelectorAll('[data-now] [data-testid^="row-"]')];
    const at = (test) => rows.findIndex(test);
    return at((r) => r.dataset.testid === 'row-${row}') - at((r) => 'active' in r.dataset);
  })()`);
  if (way !== 0) w.key(...Array(Math.abs(way)).fill(way > 0 ? 'Down' : 'Up'));
  await until(
    () => w.eval(`!!document.querySelector('[data-now] [data-testid="row-${row}"][data-active]')`),
    `row ${row}`,
  );
}

/** crosshair draws a box where the middle of the image is: Enter, right and down, Enter. */
async function crosshair(key = 'e') {
  w.key(key);
  await until(() => w.eval(`document.querySelector('[data-testid="tool-box"]').ariaPressed === 'true'`), 'drawing');
  w.key('Left', 'shift+Up', 'Return', 'shift+Right', 'shift+Right', 'shift+Down', 'Right', 'Return');
  await until(() => w.eval(`document.querySelector('[data-testid="tool-box"]').ariaPressed === 'false'`), 'drawn');
  said.boxes++;
}

/** look answers the questions one after another. */
async function look(n) {
  for (let q = 0; (await phase()) === 'look'; q++) {
    const asked = await until(() => at('[data-testid^="question-"]'), 'a question');
    w.key(String(1 + ((n + q) % 2)));
    await until(() => w.eval(`!!document.querySelector('[data-testid^="option-"][aria-checked="true"]')`), 'an answer');
    w.key(String(1 + (q % 3)));
    await until(
      () => w.eval(`!!document.querySelector('[data-testid^="confidence-"][aria-checked="true"]')`),
      'how sure',
    );
    if (q === 0) await crosshair();
    if (n === 0 && q === 0) await w.picture(join(PICTURES, 'keyboard-look.png'));
    w.key('ctrl+Return');
    await until(async () => (await at('[data-testid^="question-"]')) !== asked, `${asked} is locked`);
    said.looks++;
  }
}

/** answerRest answers by digits whatever the open card still needs. */
async function answerRest(attach) {
  for (let tries = 0; tries < 12; tries++) {
    const row = (await missing())[0];
    if (!row) return;
    await toRow(row);
    if (row === 'evidence' && attach) {
      w.key('1'); // the look region with the number 1
      said.attached++;
    } else if (row === 'evidence') await crosshair();
    else if (row === 'needs_more') w.key('5');
    else w.key('1');
    await until(async () => !(await missing()).includes(row), `${row} is answered`);
    if (row === 'error') {
      w.key('3'); // a second kind of error in the same row
      await until(() => checked('error-wrong_severity_or_size'), 'two kinds of error');
      said.errors++;
    }
  }
}

/** judge goes through the parts with J until the sign panel is there. */
async function judge(n) {
  for (let part = 0; !(await w.exists('sign-panel')); part++) {
    const id = await until(() => at('[data-now]', 'dataset.part'), 'a part is open');
    if (id === 'chain') {
      await answerRest(false);
      if (said.missed === 0) {
        await toRow('missed');
        w.key('Return');
        w.type('a small cyst');
        w.key('Return', 'Escape');
        await until(
          () => w.eval(`document.querySelector('[data-now]').innerText.includes('a small cyst')`),
          'an omission',
        );
        w.key('2');
        await crosshair();
        said.missed++;
      }
      said.chains++;
    } else {
      w.key(String(1 + (part % 6)));
      await until(
        () => w.eval(`!!document.querySelector('[data-now] [role="radio"][aria-checked="true"]')`),
        'a grade',
      );
      await answerRest(part === 0);
      if (part === 2) {
        w.key('shift+a');
        await w.see('own-answer');
        w.key('2');
        await until(
          () => w.eval(`!!document.querySelector('[data-testid="own-answer"] [aria-checked="true"]')`),
          'an own answer',
        );
        if (n === 0) await w.picture(join(PICTURES, 'keyboard-judge.png'));
        w.key('shift+a');
        said.own++;
      }
      said.steps++;
    }
    check((await missing()).length === 0, `case ${n + 1}: ${id} is answered`);
    w.key('j');
    await until(
      async () =>
        (await w.exists('sign-panel')) ||
        (await at('[data-now]', 'dataset.part')) !== id ||
        (await at('[data-now]')) === '',
      'on',
    );
  }
}

const began = performance.now();
try {
  w = await Window.open(APP, [], { PLUMBLINE_HOME: home });
  w.resize(1280, 800);
  w.focus();
  await w.see('sample-study', 30000);
  await tabTo('sample-study');
  w.key('Return');
  await w.see('accept-notice', 60000);
  w.key('Return');
  await w.see('cases');
  await until(async () => (await focused()) === 'cases', 'the worklist has the keys');
  w.key('Return'); // the first row
  await w.see('display-check');
  await tabTo('display-both');
  w.key('Return');
  await until(async () => !(await w.exists('display-check')), 'the display is checked');
  for (let n = 0; n < cases; n++) {
    await until(() => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`), 'a picture');
    check((await phase()) === 'look' && !(await w.exists('step-chain')), `case ${n + 1} begins with the look`);
    await look(n);
    await w.see('step-chain');
    await judge(n);
    check(!(await w.exists('missing')), `case ${n + 1}: nothing is missing before signing`);
    await saved();
    w.key('ctrl+Return');
    await until(async () => (await phase()) === 'signed', 'signed');
    await saved();
    const before = await w.eval('location.hash');
    if (n < cases - 1) {
      w.key('n');
      await until(async () => (await w.eval('location.hash')) !== before, 'the next case');
      await until(async () => (await phase()) !== 'signed', 'the next case is open');
    }
  }
  console.log(
    `    ${cases} cases by keyboard in ${Math.round((performance.now() - began) / 1000)} s: ${JSON.stringify(said)}`,
  );
  w.key('alt+1');
  await w.see('cases');
  check((await w.close()).code === 0, 'the app quits in order');

  const events = plumb('readings', '--json', '--workspace', workspaceIn(home))
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l));
  const now = new Map(events.map((e) => [e.key, e]));
  const of = (kind) => [...now.values()].filter((e) => e.kind === kind);
  check(of('look').length === said.looks && of('look').every((e) => e.body.look.confidence > 0), `${said.looks} looks`);
  check(
    of('look').filter((e) => e.body.look.evidence[0]?.shape === 'box').length === cases,
    'a box in each first look',
  );
  check(of('rating').length === said.steps && of('rating').every((e) => e.body.rating.support), `${said.steps} steps`);
  check(of('chain-rating').length === said.chains, `${said.chains} chains as a whole`);
  const evidence = of('rating').flatMap((e) => e.body.rating.evidence);
  check(
    evidence.filter((r) => r.id.startsWith('look-')).length === said.attached,
    `${said.attached} look regions attached`,
  );
  check(
    evidence.filter((r) => r.shape === 'box' && r.id.startsWith('mine-')).length === said.boxes - cases - said.missed,
    'every box drawn',
  );
  check(
    of('rating').filter((e) => e.body.rating.error.length === 2).length === said.errors,
    `${said.errors} with two kinds of error`,
  );
  check(
    of('rating').every((e) => e.body.rating.support !== 'cannot_assess' || e.body.rating.reason),
    'reasons',
  );
  check(
    of('own-answer').length === said.own && of('own-answer').every((e) => e.body.own_answer.answer),
    `${said.own} corrections`,
  );
  const missed = of('chain-rating').flatMap((e) => e.body.chain_rating.missed);
  check(
    missed.length === said.missed && missed.every((m) => m.significance === 'b' && m.region?.shape === 'box'),
    'the omission with its region',
  );
  check(of('sign').length === cases && of('display')[0]?.body.display.dark_seen, 'signatures, and the display check');
  check(
    of('seen').some((e) => e.body.seen.region_on_screen && e.body.seen.region_fitting),
    'a region at a fitting window',
  );
  check(
    of('seen').some((e) => e.body.seen.dwell_ms > 0 && e.body.seen.frames.length > 0 && e.body.seen.order > 0),
    'what was seen',
  );
  check(
    JSON.parse(plumb('verify', '--json', '--workspace', workspaceIn(home))).first_break === null,
    'plumb verify finds it whole',
  );
  console.log(`PASS ${cases} cases by keyboard alone`);
} catch (e) {
  console.error('FAIL', e.message);
  if (w?.process.exitCode === null) {
    await w.picture(join(PICTURES, 'keyboard-failed.png')).catch(() => {});
    console.error('focus', await focused().catch(() => ''));
    console.error(w.log.join('').split('\n').slice(-15).join('\n'));
    await w.kill();
  }
  process.exitCode = 1;
}
