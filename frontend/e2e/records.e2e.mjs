// Records of others in the real window: a chain of S-Chain with its picture, and a log of Inspect whose records name no patient, each opened by
// its typed path. What is found is there to be looked at; what is not known is said in words.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, PICTURES, HOME } = process.env;
const folder = join(HOME, 'records-given');

/** scan is a BMP of a bright disc with a darker one in it. */
function scan(side) {
  const b = Buffer.alloc(54 + side * side * 3);
  b.write('BM');
  for (const [at, v] of [
    [2, b.length],
    [10, 54],
    [14, 40],
    [18, side],
    [22, side],
    [34, side * side * 3],
  ])
    b.writeUInt32LE(v, at);
  b.writeUInt16LE(1, 26);
  b.writeUInt16LE(24, 28);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const far = Math.hypot(x - side / 2, y - side / 2) / side;
      const near = Math.hypot(x - side * 0.36, y - side * 0.45) / side;
      b.fill(
        near < 0.06 ? 60 : far < 0.38 ? 150 + Math.round(60 * far) : 6,
        54 + (y * side + x) * 3,
        57 + (y * side + x) * 3,
      );
    }
  }
  return b;
}

const box = [0.31, 0.5, 0.11, 0.1];
mkdirSync(join(folder, 'schain', 'img'), { recursive: true });
writeFileSync(join(folder, 'schain', 'img', 'p1_s1.bmp'), scan(256));
writeFileSync(
  join(folder, 'schain', 'svcot.jsonl'),
  `${JSON.stringify({
    image_path: 'img/p1_s1.bmp',
    question: 'What is the dementia stage?',
    answer: 'Mild',
    sv_cot: ['Locate both hippocampi', 'Widened choroid fissure', 'MTA grade 2', 'Mild dementia'].map((step_text) => ({
      step_text,
      evidence_bbox: box,
    })),
    language: 'en',
  })}\n`,
);
writeFileSync(
  join(folder, 'log.json'),
  JSON.stringify({
    version: 2,
    status: 'success',
    eval: { task: 'sides', model: 'model/one' },
    samples: [1, 2].map((id) => ({
      id,
      epoch: 1,
      input: 'On which side is the effusion?',
      choices: ['Left', 'Right'],
      target: 'A',
      output: { choices: [{ message: { content: 'The costophrenic angle is blunted on the left. Answer: A' } }] },
    })),
  }),
);

let w;
try {
  w = await Window.open(APP, [], { PLUMBLINE_HOME: join(HOME, 'records') });
  w.resize(1280, 800);
  await w.fill('import-path', join(folder, 'schain'));
  await w.click('import');
  await w.see('accept-notice', 60000);
  await w.click('accept-notice');
  await w.see('cases', 60000);
  await w.picture(join(PICTURES, '80-records-schain.png'));
  await w.click(await w.eval(`document.querySelector('[data-testid^="case-"]').dataset.testid`));
  await until(
    () => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`),
    'the picture of the record is painted',
  );
  await w.picture(join(PICTURES, '81-records-schain-case.png'));
  await w.click('to-library');
  await w.see('cases');
  await w.close();

  w = await Window.open(APP, [], { PLUMBLINE_HOME: join(HOME, 'records-log') });
  w.resize(1280, 800);
  await w.fill('import-path', join(folder, 'log.json'));
  await w.click('import');
  await w.see('accept-notice', 60000);
  await w.click('accept-notice');
  await w.see('cases', 60000);
  if (await w.eval(`document.querySelectorAll('[data-testid^="case-"]').length !== 2`))
    throw new Error('two cases are expected');
  await w.picture(join(PICTURES, '82-records-log.png'));
  await w.click('problems');
  await w.see('problem-list');
  await w.picture(join(PICTURES, '83-records-log-problems.png'));
  const problems = await w.text('problem-list');
  if (!/name no patient/i.test(problems))
    throw new Error(`that no patient is known is not among the problems: ${problems}`);
  console.log('PASS records of others in the real window');
  await w.close();
} catch (e) {
  console.error('FAIL', e.message);
  await w?.lost(join(PICTURES, 'records-failed.png'));
  process.exitCode = 1;
}
