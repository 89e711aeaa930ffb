// Exports of the sample study in the programs that they are for: Parquet and CSV in DuckDB, with the worked queries of the export's own
// README. Two readers read three cases first, by file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';

const root = new URL('../../..', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'plumbline-exports-'));
const plumb = (...args) =>
  execFileSync(join(home, 'plumb'), ['--workspace', join(home, 'ws'), '--quiet', ...args], {
    encoding: 'utf8',
    env: { ...process.env, PLUMBLINE_HOME: join(home, 'home') },
    maxBuffer: 1 << 28,
  });
const lines = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** What a reader says of a whole case: supported steps but for the last of each chain, which is contradicted. */
function reading(of, chains, support) {
  const evidence = [{ image: of.images[0].id, frame: 0, shape: 'box', coords: [0.1, 0.2, 0.5, 0.6] }];
  const file = { schema: 'plumbline/reading/1', assignment: of.id, sign: true, look: [], steps: {}, chains: {} };
  const asked = [...of.questions].sort((a, b) => a.k - b.k);
  for (const q of asked) {
    file.look.push({ question: q.id, answer: q.options[0].letter, confidence: 2, evidence });
  }
  for (const chain of chains) {
    const steps = chain.answers.flatMap((a) => a.steps);
    steps.forEach((step, i) => {
      const bad = i === steps.length - 1;
      file.steps[`${chain.id}/${step.id}`] = {
        support: bad ? support : 'supported',
        confidence: step.text === null ? 0 : 2,
        evidence: step.text === null ? [] : evidence,
        model_place: step.regions.length > 0 ? 'correct' : '',
        ...(bad &&
          step.text !== null && { error: ['false_finding'], significance: 'a', builds_on_error: 'no', note: '=1+1' }),
      };
    });
    file.chains[chain.id] = {
      answer: 'partly',
      first_bad_step: steps.at(-1).id,
      radpeer: '2a',
      follows: 'yes',
      image_alone: 'yes',
      needs_more: ['none'],
    };
  }
  return file;
}

let db;
before(async () => {
  execFileSync('go', ['build', '-o', join(home, 'plumb'), './backend/cmd/plumb'], { cwd: root, stdio: 'inherit' });
  plumb('sample', join(home, 'sample'), '--open');
  const cases = lines(plumb('cases', '--json')).filter((c) => c.questions.length > 0);
  for (const of of cases.slice(0, 3)) {
    const chains = lines(plumb('chains', '--json', '--case', of.id));
    for (const [reader, support] of [
      ['R1', 'contradicted'],
      ['R2', 'unsupported'],
    ]) {
      const path = join(home, 'reading.json');
      writeFileSync(path, JSON.stringify(reading(of, chains, support)));
      plumb('rate', '--reader', reader, '--file', path);
    }
  }
  for (const format of ['parquet', 'csv']) {
    plumb('export', format, '--out', join(home, format), '--split', 'train=0.5,test=0.5');
  }
  plumb('export', 'coco', '--out', join(home, 'coco'));
  db = await (await DuckDBInstance.create(':memory:')).connect();
});
after(() => rmSync(home, { recursive: true, force: true }));

const rows = async (sql) => (await db.runAndReadAll(sql)).getRowObjectsJson();
const manifest = (format) => JSON.parse(readFileSync(join(home, format, 'manifest.json'), 'utf8'));

test('DuckDB reads every table with the rows that the manifest names', async () => {
  for (const format of ['parquet', 'csv']) {
    const tables = manifest(format).files.filter((f) => f.path.endsWith(`.${format}`));
    assert.equal(tables.length, 5);
    for (const file of tables) {
      const [{ n }] = await rows(`select count(*) as n from '${join(home, format, file.path)}'`);
      assert.equal(Number(n), file.rows, file.path);
      assert.ok(file.rows > 0, `${file.path} is empty`);
    }
  }
});

