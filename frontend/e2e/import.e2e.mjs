// Real images in the real window: import a folder of good, strange and broken files, see the problems in words, and look at a CT, an MR,
// an ultrasound and a colour picture. Needs the shared test files beside the repository.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, PICTURES, HOME, SHARED } = process.env;
const files = resolve(SHARED, 'dicom/files');
if (!existsSync(files)) {
  if (process.env.PLUMBLINE_REQUIRE_SHARED) throw new Error(`${files} is not there`);
  console.log('SKIP import.e2e: needs the shared test files beside the repository');
  process.exit(0);
}

/** What is opened: the first case of each modality; the ultrasound here is a colour clip. */
const wanted = ['CT', 'MR', 'US', 'XC', 'SM'];

let w;
try {
  w = await Window.open(APP, [], { PLUMBLINE_HOME: join(HOME, 'import') });
  w.resize(1280, 800);
  await w.fill('import-path', files);
  await w.click('import');
  await w.see('accept-notice', 120000);
  await w.click('accept-notice');
  await w.see('cases', 60000);
  await w.picture(join(PICTURES, '20-imported.png'));
  await w.click('problems');
  await w.see('problem-list');
  await w.picture(join(PICTURES, '21-problems.png'));
  const problems = await w.text('problem-list');
  if (!/truncated|cut short|ends/i.test(problems)) throw new Error('the truncated files are not among the problems');
  w.key('Escape');
  for (const modality of wanted) {
    await w.fill('search', `${modality}-`);
    await until(
      () => w.eval(`document.querySelector('[data-testid^="case-"]')?.dataset.testid.startsWith('case-${modality}-')`),
      `${modality} is found`,
    );
    await w.click(await w.eval(`document.querySelector('[data-testid^="case-"]').dataset.testid`));
    await until(
      () => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`),
      `a picture of ${modality} is painted`,
    );
    await w.picture(join(PICTURES, `22-${modality}.png`));
    await w.click('to-library');
    await w.see('cases');
  }
  console.log('PASS real images in the real window');
  await w.close();
} catch (e) {
  console.error('FAIL', e.message);
  await w?.lost(join(PICTURES, 'import-failed.png'));
  process.exitCode = 1;
}
