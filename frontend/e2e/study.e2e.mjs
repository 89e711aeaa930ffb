// The coordinator's screens in the real window, over a study that three readers read: rules, progress, agreement. Pictures go to PICTURES.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';
import { threeReaders } from './threeReaders.mjs';

const { APP, HOME, PICTURES, PLUMB } = process.env;
const home = join(HOME, 'study-home');
const workspace = threeReaders(PLUMB, HOME, { PLUMBLINE_HOME: home });
const w = await Window.open(APP, ['--accept-research-use', workspace], { PLUMBLINE_HOME: home });
w.resize(1280, 800);
const save = (name) => w.picture(join(PICTURES, `${name}.png`));
const clipped = () => w.clipped('main button, main td');

await w.see('cases');
w.focus();
w.key('alt+4');
await w.see('study-name');
await save('study');
assert.deepEqual(await clipped(), []);
await w.fill('reader-2-code', 'R 3');
await until(
  () => w.eval(`!!document.querySelector('[data-field="readers[2].code"]')`),
  'what is wrong stands at the field',
);
assert.equal(
  await w.eval(`document.querySelector('[data-testid="set-protocol"]').getAttribute('aria-disabled')`),
  'true',
);
await save('study-wrong');
await w.click('view-json');
await w.see('protocol-problems');
await save('study-json');
await w.click('view-form');
await w.fill('reader-2-code', 'R3');

// By the system's own dialogs: the rules are saved, and loaded again.
const file = join(HOME, 'saved-protocol.json');
await w.click('save-protocol');
await w.name('Save the protocol as', file);
await until(async () => (await w.text('protocol-status')).startsWith('Written:'), 'the file is written');
assert.equal(JSON.parse(readFileSync(file, 'utf8')).name, 'Sample study, three readers');
writeFileSync(file, readFileSync(file, 'utf8').replace('three readers', 'from a file'));
await w.click('load-protocol');
await w.name('Protocol file', file);
await until(
  () => w.eval(`document.querySelector('[data-testid="study-name"]')?.value === 'Sample study, from a file'`),
  'the file is loaded',
);
await w.click('discard');

await w.click('tab-progress');
await w.see('stands-R3');
assert.match(await w.text('stands-R1'), /28 of 28/);
assert.match(await w.text('stands-R3'), /21 of 28/);
await w.click('assign');
await until(async () => (await w.text('assigned')).startsWith('Nothing new'), 'assigned');
await save('progress');

await w.click('tab-agreement');
await w.see('agree-support');
assert.match(await w.text('agree-support'), /ordinal/);
await save('agreement');
assert.deepEqual(await clipped(), []);
await w.click('agree-support', 'button');
await w.click('stage-3');
await save('agreement-stage');
await w.close();
console.log('study.e2e: the study screens stand');
