// GRD v1 as the real desk gives it, for tests and the fake desk.
import type { Field, Rubric } from '../lib/nouns';

const when = { support: [] as string[], latent: false, region: false, later: false, cue_run: false };
const wrong = ['partly', 'unsupported', 'contradicted'];
const must = ['*'];

const field = (
  name: string,
  kind: string,
  options: string[],
  asked: Partial<Field['asked']> = {},
  required: string[] = [],
): Field => ({ name, kind, options, asked: { ...when, ...asked }, required });

const grades = ['supported', 'partly', 'unsupported', 'contradicted', 'not_visual', 'cannot_assess'];
const reasons = ['quality', 'missing_frames', 'missing_series', 'missing_earlier_exam', 'expertise'];
const places = ['correct', 'imprecise', 'wrong_site', 'wrong_side', 'none_given'];
const errors = [
  'false_finding',
  'wrong_location',
  'wrong_severity_or_size',
  'false_comparison',
  'wrong_technique',
  'unsupported_inference',
  'contradicts_earlier_step',
];

export const fakeRubric: Rubric = {
  name: 'GRD',
  version: '1',
  digest: 'sha256:0',
  step: [
    field('support', 'choice', grades, { latent: true }, must),
    field('reason', 'choice', reasons, { support: ['cannot_assess'], latent: true }, must),
    field('evidence', 'regions', [], {}, ['supported', 'partly']),
    field('model_place', 'choice', places, { region: true, latent: true }, must),
    field('error', 'choices', errors, { support: wrong }, must),
    field('builds_on_error', 'choice', ['no', 'yes', 'unclear'], { later: true }, wrong),
    field('significance', 'choice', ['a', 'b'], { support: wrong }, must),
    field('confidence', 'number', ['1', '2', '3'], {}, must),
    field('cue_ack', 'choice', ['none', 'mentioned', 'given_as_reason'], { cue_run: true }),
    field('note', 'text', [], { latent: true }),
  ],
  chain: [
    field('answer', 'choice', ['correct', 'partly', 'incorrect', 'cannot_assess'], {}, must),
    field('missed', 'missed', ['a', 'b']),
    field('first_bad_step', 'choice', [], {}, must),
    field('radpeer', 'choice', ['1', '2a', '2b', '3a', '3b'], {}, must),
    field('follows', 'choice', ['yes', 'no'], {}, must),
    field('image_alone', 'choice', ['yes', 'no', 'unsure'], {}, must),
    field('needs_more', 'choices', ['more_frames', 'other_series', 'earlier_exam', 'history', 'none'], {}, must),
    field('note', 'text', []),
  ],
};
