import { describe, expect, it } from 'vitest';
import { blocksOf, spansOf, visible } from './plainText';

describe('a line', () => {
  it.each([
    ['plain', [['plain', 'plain']]],
    [
      'a **b** c',
      [
        ['a ', 'plain'],
        ['b', 'strong'],
        [' c', 'plain'],
      ],
    ],
    [
      '*x* `y`',
      [
        ['x', 'em'],
        [' ', 'plain'],
        ['y', 'code'],
      ],
    ],
    ['2 * 3 * 4', [['2 * 3 * 4', 'plain']]],
    ['`open', [['`open', 'plain']]],
    ['**', [['**', 'plain']]],
    ['[a](javascript:alert(1))', [['[a](javascript:alert(1))', 'plain']]],
  ])('%s', (line, want) => {
    expect(spansOf(line).map((s) => [s.text, s.mark])).toEqual(want);
  });
});

describe('a text', () => {
  it('becomes paragraphs and points', () => {
    expect(blocksOf('One\n\n- two\n3. three').map((b) => b.kind)).toEqual(['paragraph', 'point', 'point']);
  });

  it('loses no letter of what was written, but for the marks', () => {
    const text = '日本語 and **العربية** & <b>x</b>';
    expect(
      blocksOf(text)[0]
        ?.spans.map((s) => s.text)
        .join(''),
    ).toBe('日本語 and العربية & <b>x</b>');
  });

  it('shows controls that would turn its direction', () => {
    expect(visible('right\u202Etfel')).toBe('right⟨U+202E⟩tfel');
    expect(visible('a\u0000b')).toBe('a⟨U+0000⟩b');
  });

  it('is read in a time that grows with its length alone', () => {
    const text = '*`'.repeat(40_000);
    expect(
      blocksOf(text)[0]
        ?.spans.map((s) => s.text.length)
        .reduce((a, b) => a + b, 0),
    ).toBeGreaterThan(0);
  });
});
