// Measures the real window: start, opening a case to its first and last picture, a wheel step, a key press until it is saved.
// Prints one line a figure: name, runs, median, 95th percentile, all in milliseconds. Run by build/bench.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window, workspaceIn } from './realwin.mjs';

const { APP, FILL, HOME, SERIES } = process.env;
const runs = Number(process.env.RUNS ?? 5);

const quantile = (values, q) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(q * values.length) - 1)];
const print = (name, values) =>
  console.log([name, values.length, quantile(values, 0.5).toFixed(1), quantile(values, 0.95).toFixed(1)].join('\t'));

/** marks reads what the last start of the app noted in its log. */
const marks = (home) =>
  readFileSync(join(home, 'plumbline.log'), 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l))
    .filter((l) => l.mark);

/** inPage runs an async function in the page and gives its value. */
async function inPage(w, f, ...args) {
  await w.eval(
    `(window.bench = undefined, (${f})(${args.map((a) => JSON.stringify(a)).join(',')}).then((v) => { window.bench = { v }; }, (e) => { window.bench = { e: String(e) }; }), 1)`,
  );
  const got = await until(() => w.eval('window.bench'), 'the page has measured', 120000);
  if (got.e) throw new Error(got.e);
  return got.v;
}

/** openCase clicks a case and gives the times until its first picture and, after End, its last. */
const openCase = async (id) => {
  const painted = () => document.querySelector('[data-testid="viewer"]')?.dataset.painted;
  const when = (f) =>
    new Promise((done) => {
      const look = () => (f() ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look));
      look();
    });
  const t0 = performance.now();
  document.querySelector(`[data-testid="${id}"]`).click();
  const first = (await when(() => !!painted())) - t0;
  const total = Number(/\/ (\d+)/.exec(document.querySelector('[data-testid="viewer"]').textContent)[1]);
  document.querySelector('[data-testid="viewer"] [tabindex]').focus();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', code: 'End', bubbles: true }));
  const last = (await when(() => painted() === String(total - 1))) - t0;
  return { first, last, total };
};

/** openWhole clicks a case and gives the times until its first picture, and until the bytes of every frame are there; nothing is pressed. */
const openWhole = async (id) => {
  const viewer = () => document.querySelector('[data-testid="viewer"]');
  const came = new Set();
  const real = window.fetch;
  let last = 0;
  window.fetch = async (url, init) => {
    const response = await real(url, init);
    const bytes = response.arrayBuffer.bind(response);
    response.arrayBuffer = async () => {
      const got = await bytes();
      if (!/thumb/.test(String(url))) came.add(String(url));
      last = performance.now();
      return got;
    };
    return response;
  };
  const frame = () => new Promise((r) => requestAnimationFrame(r));
  const t0 = performance.now();
  document.querySelector(`[data-testid="${id}"]`).click();
  while (!viewer()?.dataset.painted) await frame();
  const first = performance.now() - t0;
  const total = Number(/\/ (\d+)/.exec(viewer().textContent)[1]);
  while (came.size < total && performance.now() - t0 < 60000) await new Promise((r) => setTimeout(r, 20));
  window.fetch = real;
  if (came.size < total) throw new Error(`${came.size} of ${total} frames came within a minute`);
  return { first, all: last - t0, total };
};

