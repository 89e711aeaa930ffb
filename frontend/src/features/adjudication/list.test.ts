// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { fakeAdjudication } from '../../backend/fakeAdjudication';
import { isItem, linesOf } from './List';

const list = () => fakeAdjudication(() => true).disagreements();
const heads = (lines: ReturnType<typeof linesOf>) => lines.flatMap((l) => (isItem(l) ? [] : [l.kind]));

describe('the list of disagreements', () => {
  it('has every item once, under the first of its kinds, and counts what stands under a heading', async () => {
    const all = await list();
    const lines = linesOf(all, '');
    const items = lines.filter(isItem);
    expect(items.map((i) => i.id).sort()).toEqual(all.items.map((i) => i.id).sort());
    expect(heads(lines)).toEqual(['support', 'place', 'answer', 'own_answer']);
    expect(lines[0]).toEqual({ kind: 'support', open: 2, waiting: 1, decided: 0 });
  });

  it('has with one kind all that are of it, whatever else they are', async () => {
    const lines = linesOf(await list(), 'omission');
    expect(heads(lines)).toEqual(['omission']);
    expect(lines.filter(isItem).map((i) => i.kinds[0])).toEqual(['answer', 'answer', 'answer']);
    expect(linesOf(await list(), 'origin')).toEqual([]);
  });
});
