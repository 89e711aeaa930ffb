// Exports in the real window, over a study that three readers read: tables, training data with a choice of labels and parts, what leaks, what
// goes to another site and comes from one. Every file is held against its manifest. Pictures go to PICTURES.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';
import { threeReaders } from './threeReaders.mjs';

const { APP, HOME, PICTURES, PLUMB } = process.env;
const env = { PLUMBLINE_HOME: join(HOME, 'export-home') };
const workspace = threeReaders(PLUMB, HOME, env);
/** plumb runs with the keys of a home. */
const plumb = (home, ...args) =>
  execFileSync(PLUMB, [...args, '--quiet'], { encoding: 'utf8', env: { ...process.env, PLUMBLINE_HOME: home } });

// Another site has a workspace of its own, and somebody has this one with other keys.
const sites = join(HOME, 'sites');
mkdirSync(sites);
const away = join(HOME, 'away');
plumb(away, 'sample', join(HOME, 'away-study'), '--seed', '5');
plumb(away, '--workspace', join(HOME, 'away-workspace'), 'import', join(HOME, 'away-study'));
plumb(away, '--workspace', join(HOME, 'away-workspace'), 'export', 'federation', '--out', join(sites, 'away'));
plumb(join(HOME, 'somebody'), '--workspace', workspace, 'export', 'federation', '--out', join(sites, 'somebody'));

const w = await Window.open(APP, ['--accept-research-use', workspace], env);
w.resize(1280, 800);
const save = (name) => w.picture(join(PICTURES, `export-${name}.png`));
const whole = async () => assert.deepEqual(await w.clipped('main *'), []);

/** held reads the manifest of an export and holds every file against it. */
const held = (dir) => {
  const m = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  for (const f of m.files) {
    const sum = createHash('sha256')
      .update(readFileSync(join(dir, f.path)))
      .digest('hex');
    assert.equal(sum, f.sha256, f.path);
  }
  return m;
};
/** empty makes a folder: the system's dialog completes a path that can go on in one way only. */
const empty = (name) => {
  mkdirSync(join(HOME, name));
  return join(HOME, name);
};
/** written exports the picked format into a folder, and gives its manifest. */
const written = async (format, into) => {
  await w.click('export-write');
  await w.name('Folder for the export', into);
  await w.see('export-written', 60000);
  const dir = join(into, `plumbline-${format}`);
  assert.ok((await w.text('export-written')).includes(dir));
  return held(dir);
};

try {
  await w.see('cases', 60000);
  w.focus();
  w.key('alt+4');
  await w.click('tab-export');
  await w.see('export-tab');
  await w.click('format-csv');
  const forTables = empty('tables');
  const tables = await written('csv', forTables);
  assert.equal(tables.in, 24);
  assert.match(readFileSync(join(forTables, 'plumbline-csv', 'ratings.csv'), 'utf8'), /,R3,/);
  await save('tables');
  await whole();

  // Training data: shares, one reader's labels too, answered by letter; pictures go with it.
  await w.click('format-llamafactory-sharegpt');
  await w.put('export-labels', 'single');
  await w.put('export-prompt', 'letters');
  const training = await written('llamafactory-sharegpt', empty('training'));
  const trained = join(HOME, 'training', 'plumbline-llamafactory-sharegpt');
  assert.deepEqual(
    training.split.parts.map((p) => p.name),
    ['train', 'test'],
  );
  const rows = JSON.parse(readFileSync(join(trained, 'sharegpt_a.train.json'), 'utf8'));
  assert.ok(rows.length > 10 && rows.every((r) => existsSync(join(trained, r.images[0]))));
  assert.match(rows[0].conversations[0].value, /^(<image>)+[\s\S]*Answer with the letter of one option\.$/);
  assert.match(rows[0].conversations[1].value, /^(<think>[\s\S]*<\/think>)?[A-Z]$/);
  await save('training');
  await whole();

  // What was for training there may not be for testing here: the manifest is chosen by the system's dialog.
  await w.fill('export-split', 'test=1');
  await w.click('export-against-choose');
  await w.name('Manifest of the other export', join(trained, 'manifest.json'));
  await until(
    () => w.eval(`document.querySelector('[data-testid="export-against"]').value.endsWith('manifest.json')`),
    'the manifest is chosen',
  );
  const apart = empty('apart');
  await w.click('export-write');
  await w.name('Folder for the export', apart);
  await until(
    async () => /is in test here and train there/.test(await w.text('export-failed')),
    'it leaks, and says what',
  );
  assert.ok(!existsSync(join(apart, 'plumbline-llamafactory-sharegpt')));
  await save('leaks');
  await whole();

  // For another site, signed; and what sites gave, added up. One that somebody else made under our name counts for nobody.
  await w.click('format-federation');
  const ours = empty('ours');
  await written('federation', ours);
  assert.ok(readFileSync(join(ours, 'plumbline-federation', 'manifest.sig'), 'utf8').length > 80);
  await w.click('format-pool');
  const add = async (dir, sum) => {
    await w.click('pool-add');
    await w.name('Folder that a site gave', dir);
    await until(async () => sum.test(await w.text('pooled')), `${dir} is added up`);
  };
  await add(join(ours, 'plumbline-federation'), /^1 site: 24 cases/);
  await add(join(sites, 'away'), /^2 sites: 48 cases of 24 patients/);
  await save('pooled');
  await add(
    join(sites, 'somebody'),
    /^1 site: 24 cases[\s\S]*2 things not in the sums[\s\S]*ask the site which is its own/,
  );
  await save('conflict');
  await whole();
  await w.close();
} catch (e) {
  await w.lost(join(PICTURES, 'export-lost.png'));
  throw e;
}
console.log('export.e2e: tables, training data, leaks, what goes to sites and comes from them');
