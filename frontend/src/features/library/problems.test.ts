import { describe, expect, it } from 'vitest';
import { problemsText, problemsWith } from './problems';

const cut = { file: 'images/IM1.dcm', field: 'PixelData', text: 'cut short' };
const line = { file: 'cases.jsonl', line: 7, text: 'not valid JSON' };

describe('the list of problems', () => {
  it.each([
    ['', [cut, line]],
    [' PIXEL ', [cut]],
    ['json', [line]],
    ['nothing like it', []],
  ])('filtered by %j', (text, want) => expect(problemsWith([cut, line], text)).toEqual(want));

  it('goes to a spreadsheet as a line each, with empty cells where nothing is known', () => {
    expect(problemsText([cut, line])).toBe(
      'file\tline\tfield\twhat is wrong\nimages/IM1.dcm\t\tPixelData\tcut short\ncases.jsonl\t7\t\tnot valid JSON\n',
    );
  });

  it.each([
    ['a\tb\nc', 'a b c'],
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['a = b', 'a = b'],
  ])('keeps %j one harmless cell', (text, want) => {
    expect(problemsText([{ file: 'f', text }]).split('\n')[1]).toBe(`f\t\t\t${want}`);
  });
});
