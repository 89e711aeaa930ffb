// Imports in src go down the layers only, never sideways between features; this script says where one does not, and why.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const floors = [
  ['theme', 'lib'],
  ['backend', 'ui'],
  ['viewer', 'chain'],
  [
    'features/library',
    'features/reading',
    'features/adjudication',
    'features/study',
    'features/experiment',
    'features/compare',
    'features/report',
    'features/settings',
  ],
  ['app'],
];
const owners = [
  { library: /^@cornerstonejs\//, owner: 'viewer' },
  { library: /wailsjs\//, owner: 'backend' },
];
const forbidden = [
  {
    from: 'viewer',
    to: 'backend',
    why: 'the viewer gets pixels by URL and nouns as values: it never asks the backend',
  },
  { from: 'chain', to: 'backend', why: 'a chain comes in, selections go out: it never asks the backend' },
];

const root = resolve('src');
const layerOf = (file) => floors.flat().find((l) => relative(root, file).startsWith(`${l}/`));
const floorOf = (layer) => floors.findIndex((f) => f.includes(layer));
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((d) => d.isFile() && /\.tsx?$/.test(d.name))
  .map((d) => join(d.parentPath ?? d.path, d.name))
  .filter((f) => !f.includes('/wailsjs/'));

const faults = [];
for (const file of files) {
  const layer = layerOf(file);
  // Types alone carry no library into a layer.
  const source = readFileSync(file, 'utf8').replaceAll(/import type [^;]*wailsjs[^;]*;/g, '');
  for (const [, spec] of source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    const say = (why) => faults.push(`${relative(root, file)} imports ${spec}: ${why}`);
    for (const { library, owner } of owners) {
      if (library.test(spec) && layer !== owner && layer !== undefined) say(`only ${owner} knows that library`);
    }
    if (!spec.startsWith('.') || layer === undefined) continue;
    const target = layerOf(resolve(dirname(file), spec));
    if (target === undefined || target === layer) continue;
    const rule = forbidden.find((r) => r.from === layer && r.to === target);
    if (rule) say(rule.why);
    else if (floorOf(target) > floorOf(layer)) say(`imports go down; ${target} is above ${layer}`);
    else if (floorOf(target) === floorOf(layer)) say(`imports never go sideways; ${target} stands beside ${layer}`);
  }
}
for (const f of faults) console.error(f);
console.log(`${files.length} files, ${faults.length} imports against the layers`);
process.exit(faults.length ? 1 : 0);
