// Takes the README's pictures in the real window, reading one case of the sample study as a reader would. Run by build/pictures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, HOME, PICTURES } = process.env;
const home = join(HOME, 'pictures');
const caseID = 'case-01';
const w = await Window.open(APP, ['--sample', '--accept-research-use'], { PLUMBLINE_HOME: home });
w.resize(1280, 800);
const painted = (n) =>
  until(
    () => w.eval(`document.querySelector('[data-testid="viewer"]')?.dataset.painted === '${n}'`),
    `frame ${n} is painted`,
  );
const save = (name) => w.picture(join(PICTURES, `${name}.png`));
const question = () => w.eval(`document.querySelector('[data-testid^="question-"]')?.dataset.testid.slice(9) ?? ''`);

await until(() => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`), 'a picture', 60000);
await w.click('display-both'); // asked once in a session
await until(async () => !(await w.exists('display-check')), 'the display is checked');
const lines = (file) =>
  readFileSync(join(home, 'sample', 'study', file), 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l));
const gold = new Map(
  lines('truth.jsonl')
    .filter((t) => t.case === caseID)
    .map((t) => [t.question, t]),
);
for (let id = await question(); id; id = await question()) {
  const truth = gold.get(id);
  await w.click(`option-${truth.gold}`);
  await w.click('confidence-3');
  const place = truth.evidence.find((r) => r.shape === 'box');
  if (place && id === 'q2') {
    await w.click('viewer');
    w.key('Home');
    await painted(0);
    for (let i = 1; i <= place.from; i++) {
      w.key('Down');
      await painted(i);
    }
    const canvas = await w.eval(`(() => {
      const r = document.querySelector('[data-testid="viewer"]').getBoundingClientRect();
      const side = Math.min(r.width, r.height);
      return { left: (r.width - side) / 2 / r.width, top: (r.height - side) / 2 / r.height, x: side / r.width, y: side / r.height };
    })()`);
    const at = (x, y) => [canvas.left + x * canvas.x, canvas.top + y * canvas.y];
    const [x0, y0, x1, y1] = place.coords;
    w.key('e');
    await w.drag('viewer', at(x0 - 0.005, y0 - 0.005), at(x1 + 0.005, y1 + 0.005));
    await until(() => w.eval(`!!document.querySelector('[data-testid^="evidence-"]')`), 'the box is there');
    await save('look');
  }
  await w.click('commit');
  await until(async () => (await question()) !== id, `${id} is locked`);
}
await w.see('step-chain');
const chains = await w.eval(`[...document.querySelectorAll('[data-testid^="chain-"]')].map((c) => c.dataset.testid)`);
for (const chain of chains) {
  await w.click(chain);
  await until(
    () => w.eval(`document.querySelector('[data-testid="${chain}"]').getAttribute('aria-pressed') === 'true'`),
    chain,
  );
  if (await w.eval(`!!document.querySelector('[data-testid^="chip-"]')`)) break;
}
const steps = await w.eval(`[...document.querySelectorAll('[data-testid^="step-"]')].map((c) => c.dataset.testid)`);
for (const step of steps.slice(0, 3)) {
  await w.click(step, '[aria-expanded]');
  await until(() => w.eval(`!!document.querySelector('[data-testid="${step}"][data-now]')`), `${step} is open`);
  w.key('1');
  await until(
    () => w.eval(`!!document.querySelector('[data-now] [data-testid="support-supported"][aria-checked="true"]')`),
    'rated',
  );
  await w.click((await w.exists('attach-1')) && step !== steps[0] ? 'attach-1' : 'add-whole');
  if (await w.eval(`!!document.querySelector('[data-now] [data-testid="model_place-correct"]')`))
    await w.click('model_place-correct');
  await w.click('confidence-3');
}
const chip = await w.eval(`document.querySelector('[data-now] [data-testid^="chip-"]')?.dataset.testid ?? ''`);
if (chip) await w.click(chip);
await until(() => w.eval(`document.querySelector('[data-testid="saved"]')?.dataset.state === 'saved'`), 'saved');
await save('judge');
await w.click('to-library');
await w.see('cases');
await save('library');
await w.close();
