import { describe, expect, it } from 'vitest';
import { pageLicences } from '../../licences';

describe('what the page is made of', () => {
  const found = pageLicences(process.cwd());
  it.each([
    ['react', 'MIT'],
    ['@cornerstonejs/core', 'MIT'],
    ['@kitware/vtk.js', 'BSD-3-Clause'],
    ['rechoir', 'MIT'],
  ])('lists %s under %s', (name, licence) => expect(found).toContainEqual(expect.objectContaining({ name, licence })));

  it('says something of every one, and nothing of what only builds and tests', () => {
    expect(found.filter((l) => l.name === '' || l.version === '' || l.licence === '')).toEqual([]);
    expect(found.filter((l) => ['vite', 'vitest', '@biomejs/biome'].includes(l.name))).toEqual([]);
  });
});
