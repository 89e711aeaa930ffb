import { expect, test } from 'vitest';
import { keyOf, newProfile, profileOf, profileText } from './profile';

test('what the form does not show stays in the file', () => {
  const text =
    '{"schema":"plumbline.profile/1","name":"a","base_url":"u","model":"m","key":{},"extra":{"top_k":0},"timeouts":{"idle":5}}';
  const p = profileOf(text);
  expect(p).toBeDefined();
  if (!p) return;
  const again = JSON.parse(profileText({ ...p, model: 'n', temperature: 0, boxes: { space: '' } }));
  expect(again).toMatchObject({ model: 'n', extra: { top_k: 0 }, timeouts: { idle: 5 }, boxes: {} });
  expect('temperature' in again).toBe(false);
});

test.each(['', '[]', 'null', '{', '3'])('%j is no profile', (text) => expect(profileOf(text)).toBeUndefined());

test('a profile with fields of other kinds is read as far as it goes', () => {
  expect(profileOf('{"name":3,"key":"x","image":null}')).toMatchObject({ name: '', key: {}, image: {} });
});

test('where a key lies', () => {
  expect(keyOf(newProfile())).toBe('none');
  expect(keyOf('{"key":{"env":"KEY"}}')).toBe('env');
  expect(keyOf('{"key":{"keyring":"a"}}')).toBe('keyring');
});