/** memoryOf adds up, in MiB, what a process and all below it hold of memory; what several share is counted once (PSS). */
const memoryOf = (root) => {
  const parents = new Map();
  for (const pid of readdirSync('/proc').filter((d) => /^\d+$/.test(d)))
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      parents.set(Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {} // it has ended
  const below = (pid) => [
    pid,
    ...[...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
  ];
  let sum = 0;
  for (const pid of below(root))
    try {
      sum += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) / 1024;
    } catch {}
  return sum;
};

/** wheel turns the wheel by one frame, n times, and gives the times until the next picture is on the screen. */
const wheel = async (n) => {
  const viewer = document.querySelector('[data-testid="viewer"]');
  const target = viewer.querySelector('canvas') ?? viewer;
  const frame = () => new Promise((r) => requestAnimationFrame(r));
  const times = [];
  let by = -100;
  for (let i = 0; i < n; i++) {
    if (viewer.dataset.painted === '0') by = 100;
    const before = viewer.dataset.painted;
    const t0 = performance.now();
    target.dispatchEvent(new WheelEvent('wheel', { deltaY: by, bubbles: true, cancelable: true }));
    for (let k = 0; k < 200 && viewer.dataset.painted === before; k++) await frame();
    times.push(performance.now() - t0);
  }
  return times;
};

/**
 * save answers one row of the open step n times and gives the times until the desk has answered and the screen says so: the grade by the
 * mouse, or the confidence by its digits, since after a grade the digits mean the row below it.
 */
const save = async (n, by) => {
  const mark = document.querySelector('[data-testid="saved"]');
  const name = by === 'key' ? 'confidence' : 'support';
  const choices = () => [...document.querySelectorAll(`[data-now] [data-testid^="${name}-"]`)];
  const press = (key, code) =>
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
  const saved = (answer) =>
    new Promise((done) => {
      let waited = false;
      const watch = new MutationObserver(() => {
        waited ||= mark.dataset.state === 'saving';
        if (!waited || mark.dataset.state !== 'saved') return;
        watch.disconnect();
        done();
      });
      watch.observe(mark, { attributes: true });
      answer();
    });
  if (by === 'key') await saved(() => choices()[0].click());
  const times = [];
  for (let i = 0; i < n; i++) {
    const at = i % 2 ? 0 : 1;
    const t0 = performance.now();
    await saved(by === 'key' ? () => press(String(at + 1), `Digit${at + 1}`) : () => choices()[at + 2].click());
    times.push(performance.now() - t0);
  }
  return times;
};

/** next goes to the next case by its key, n times, and gives the times until its picture is painted and what is asked is there. */
const next = async (n) => {
  const viewer = () => document.querySelector('[data-testid="viewer"]');
  const frame = () => new Promise((r) => requestAnimationFrame(r));
  const times = [];
  for (let i = 0; i < n; i++) {
    const before = viewer();
    const t0 = performance.now();
    document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'n', code: 'KeyN', bubbles: true, cancelable: true }),
    );
    const there = () =>
      viewer() !== before &&
      !!viewer()?.dataset.painted &&
      !!document.querySelector('[data-testid^="question-"], [data-now] [data-testid^="support-"]');
    while (!there() && performance.now() - t0 < 10000) await frame();
    await frame();
    times.push(performance.now() - t0);
    // A reader stays on a case; what is fetched ahead has come by then.
    await new Promise((r) => setTimeout(r, 1000));
  }
  return times;
};

async function start() {
  const home = join(HOME, 'start');
  const page = [];
  const image = [];
  for (let i = 0; i <= runs; i++) {
    const w = await Window.open(APP, ['--sample', '--accept-research-use'], { PLUMBLINE_HOME: home });
    await until(
      () => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`),
      'a picture',
      60000,
    );
    await until(() => marks(home).some((m) => m.mark.startsWith('first-image')), 'the mark');
    const all = marks(home);
    await w.kill();
    if (i === 0) continue; // the first start writes the sample study
    page.push(all.findLast((m) => m.mark === 'page').ms);
    image.push(all.findLast((m) => m.mark.startsWith('first-image')).ms);
  }
  print('start: process to first page', page);
  print('start: process to first image', image);
}

async function reading() {
  const w = await Window.open(APP, ['--sample', '--accept-research-use'], { PLUMBLINE_HOME: join(HOME, 'start') });
  await until(() => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`), 'a picture', 60000);
  const first = [];
  const last = [];
  for (let i = 0; i < runs; i++) {
    await w.click('to-library');
    await w.see('cases');
    const ids = await w.eval(`[...document.querySelectorAll('[data-testid^="case-"]')].map((c) => c.dataset.testid)`);
    const got = await inPage(w, openCase, ids[5 + i * 2]);
    first.push(got.first);
    last.push(got.last);
  }
  print('open 40 frames of 256×256: click to first picture', first);
  print('open 40 frames of 256×256: click to last picture', last);
  print('scroll 40 frames of 256×256: wheel step to picture', await inPage(w, wheel, 60));
  print('next case: key to picture and question', await inPage(w, next, 8));
  while (await w.eval(`document.querySelector('[data-testid="phase"]').dataset.phase === 'look'`)) {
    const asked = await w.eval(`document.querySelector('[data-testid^="question-"]').dataset.testid`);
    await w.click('option-A');
    await w.click('confidence-2');
    await w.click('commit');
    await until(
      () => w.eval(`document.querySelector('[data-testid^="question-"]')?.dataset.testid !== '${asked}'`),
      'the question is locked',
    );
  }
  await w.see('step-chain');
  await until(() => w.eval(`!!document.querySelector('[data-now] [data-testid^="support-"]')`), 'a step is open');
  print('click on a grade to saved and shown', await inPage(w, save, 60, 'mouse'));
  await w.kill();
}

