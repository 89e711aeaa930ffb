// A package goes from the coordinator's window to a reader's on another machine and back, by the system's own dialogs. Pictures go to PICTURES.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, HOME, PICTURES, PLUMB } = process.env;
const here = { PLUMBLINE_HOME: join(HOME, 'coordinator-home') };
const there = { PLUMBLINE_HOME: join(HOME, 'reader-home') };
const boss = join(HOME, 'coordinator');
const plumb = (env, ...args) => execFileSync(PLUMB, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
plumb(here, 'sample', join(HOME, 'packed-study'), '--quiet', '--open', '--workspace', boss);
const rules = join(HOME, 'rules.json');
const readers = [
  { code: 'R1', role: 'reader' },
  { code: 'R2', role: 'reader' },
];
writeFileSync(rules, JSON.stringify({ schema: 'plumbline/protocol/1', name: 'Sample study, two places', readers }));
plumb(here, 'protocol', 'set', rules, '--workspace', boss);
plumb(here, 'assign', '--workspace', boss);

const passphrase = 'told by telephone';
const work = join(HOME, 'work-R2.plumb');
const words = join(HOME, 'answers-R2.plumb');

// The coordinator makes a package for R2.
let w = await Window.open(APP, ['--accept-research-use', boss], here);
w.resize(1280, 800);
await w.see('cases');
w.focus();
w.key('alt+4');
await w.click('tab-packages');
await w.click('make-R2');
await w.fill('passphrase', passphrase);
await w.click('passphrase-give');
await w.name('Package for reader R2', work);
await w.see('made', 120_000);
assert.match(await w.text('made'), /24 reads/);
const key = await w.text('fingerprint');
await w.close();
assert.ok(existsSync(work));

// R2 opens it elsewhere: nothing of the coordinator's machine is there.
w = await Window.open(APP, ['--accept-research-use'], there);
w.resize(1280, 800);
w.focus();
await w.click('open-work');
await w.name('Package of work to open', work);
await w.see('passphrase-dialog');
await w.fill('passphrase', 'something else');
await w.click('passphrase-give');
await until(() => w.eval(`document.body.innerText.includes('That is not the passphrase')`), 'a wrong one is refused');
await w.fill('passphrase', passphrase);
await w.click('passphrase-give');
await w.see('opened-work', 120_000);
assert.ok((await w.text('opened-work')).includes(key), 'the coordinator’s key is shown');
await w.picture(join(PICTURES, 'package-opened.png'));
await w.see('cases');
const row = await w.eval(`document.querySelector('[data-testid="cases"]').innerText`);
assert.doesNotMatch(row, /P0\d|case-/);
const first = await w.eval(`document.querySelector('[data-testid^="case-"]').dataset.testid`);
await w.click(first);
await w.see('reading');
await until(() => w.eval(`!!document.querySelector('canvas')`), 'the picture is there');
await w.picture(join(PICTURES, 'package-look.png'));
w.key('1', '2', 'ctrl+Return'); // the first question
await until(() => w.eval(`!!document.querySelector('[data-testid^="locked-"]')`), 'an answer is locked');
w.key('alt+1');
await w.click('hand-back');
await w.name('Package of answers for the coordinator', words);
await w.see('handed-back');
await w.picture(join(PICTURES, 'package-back.png'));
await w.close();

// The coordinator takes it back.
w = await Window.open(APP, ['--accept-research-use', boss], here);
w.resize(1280, 800);
await w.see('cases');
w.focus();
w.key('alt+4');
await w.click('tab-packages');
await w.click('merge');
await w.name('Package of answers to take back', words);
await w.see('merged');
assert.match(await w.text('merged'), /Reader R2: \d+ events new/);
await w.picture(join(PICTURES, 'packages.png'));
await w.close();
const said = plumb(here, 'readings', '--reader', 'R2', '--workspace', boss);
assert.match(said, /look/);
console.log('packages: there and back');