test('the worked queries of the README run and find what was said', async () => {
  const text = readFileSync(join(home, 'parquet', 'README.md'), 'utf8');
  const queries = text
    .split('```sql')[1]
    .split('```')[0]
    .split(';')
    .map((q) => q.trim())
    .filter(Boolean);
  assert.equal(queries.length, 3);
  const found = [];
  for (const query of queries) {
    found.push(await rows(query.replaceAll("'ratings.parquet'", `'${join(home, 'parquet', 'ratings.parquet')}'`)));
  }
  const [byStage, wrongReason, spent] = found;
  const judged = byStage.reduce((sum, r) => sum + Number(r.ratings), 0);
  const ratings = manifest('parquet').files.find((f) => f.path === 'ratings.parquet').rows;
  assert.equal(judged, ratings);
  assert.ok(
    byStage.every((r) => r.grounded >= 0 && r.grounded <= 1) && byStage.at(-1).grounded < 1,
    JSON.stringify(byStage),
  );
  assert.ok(wrongReason.length > 0 && wrongReason.every((r) => r.right_for_the_wrong_reason !== null));
  assert.deepEqual([...new Set(spent.map((r) => r.reader))], ['R1', 'R2']);
});

test('types, missing values and texts come over', async () => {
  const ratings = `'${join(home, 'parquet', 'ratings.parquet')}'`;
  const types = Object.fromEntries(
    (await rows(`describe select * from ${ratings}`)).map((r) => [r.column_name, r.column_type]),
  );
  assert.deepEqual(
    [types.stage_k, types.counts, types.confidence, types.case, types.active_ms],
    ['BIGINT', 'BOOLEAN', 'BIGINT', 'VARCHAR', 'BIGINT'],
  );
  const [{ missing, raw, all }] = await rows(
    `select count(*) filter (days_since_session_1 is null) as missing, count(*) filter (note = '=1+1') as raw, count(*) as all from ${ratings}`,
  );
  assert.equal(missing, all);
  assert.ok(Number(raw) > 0);
  // The spreadsheet's flavour marks what it would take for a formula, and only that.
  const csv = `read_csv('${join(home, 'csv', 'ratings.csv')}', all_varchar = true)`;
  const [{ marked, formulas }] = await rows(
    `select count(*) filter (note = '''=1+1') as marked, count(*) filter (regexp_matches(columns(*)::varchar, '^[=+@]')) as formulas from (select note from ${csv})`,
  );
  assert.equal(marked, raw);
  assert.equal(Number(formulas), 0);
  const [{ differ }] = await rows(
    `select count(*) as differ from (select event, support, step_text, "case" from ${ratings} except select event, support, step_text, "case" from ${csv})`,
  );
  assert.equal(Number(differ), 0);
});

test('COCO is read as its documentation has it: every box in its picture, every key where it points to', async () => {
  const dir = join(home, 'coco');
  const all = `read_json('${join(dir, 'annotations.json')}', maximum_object_size = 100000000)`;
  await db.run(`create table coco_images as select unnest(images, recursive := true) from ${all}`);
  await db.run(
    `create table coco_boxes as select a.id as id, a.image_id as image_id, a.category_id as category_id, a.bbox as bbox, a.area as area from (select unnest(annotations) as a from ${all})`,
  );
  await db.run(`create table coco_kinds as select unnest(categories, recursive := true) from ${all}`);
  const m = manifest('coco');
  const units = Object.fromEntries(m.units.map((u) => [u.unit, u]));
  const [{ images, boxes, twice }] = await rows(
    `select (select count(*) from coco_images) as images, (select count(*) from coco_boxes) as boxes,
       (select count(*) - count(distinct id) from coco_images) + (select count(*) - count(distinct id) from coco_boxes) as twice`,
  );
  assert.deepEqual([Number(images), Number(twice)], [units.pictures.out, 0]);
  assert.ok(Number(boxes) >= units.regions.out && units.regions.out > 0, 'a region has a box in each of its frames');
  const [{ lost }] = await rows(
    `select count(*) as lost from coco_boxes b left join coco_images i on b.image_id = i.id left join coco_kinds k on b.category_id = k.id
     where i.id is null or k.id is null or b.bbox[1] < 0 or b.bbox[2] < 0 or b.bbox[3] <= 0 or b.bbox[4] <= 0
       or b.bbox[1] + b.bbox[3] > i.width or b.bbox[2] + b.bbox[4] > i.height or b.area <= 0 or b.area > b.bbox[3] * b.bbox[4] + 1e-6`,
  );
  assert.equal(Number(lost), 0);
  for (const { file_name: name, width, height } of await rows('select file_name, width, height from coco_images')) {
    const png = readFileSync(join(dir, name));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Number(width), Number(height)], name);
  }
});
