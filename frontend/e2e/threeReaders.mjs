// A study of three readers over the sample study, by plumb alone: a protocol with hidden repeats, assignments, readings that differ.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const grades = ['supported', 'partly', 'unsupported', 'contradicted'];
const careless = { R1: 0.08, R2: 0.18, R3: 0.34 };

const protocol = {
  schema: 'plumbline/protocol/1',
  name: 'Sample study, three readers',
  readers: [
    { code: 'R1', role: 'reader', specialty: 'thoracic radiology', years: 14 },
    { code: 'R2', role: 'reader', specialty: 'general radiology', years: 6 },
    { code: 'R3', role: 'reader', specialty: 'radiology resident', years: 2 },
    { code: 'A1', role: 'adjudicator', specialty: 'thoracic radiology', years: 22 },
  ],
  design: 'crossed',
  repeats: { share: 0.15, min_distance: 3 },
};

/** chance gives numbers of 0 to 1 that depend on a name alone (FNV-1a into xorshift). */
const chance = (name) => {
  let x = 2166136261;
  for (const c of name) x = Math.imul(x ^ c.codePointAt(0), 16777619);
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
};
const pick = (next, list) => list[Math.floor(next() * list.length)];

/** rated says of one step what most would say of it, and now and then something beside it. */
const rated = (next, key, step, later, image, slips) => {
  const agreed = chance(key);
  agreed();
  let at = [0, 0, 0, 0, 1, 1, 2, 3][Math.floor(agreed() * 8)];
  if (next() < slips) at = Math.min(3, Math.max(0, at + pick(next, [-1, 1])));
  const support = grades[at];
  const say = (list) => (next() < slips ? pick(next, list) : pick(agreed, list));
  const rating = { support };
  if (step.regions.length > 0) rating.model_place = say(['correct', 'correct', 'correct', 'imprecise']);
  if (step.text === null) return rating;
  rating.confidence = say([1, 2, 3, 3]);
  if (at > 0) {
    rating.error = [say(['false_finding', 'wrong_location', 'wrong_severity_or_size'])];
    rating.significance = say(['a', 'a', 'a', 'b']);
    if (later) rating.builds_on_error = say(['no', 'no', 'yes']);
  }
  if (at < 2 && image) {
    const [x, y, off] = [0.1 + agreed() / 2, 0.1 + agreed() / 2, (next() - 0.5) * 0.1];
    const coords = [x + off, y + off, x + off + 0.25, y + off + 0.2];
    rating.evidence = [{ id: 'r1', image, frame: 0, shape: 'box', coords }];
  }
  return rating;
};

/** readingOf invents everything that a reader says of a case. */
const readingOf = (reader, assignment, of, chains) => {
  const next = chance(`${reader} ${assignment}`);
  next();
  const look = of.questions.map((q) => {
    const agreed = chance(`${of.id} ${q.id}`);
    agreed();
    const letters = (q.options ?? []).map((o) => o.letter);
    const mostSay = letters.length > 0 ? pick(agreed, letters) : 'as seen';
    const answer = next() < careless[reader] && letters.length > 0 ? pick(next, letters) : mostSay;
    return { question: q.id, answer, confidence: 3 };
  });
  const steps = {};
  const whole = {};
  for (const chain of chains) {
    let bad = 'none';
    const agreed = chance(`${chain.id} whole`);
    agreed();
    const say = (list) => (next() < careless[reader] ? pick(next, list) : pick(agreed, list));
    const all = chain.answers.flatMap((a) => a.steps);
    all.forEach((step, i) => {
      const key = `${chain.id}/${step.id}`;
      steps[key] = rated(next, key, step, i > 0, of.images[0]?.id, careless[reader]);
      const low = grades.indexOf(steps[key].support) >= 2 || steps[key].significance === 'b';
      if (bad === 'none' && low) bad = step.id;
    });
    whole[chain.id] = {
      answer: bad === 'none' ? 'correct' : say(['incorrect', 'incorrect', 'partly']),
      first_bad_step: bad,
      radpeer: bad === 'none' ? '1' : say(['2a', '3a', '3b']),
      follows: say(['yes', 'yes', 'yes', 'no']),
      image_alone: say(['yes', 'yes', 'unsure']),
      needs_more: ['none'],
    };
  }
  return { schema: 'plumbline/reading/1', assignment, look, steps, chains: whole, sign: true };
};

const records = (path) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** threeReaders writes the study into a folder; the last reader is not through. It gives the workspace. */
export const threeReaders = (plumb, folder, env = {}) => {
  const workspace = join(folder, 'workspace');
  const run = (...args) =>
    execFileSync(plumb, [...args, '--quiet', '--workspace', workspace], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      maxBuffer: 1 << 28,
    });
  const lines = (...args) =>
    run(...args, '--json')
      .trimEnd()
      .split('\n')
      .map((l) => JSON.parse(l));
  run('sample', join(folder, 'study'), '--open');
  const rules = join(folder, 'protocol.json');
  writeFileSync(rules, JSON.stringify(protocol, null, 2));
  run('protocol', 'set', rules);
  run('assign');
  // From the files: to ask the program for chains would be to have seen what made them.
  const cases = new Map(records(join(folder, 'study', 'cases.jsonl')).map((c) => [c.id, c]));
  const chainFiles = join(folder, 'study', 'chains');
  const chains = readdirSync(chainFiles)
    .filter((name) => name !== 'manifest.jsonl')
    .flatMap((name) => records(join(chainFiles, name)));
  const work = lines('readings').flatMap((e) => (e.kind === 'assign' && e.body.assign ? [e.body.assign] : []));
  const file = join(folder, 'reading.json');
  for (const reader of Object.keys(careless)) {
    const own = work.filter((a) => a.reader === reader).sort((a, b) => (a.order < b.order ? -1 : 1));
    const through = reader === 'R3' ? own.slice(0, -7) : own;
    for (const a of through) {
      const of = cases.get(a.case);
      const read = chains.filter((c) => a.chains.includes(c.id));
      writeFileSync(file, JSON.stringify(readingOf(reader, a.id, of, read)));
      run('rate', '--reader', reader, '--file', file);
    }
  }
  return workspace;
};
