import { describe, expect, it } from 'vitest';
import type { Region } from '../lib/nouns';
import { fitting } from './fitting';
import { testFrame, testPicture } from './testFrame';

const region = (shape: string, coords: number[]): Region => ({ id: 'r', image: 'i', frame: 0, shape, coords });

describe('a window', () => {
  // A row of a CT: ten pixels of lung, ten of soft tissue.
  const values = [...Array(10).fill(-850), ...Array(10).fill(40)];
  const frame = testFrame({ columns: 20, unit: 'HU' });
  const picture = testPicture(frame, values);
  const lung = { center: -600, width: 1500 };
  const brain = { center: 40, width: 80 };

  it.each([
    ['lung', 'in lung', lung, region('box', [0, 0, 0.5, 1]), true],
    ['brain', 'in lung', brain, region('box', [0, 0, 0.5, 1]), false],
    ['brain', 'in soft tissue', brain, region('ellipse', [0.5, 0, 1, 1]), true],
    ['brain', 'half in each', brain, region('box', [0.25, 0, 0.75, 1]), true],
    ['brain', 'mostly in lung', brain, region('box', [0.2, 0, 0.65, 1]), false],
    ['brain', 'a point in soft tissue', brain, region('point', [0.9, 0.5]), true],
    ['brain', 'a point in lung', brain, region('point', [0.1, 0.5]), false],
    ['a moved', 'the whole image', { center: 4000, width: 100 }, region('whole_image', []), false],
    ['none', 'in colour', undefined, region('box', [0, 0, 1, 1]), true],
  ])('%s: %s', (_, __, window, where, want) => {
    expect(fitting(frame, picture, window, where)).toBe(want);
  });

  it('looks at modality values, and not at padding', () => {
    const stored = testFrame({ columns: 4, slope: 1, intercept: -1024, padding: -2000, unit: 'HU' });
    const padded = testPicture(stored, [-2000, -2000, -2000, 1064]);
    expect(fitting(stored, padded, brain, region('box', [0, 0, 1, 1]))).toBe(true);
    const empty = testPicture(stored, [-2000, -2000, -2000, -2000]);
    expect(fitting(stored, empty, brain, region('box', [0, 0, 1, 1]))).toBe(false);
  });
});
