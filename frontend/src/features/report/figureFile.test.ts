import { describe, expect, it } from 'vitest';
import { csvOf, fileOf } from './figureFile';

describe('a figure as a file', () => {
  it('quotes what must be quoted, and takes no word for a formula', () => {
    expect(
      csvOf(['model', 'value'], [{ cells: ['a,"b"', 0.5] }, { cells: ['=1+1', -0.25] }, { cells: ['-x', '−.25'] }]),
    ).toBe('model,value\r\n"a,""b""",0.5\r\n\'=1+1,-0.25\r\n\'-x,−.25\r\n');
  });
  it('names the file after the title', () =>
    expect(fileOf('Right × grounded, by readers')).toBe('right-grounded-by-readers'));
});
