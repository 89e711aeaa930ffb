import { expect, test } from 'vitest';
import { idsOf, problemAt, protocolOf, protocolText } from './protocol';

test('a protocol survives being written and read', () => {
  const text = '{\n  "name": "x",\n  "training": [\n    "case 7"\n  ]\n}\n';
  const p = protocolOf(text);
  expect(p && protocolText(p)).toBe(text);
  expect(protocolOf('')).toBeUndefined();
});

test('case ids stand one a line and may hold spaces', () => {
  expect(idsOf(' case 7 \n\nC-8\n')).toEqual(['case 7', 'C-8']);
});

test('a problem is found at its field alone', () => {
  const problems = [{ file: '', line: 3, field: 'readers[1].code', text: 'no' }];
  expect([problemAt(problems, 'readers[1].code'), problemAt(problems, 'readers')]).toEqual(['no', '']);
});
