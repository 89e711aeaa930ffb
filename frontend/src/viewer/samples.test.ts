// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { decode, modality, valueText } from './samples';
import { testFrame, testPicture } from './testFrame';

const bytes = (...b: number[]) => new Uint8Array(b).buffer;

describe('decoding a body', () => {
  const cases: [string, number[], number[]][] = [
    ['int8', [0, 1, 127, 255], [0, 1, 127, -1]],
    ['uint8', [0, 1, 127, 255], [0, 1, 127, 255]],
    ['int16', [0, 0, 1, 0, 0, 0x80, 0xff, 0xff], [0, 1, -32768, -1]],
    ['uint16', [0, 0, 1, 0, 0, 0x80, 0xff, 0xff], [0, 1, 32768, 65535]],
    ['float32', [0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0xbf, 0, 0, 0, 0x3f], [0, 1, -1, 0.5]],
  ];
  for (const [kind, body, want] of cases) {
    it(`${kind} is little-endian`, () => {
      const picture = decode(testFrame(), kind, bytes(...body));
      expect([...picture.samples]).toEqual(want);
      expect([picture.min, picture.max]).toEqual([Math.min(...want), Math.max(...want)]);
      expect(picture.color).toBe(false);
    });
  }

  it('rgb8 has three samples a pixel', () => {
    const picture = decode(testFrame({ columns: 2, samples: 3 }), 'rgb8', bytes(1, 2, 3, 4, 5, 6));
    expect(picture.color).toBe(true);
    expect([...picture.samples]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('refuses a body that does not fit, and a kind that it does not know, in words', () => {
    expect(() => decode(testFrame(), 'int16', bytes(1, 2, 3))).toThrow('3 bytes instead of 8');
    expect(() => decode(testFrame(), 'int64', bytes())).toThrow('unknown kind (int64)');
    expect(() => decode(testFrame(), null, bytes())).toThrow('none named');
  });

  it('leaves padding and what is no number out of the range of the image', () => {
    expect(testPicture(testFrame({ padding: -2000 }), [-2000, 5, 9])).toMatchObject({
      min: 5,
      max: 9,
      least: -2000,
      greatest: 9,
    });
    const range = testFrame({ padding: 10, padding_limit: 12 });
    expect(testPicture(range, [10, 11, 12, 13, 9])).toMatchObject({ min: 9, max: 13 });
    expect(
      testPicture(testFrame({ float: true }), [Number.NaN, Number.POSITIVE_INFINITY, 2, 3], 'float32'),
    ).toMatchObject({ min: 2, max: 3 });
    expect(testPicture(testFrame({ padding: 7 }), [7, 7])).toMatchObject({ min: 0, max: 0 });
  });
});

describe('modality values', () => {
  it('come from slope and intercept: D14, 1064 − 1024 is 40', () => {
    expect(modality(testFrame({ intercept: -1024 }))(1064)).toBe(40);
  });

  it('come from the modality LUT where there is one, its ends standing for what lies outside', () => {
    const value = modality(testFrame({ slope: 9, modality_lut: { first: 10, bits: 16, data: [100, 200, 300] } }));
    expect([9, 10, 11, 12, 99].map(value)).toEqual([100, 100, 200, 300, 300]);
  });

  it('are said with a true minus and no digits that mean nothing', () => {
    expect(valueText(testFrame(), -41)).toBe('−41');
    expect(valueText(testFrame({ slope: 0.1 }), 0.30000000000000004)).toBe('0.3');
    expect(valueText(testFrame({ float: true }), 1.23456789)).toBe('1.2346');
  });
});
