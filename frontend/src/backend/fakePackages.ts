// Packages on the fake desk: one reader has been given work and sent answers from two laptops, which differ in one step.
import type { Packages } from '../lib/nouns';
import type { Backend, Trouble } from './client';

type Acts = Pick<Backend, 'packages' | 'choosePackage' | 'makeWork' | 'handBack' | 'openWork' | 'merge'>;

const ours = 'KQ4M-7TZA-2WXC-PL6N-R5VD-Y3HB';

const packages = (): Packages => ({
  fingerprint: ours,
  readers: [
    {
      reader: 'R1',
      assigned: 40,
      given: '2026-03-02T09:12:00Z',
      given_for: 40,
      machines: [
        {
          machine: 'm-5f0c2b9d41aa73e08c61',
          fingerprint: 'B7XA-92QK-LMT4-ZZ3C-H6PW-VN8E',
          taken: '2026-03-09T17:40:00Z',
          events: 1204,
        },
        {
          machine: 'm-91d47e60fb2c8a35e7d0',
          fingerprint: 'T3RE-8WLN-KC5Q-Y2VB-7HXA-M6JD',
          taken: '2026-03-08T21:05:00Z',
          events: 310,
        },
      ],
    },
    { reader: 'R2', assigned: 44, given: '2026-03-02T09:14:00Z', given_for: 40, machines: [] },
    { reader: 'R3', assigned: 0, given: '', given_for: 0, machines: [] },
  ],
  conflicts: [
    {
      reader: 'R1',
      assignment: 'a-1',
      case: 'C-03',
      kind: 'rating',
      chain: 'c-17',
      part: 's2',
      versions: [
        {
          event: '01',
          machine: 'm-91d47e60fb2c8a35e7d0',
          at: '2026-03-07T18:21:00Z',
          counts: false,
          body: { rating: { ...rated, support: 'partly' } },
        },
        {
          event: '02',
          machine: 'm-5f0c2b9d41aa73e08c61',
          at: '2026-03-08T08:02:00Z',
          counts: true,
          body: { rating: { ...rated, support: 'contradicted' } },
        },
      ],
    },
  ],
});

const rated = {
  step: 's2',
  support: '',
  reason: '',
  evidence: [],
  model_place: '',
  error: [],
  builds_on_error: '',
  significance: '',
  confidence: 2,
  cue_ack: '',
  note: '',
};

// A package with this passphrase is signed by another key than before.
const otherKey = { passphrase: 'another key', fingerprint: 'JX2M-QQ7L-RT4V-22WE-PZ6N-C5HD' };

const needsPassphrase = (passphrase: string) => {
  const trouble: Trouble = { kind: 'refused', op: 'open bundle', of: '', text: '' };
  if (passphrase === '') throw { ...trouble, text: 'it is locked with a passphrase, and none was given' };
  if (passphrase !== 'open sesame') throw { ...trouble, text: 'the passphrase is not the one it was locked with' };
};

/** fakePackages is the part of the fake desk that makes and opens packages; its passphrase is "open sesame". */
export const fakePackages = (): Acts => ({
  packages: async () => packages(),
  choosePackage: async () => '/home/ann/answers-R1.plumb',
  makeWork: async (_title, reader) => ({
    path: `/home/ann/work-${reader}.plumb`,
    reader,
    reads: 40,
    training: 2,
    images: 42,
    frames: 1920,
    events: 43,
    fingerprint: ours,
    problems: [],
  }),
  handBack: async () => ({
    path: '/home/ann/answers-R1.plumb',
    reader: 'R1',
    reads: 0,
    training: 0,
    images: 0,
    frames: 0,
    events: 1204,
    fingerprint: 'B7XA-92QK-LMT4-ZZ3C-H6PW-VN8E',
    problems: [],
  }),
  openWork: async (_path, passphrase) => {
    needsPassphrase(passphrase);
    return {
      workspace: '/home/ann/work',
      reader: 'R1',
      fingerprint: ours,
      first: true,
      new: 40,
      kept: 0,
      events_new: 43,
      problems: [],
    };
  },
  merge: async (_path, passphrase, trust) => {
    if (passphrase !== otherKey.passphrase) needsPassphrase(passphrase);
    else if (trust !== otherKey.fingerprint) {
      const text = `reader R1 signed with key B7XA-92QK-LMT4-ZZ3C-H6PW-VN8E before, and this package is signed with ${otherKey.fingerprint}: ask the reader, and name the new key if it is theirs`;
      throw { kind: 'refused', op: 'take back', of: '', text };
    }
    return {
      reader: 'R1',
      machine: 'm-5f0c2b9d41aa73e08c61',
      created: '2026-03-09T17:40:00Z',
      fingerprint: 'B7XA-92QK-LMT4-ZZ3C-H6PW-VN8E',
      first: true,
      events_new: 118,
      events_known: 1086,
      conflicts: packages().conflicts,
      notices: [],
    };
  },
});
