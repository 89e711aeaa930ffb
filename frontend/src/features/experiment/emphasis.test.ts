import { expect, test } from 'vitest';
import type { Question } from '../../lib/nouns';
import { listed, wordsOf } from './emphasis';

const question = (text: string, ...options: string[]): Question => ({
  id: 'q',
  k: 1,
  stage: '',
  text,
  options: options.map((o, i) => ({ letter: String.fromCharCode(65 + i), text: o })),
  parents: [],
});

test('words of questions and options are offered once, short ones left out', () => {
  expect(wordsOf([question('Is there a nodule in the left lobe?', 'left lobe', 'no nodule')])).toEqual([
    'there',
    'nodule',
    'left',
    'lobe',
  ]);
  expect(wordsOf([question('肺 結節')])).toEqual(['肺', '結節']);
  expect(wordsOf([])).toEqual([]);
});

test('written words are parted by commas of any script', () => {
  expect(listed(' left base, air-fluid level ;、結節，')).toEqual(['left base', 'air-fluid level', '結節']);
  expect(listed(' , ')).toEqual([]);
});
