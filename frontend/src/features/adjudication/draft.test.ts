// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { fakeAdjudication } from '../../backend/fakeAdjudication';
import { fakeRubric } from '../../backend/fakeRubric';
import type { DisagreementView } from '../../lib/nouns';
import { withChoice } from '../../lib/rubric';
import { agreed, askedOf, emptyDraft, finalOf, needs, rowsOf, valuesOf, withEvidence } from './draft';

const open = async (kind: string): Promise<DisagreementView> => {
  const desk = fakeAdjudication(() => true);
  const { items } = await desk.disagreements();
  return desk.openDisagreement(items.find((i) => i.kinds.includes(kind))?.id ?? '');
};
const ids = (view: DisagreementView, draft = emptyDraft(view)) => rowsOf(view, fakeRubric, draft).map((r) => r.id);

describe('what an adjudicator is asked', () => {
  it('is the grade first, and then what it asks for, but for what all reads say alike', async () => {
    const view = await open('support');
    const draft = emptyDraft(view);
    expect(ids(view)).toEqual(['support']);
    expect(needs(view, fakeRubric, draft)).toEqual(['support', 'a reason']);
    const asked = askedOf(view, fakeRubric);
    if (!asked) throw new Error('a step expected');
    const bad = { ...draft, rating: withChoice(draft.rating, 'support', 'contradicted', asked), reason: 'seen' };
    expect(agreed(view, 'model_place')).toEqual(['correct']);
    expect(ids(view, bad)).toEqual(['support', 'evidence', 'error', 'builds_on_error', 'significance']);
    expect(needs(view, fakeRubric, bad)).toEqual(['what is wrong', 'builds on error', 'matters']);
    const good = { ...draft, rating: withChoice(draft.rating, 'support', 'supported', asked), reason: 'seen' };
    expect(ids(view, good)).toEqual(['support', 'evidence', 'builds_on_error']);
    expect(needs(view, fakeRubric, good)).toEqual(['evidence']);
    const marked = { ...good, evidence: withEvidence([], 'read-1', view.unnamed[0]?.rating?.evidence ?? []) };
    expect(needs(view, fakeRubric, marked)).toEqual([]);
    expect(finalOf(view, fakeRubric, marked).rating).toMatchObject({
      support: 'supported',
      error: [],
      significance: '',
    });
  });

  it('is only the disputed row where the grade is the same', async () => {
    const view = await open('place');
    expect(ids(view)).toEqual(['evidence', 'model_place']);
    const value = finalOf(view, fakeRubric, {
      ...emptyDraft(view),
      rating: { ...emptyDraft(view).rating, model_place: 'correct' },
    });
    expect(value.rating?.support).toBe('partly');
  });

  it('keeps apart that nothing was said of omissions and that there are none', async () => {
    const view = await open('omission');
    const draft = { ...emptyDraft(view), reason: 'so' };
    expect(ids(view)).toEqual(['answer', 'missed', 'radpeer']);
    expect(finalOf(view, fakeRubric, draft).chain_rating).not.toHaveProperty('missed');
    expect(needs(view, fakeRubric, draft)).toContain('missed findings');
    const none = { ...draft, missed: [] };
    expect(valuesOf(view, none, 'missed')).toEqual(['none']);
    expect(finalOf(view, fakeRubric, none).chain_rating?.missed).toEqual([]);
    expect(needs(view, fakeRubric, none)).not.toContain('missed findings');
  });

  it('is an answer where readers answered a question differently', async () => {
    const view = await open('own_answer');
    expect(ids(view)).toEqual(['answer', 'evidence']);
    expect(finalOf(view, fakeRubric, { ...emptyDraft(view), answer: 'B' }).look).toMatchObject({
      question: 'q3',
      answer: 'B',
    });
  });
});

describe('evidence taken over from a read', () => {
  it('has an id of its own and goes again when it is pressed again', () => {
    const region = { id: 'm1', image: 'ct', shape: 'box', coords: [0, 0, 1, 1] };
    const one = withEvidence([], 'read-1', [region]);
    const two = withEvidence(one, 'read-2', [region]);
    expect(two.map((r) => r.id)).toEqual(['read-1-m1', 'read-2-m1']);
    expect(withEvidence(two, 'read-1', [region]).map((r) => r.id)).toEqual(['read-2-m1']);
  });
});