/** long presses keys in a workspace that holds as many events as a large study. */
async function long() {
  const home = join(HOME, 'start');
  const events = 100000;
  execFileSync(FILL, [workspaceIn(home), String(events)]);
  const w = await Window.open(APP, ['--sample', '--accept-research-use'], { PLUMBLINE_HOME: home });
  await until(
    () => w.eval(`!!document.querySelector('[data-now] [data-testid^="support-"]')`),
    'a step is open',
    60000,
  );
  print(`key on a grade to saved and shown, ${events} events in the ledger`, await inPage(w, save, 1000, 'key'));
  await w.kill();
}

/** openPlanes asks for the planes across the volume and gives the time until all of them are on the screen. */
const openPlanes = async () => {
  const areas = () => [...document.querySelectorAll('[data-pane] [data-painted]')];
  const there = () =>
    areas().length === 4 && areas().every((a) => a.dataset.painted !== '' && a.dataset.loading === 'false');
  document.querySelector('[data-testid="viewer"] [tabindex]').focus();
  const t0 = performance.now();
  document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'P', code: 'KeyP', shiftKey: true, bubbles: true }),
  );
  while (!there()) await new Promise((r) => requestAnimationFrame(r));
  return performance.now() - t0;
};

/** wheelPlane turns the wheel over one pane of planes by one plane, n times, and gives the times until each is on the screen. */
const wheelPlane = async (pane, n) => {
  const target = document.querySelector(`[data-pane="${pane}"] canvas`);
  const area = target.closest('[data-painted]');
  const times = [];
  for (let i = 0; i < n; i++) {
    const before = area.dataset.painted;
    const t0 = performance.now();
    target.dispatchEvent(new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true }));
    for (let k = 0; k < 200 && area.dataset.painted === before; k++) await new Promise((r) => requestAnimationFrame(r));
    times.push(performance.now() - t0);
  }
  return times;
};

async function series() {
  if (!SERIES) return;
  const openSeries = async (home) => {
    const w = await Window.open(APP, [], { PLUMBLINE_HOME: join(HOME, home) });
    await w.fill('import-path', SERIES);
    await w.click('import');
    await w.click('accept-notice');
    await w.see('cases', 60000);
    const id = await until(() => w.eval(`document.querySelector('[data-testid^="case-"]')?.dataset.testid`), 'a case');
    return { w, id };
  };
  const first = [];
  const last = [];
  const all = [];
  const planes = [];
  const memory = { empty: [], loaded: [] };
  for (let i = 0; i < runs; i++) {
    const { w, id } = await openSeries(`series-${i}`);
    const got = await inPage(w, openCase, id);
    if (got.total < 200) throw new Error(`a long series expected, found ${got.total} frames`);
    first.push(got.first);
    last.push(got.last);
    if (i === runs - 1)
      print(`scroll ${got.total} frames of 512×512 while they load: wheel step to picture`, await inPage(w, wheel, 60));
    await w.kill();
  }
  for (let i = 0; i < runs; i++) {
    const { w, id } = await openSeries(`whole-${i}`);
    memory.empty.push(memoryOf(w.process.pid));
    const got = await inPage(w, openWhole, id);
    first.push(got.first);
    all.push(got.all);
    memory.loaded.push(memoryOf(w.process.pid));
    if (i === runs - 1)
      print(`scroll ${got.total} frames of 512×512, loaded: wheel step to picture`, await inPage(w, wheel, 60));
    planes.push(await inPage(w, openPlanes));
    if (i === runs - 1) {
      print(`planes across ${got.total} frames: wheel step to coronal picture`, await inPage(w, wheelPlane, 1, 60));
      print(`planes across ${got.total} frames: wheel step to sagittal picture`, await inPage(w, wheelPlane, 2, 60));
    }
    await w.kill();
  }
  print('open 300 frames of 512×512: click to first picture', first);
  print('open 300 frames of 512×512: click to last picture', last);
  print('open 300 frames of 512×512: click to all frames in the page', all);
  print('planes across 300 frames of 512×512, loaded: key to all four pictures', planes);
  print('memory (PSS, MiB): before the series is opened', memory.empty);
  print('memory (PSS, MiB): with all 300 frames', memory.loaded);
}

const parts = { start, reading, long, series };
for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)) await parts[name]();
