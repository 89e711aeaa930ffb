// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { greyer } from './grey';
import { testFrame, testPicture } from './testFrame';
import {
  ctPresets,
  dragged,
  dragLaw,
  fileWindows,
  firstOfFile,
  leastWidth,
  presetsOf,
  resolve,
  spanning,
  windowText,
} from './windows';

const a = { center: 450, width: 790, explanation: 'A' };
const b = { center: 200, width: 443, explanation: 'B' };

describe('the window of a frame', () => {
  it('is the first of the file, and each other can be chosen (D10)', () => {
    const frame = testFrame({ windows: [a, b] });
    const picture = testPicture(frame, [0, 4095]);
    expect(resolve(frame, picture, firstOfFile)).toMatchObject(a);
    expect(resolve(frame, picture, { kind: 'file', index: 1 })).toMatchObject(b);
    expect(fileWindows(frame)).toEqual(['A', 'B']);
  });

  it('differs from frame to frame while it is the file’s, and not once it is the reader’s (D08)', () => {
    const [one, two] = [testFrame({ windows: [a] }), testFrame({ windows: [b] })];
    const picture = testPicture(one, [0, 9]);
    expect([one, two].map((f) => resolve(f, picture, firstOfFile).width)).toEqual([790, 443]);
    const own = { kind: 'own', center: 1, width: 2, name: '' } as const;
    expect([one, two].map((f) => resolve(f, picture, own).width)).toEqual([2, 2]);
  });

  it('falls back to the first where this frame has not that many', () => {
    const frame = testFrame({ windows: [a] });
    expect(resolve(frame, testPicture(frame, [0]), { kind: 'file', index: 3 })).toMatchObject(a);
  });

  // I02: D11: the window is made of the values.
  it('spans the values where the file has none or a useless one, and says so (D11, I02)', () => {
    for (const windows of [[], [{ center: 5, width: 0, explanation: '' }]]) {
      const frame = testFrame({ windows });
      const shown = resolve(frame, testPicture(frame, [100, 1100]), firstOfFile);
      expect(shown).toMatchObject({ center: 600.5, width: 1001, computed: true });
      expect(windowText(shown)).toBe('W 1001 L 600.5 window computed');
    }
  });

  it('computed for one frame widens to span the next, blank ones included', () => {
    const frame = testFrame();
    const of = (...values: number[]) => resolve(frame, testPicture(frame, values), firstOfFile);
    const both = spanning(spanning(of(0, 0), of(100, 300)), of(50, 200));
    expect(both).toMatchObject({ center: 150.5, width: 301, computed: true });
    const grey = greyer(both.grading);
    expect([grey(0), grey(300)]).toEqual([0, 255]);
  });

  it('is a table of the file after its windows', () => {
    const lut = { first: 10, bits: 8, data: [0, 128, 255, 255], explanation: 'soft' };
    const frame = testFrame({ windows: [a], voi_luts: [lut] });
    const picture = testPicture(frame, [0, 20]);
    expect(resolve(frame, picture, { kind: 'file', index: 1 })).toMatchObject({
      explanation: 'soft',
      center: 12,
      width: 4,
      grading: { kind: 'lut' },
    });
    expect(resolve(testFrame({ voi_luts: [lut] }), picture, firstOfFile).grading.kind).toBe('lut');
    expect(fileWindows(frame)).toEqual(['A', 'soft']);
  });
});

describe('presets', () => {
  it('are for CT in HU only', () => {
    expect(presetsOf('CT', testFrame({ unit: 'HU' }))).toBe(ctPresets);
    expect(presetsOf('CT', testFrame({ unit: '' }))).toEqual([]);
    expect(presetsOf('MR', testFrame({ unit: 'HU' }))).toEqual([]);
    expect(ctPresets.map((p) => `${p.explanation} ${p.width}/${p.center}`).join(', ')).toBe(
      'brain 80/40, subdural 200/75, stroke 40/40, lung 1500/-600, mediastinum 400/40, abdomen 350/50, liver 150/90, bone 2000/500',
    );
  });
});

describe('dragging', () => {
  const frame = testFrame({ intercept: -1024 });
  const picture = testPicture(frame, [0, 3000]);

  it('right widens, down raises the centre', () => {
    const start = { center: 40, width: 400, explanation: '' };
    expect(dragged(start, dragLaw(frame, picture, start), 100, 50)).toEqual({
      kind: 'own',
      center: 120,
      width: 560,
      name: '',
    });
  });

  // D13: the picture never flips.
  it('far left stops at a width of 1 (D13)', () => {
    const start = { center: 40, width: 50, explanation: '' };
    expect(dragged(start, dragLaw(frame, picture, start), -5000, 0).width).toBe(1);
  });

  it('stops where there is nothing more to see, but never shrinks a window of the file', () => {
    const start = { center: 40, width: 400, explanation: '' };
    expect(dragged(start, dragLaw(frame, picture, start), 1e6, 1e6)).toMatchObject({ width: 6000, center: 3476 });
    const wide = { center: 9999, width: 30000, explanation: '' };
    expect(dragged(wide, dragLaw(frame, picture, wide), 0, 0)).toMatchObject({ width: 30000, center: 9999 });
  });

  it('on fractions goes under 1 but never to 0', () => {
    const fraction = testFrame({ float: true });
    const values = testPicture(fraction, [0, 1], 'float32');
    const start = { center: 0.5, width: 1, explanation: '' };
    const { width } = dragged(start, dragLaw(fraction, values, start), -9999, 0);
    expect(width).toBe(leastWidth(fraction, values));
    expect(width).toBeCloseTo(0.001, 9);
  });

  it('gets out of a width of 1 again, and moves on a picture of one value', () => {
    const start = { center: 7, width: 1, explanation: '' };
    expect(dragLaw(frame, picture, start).rate).toBeGreaterThan(0.5);
    const flat = testPicture(frame, [7, 7]);
    expect(dragLaw(frame, flat, start).rate).toBeGreaterThan(0);
  });
});

it('a window is said with a true minus and its name', () => {
  expect(windowText({ center: -600, width: 1500, explanation: 'lung' })).toBe('W 1500 L −600 lung');
  expect(windowText({ center: 0.1 + 0.2, width: 1, explanation: '' })).toBe('W 1 L 0.3');
});
