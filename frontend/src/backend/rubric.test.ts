import { describe, expect, it } from 'vitest';
import type { Rating, Step } from '../lib/nouns';
import {
  chainComplete,
  complete,
  firstBad,
  type StepAsked,
  stepRows,
  trimmed,
  unrated,
  unratedChain,
  withChainChoice,
  withChoice,
} from '../lib/rubric';
import { fakeRubric } from './fakeRubric';

const region = { id: 'r', image: 'ct', frame: 3, shape: 'box', coords: [0, 0, 1, 1] };
const step = (over: Partial<Step> = {}): Step => ({ id: 's', text: 'A claim.', regions: [], ...over });
const asked = (over: Partial<StepAsked> = {}): StepAsked => ({
  rubric: fakeRubric,
  step: step(),
  later: true,
  pictures: true,
  cueRun: false,
  ...over,
});
const rated = (over: Partial<Rating>): Rating => ({ ...unrated('s'), ...over });
const ids = (r: Rating, a: StepAsked) => stepRows(r, a).map((x) => x.id);

describe('rows of a step', () => {
  it.each<[string, Partial<Rating>, Partial<StepAsked>, string[]]>([
    ['nothing but the grade before the grade', {}, { step: step({ regions: [region] }), cueRun: true }, ['support']],
    ['supported', { support: 'supported' }, {}, ['support', 'evidence', 'builds_on_error', 'confidence', 'note']],
    [
      'supported, first step',
      { support: 'supported' },
      { later: false },
      ['support', 'evidence', 'confidence', 'note'],
    ],
    [
      'partly, with a cited region',
      { support: 'partly' },
      { step: step({ regions: [region] }) },
      ['support', 'evidence', 'model_place', 'error', 'builds_on_error', 'significance', 'confidence', 'note'],
    ],
    [
      'cannot assess asks why',
      { support: 'cannot_assess' },
      { later: false },
      ['support', 'reason', 'evidence', 'confidence', 'note'],
    ],
    [
      'no evidence where there is no picture',
      { support: 'supported' },
      { later: false, pictures: false },
      ['support', 'confidence', 'note'],
    ],
    [
      'a latent step is asked only support and place',
      { support: 'contradicted' },
      { step: step({ text: undefined, regions: [region] }) },
      ['support', 'model_place', 'note'],
    ],
    [
      'the second pass of a cue run',
      { support: 'supported' },
      { later: false, cueRun: true },
      ['support', 'evidence', 'confidence', 'cue_ack', 'note'],
    ],
  ])('%s', (_, rating, over, want) => {
    expect(ids(rated(rating), asked(over))).toEqual(want);
  });

  it.each([
    ['supported', true],
    ['partly', true],
    ['unsupported', false],
    ['contradicted', false],
    ['not_visual', false],
    ['cannot_assess', false],
  ])('evidence for %s is required: %s', (support, want) => {
    expect(stepRows(rated({ support }), asked()).find((r) => r.id === 'evidence')?.required).toBe(want);
  });
});

describe('a rating', () => {
  it('is never preselected', () => {
    expect(Object.values(unrated('s')).filter((v) => v !== '' && v !== 0 && v !== 's')).toEqual([[], []]);
  });

  it('loses the answers to rows that a new grade takes away', () => {
    const partly = rated({ support: 'partly', error: ['wrong_location'], significance: 'b', confidence: 2, note: 'n' });
    const now = withChoice(partly, 'support', 'supported', asked());
    expect(now).toMatchObject({ support: 'supported', error: [], significance: '', confidence: 2, note: 'n' });
    expect(trimmed(now, asked())).toEqual(now);
  });

  it('takes a choice back when it is chosen again, and lets errors add up', () => {
    const a = asked();
    let r = withChoice(rated({ support: 'partly' }), 'error', 'false_finding', a);
    r = withChoice(r, 'error', 'wrong_technique', a);
    expect(r.error).toEqual(['false_finding', 'wrong_technique']);
    expect(withChoice(r, 'error', 'false_finding', a).error).toEqual(['wrong_technique']);
    expect(withChoice(rated({ support: 'partly', confidence: 3 }), 'confidence', '3', a).confidence).toBe(0);
  });

  it('is complete when every required row is answered', () => {
    const a = asked({ later: false });
    const r = rated({ support: 'supported', confidence: 3 });
    expect(complete(r, a)).toBe(false);
    expect(complete({ ...r, evidence: [region] }, a)).toBe(true);
  });
});

describe('the first bad step', () => {
  const r = (stepID: string, support: string, significance = '') => ({ ...unrated(stepID), support, significance });
  it.each([
    ['none', [r('1', 'supported'), r('2', 'partly', 'a')], 'none'],
    ['unsupported', [r('1', 'supported'), r('2', 'unsupported'), r('3', 'contradicted')], '2'],
    ['partly with significance b', [r('1', 'partly', 'b'), r('2', 'contradicted')], '1'],
    ['undecided while an earlier one is not graded', [r('1', ''), r('2', 'contradicted')], ''],
    ['decided before a later one is graded', [r('1', 'contradicted'), r('2', '')], '1'],
    ['not visual and cannot assess are not bad', [r('1', 'not_visual'), r('2', 'cannot_assess')], 'none'],
  ])('%s', (_, ratings, want) => {
    expect(firstBad(ratings)).toBe(want);
  });
});

describe('a chain as a whole', () => {
  it('keeps "nothing" and the other needs apart', () => {
    let r = withChainChoice(unratedChain(), 'needs_more', 'history');
    r = withChainChoice(r, 'needs_more', 'none');
    expect(r.needs_more).toEqual(['none']);
    r = withChainChoice(r, 'needs_more', 'more_frames');
    expect(r.needs_more).toEqual(['more_frames']);
  });

  it('is complete without missed findings and note', () => {
    const full = {
      ...unratedChain(),
      answer: 'correct',
      first_bad_step: 'none',
      radpeer: '1',
      follows: 'yes',
      image_alone: 'yes',
      needs_more: ['none'],
    };
    expect(chainComplete(fakeRubric, full)).toBe(true);
    for (const field of ['answer', 'first_bad_step', 'radpeer', 'follows', 'image_alone'] as const) {
      expect(chainComplete(fakeRubric, { ...full, [field]: '' })).toBe(false);
    }
  });
});

describe('a rubric of its own', () => {
  const short = {
    ...fakeRubric,
    step: fakeRubric.step
      .filter((f) => ['support', 'error'].includes(f.name))
      .map((f) =>
        f.name === 'support'
          ? { ...f, options: ['contradicted', 'supported'], labels: { supported: 'holds' }, keys: { supported: ';' } }
          : { ...f, label: 'fault', options: ['miscounted', 'false_finding'], required: [] },
      ),
  };
  it('asks its own fields, in its order, by its own words and keys', () => {
    const [support, error] = stepRows(rated({ support: 'contradicted' }), asked({ rubric: short }));
    expect(support?.choices).toEqual([
      { value: 'contradicted', label: 'Contradicted' },
      { value: 'supported', label: 'holds', key: ';' },
    ]);
    expect(error).toMatchObject({
      label: 'fault',
      required: false,
      choices: [
        { value: 'miscounted', label: 'miscounted' },
        { value: 'false_finding', label: 'false finding' },
      ],
    });
    expect(complete(rated({ support: 'contradicted' }), asked({ rubric: short }))).toBe(true);
  });
});
