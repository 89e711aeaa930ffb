// What the screens say of packages: a part of the catalogue (texts.ts).
import { n } from './counted';

export const packageTexts = {
  packages: {
    merge: 'Take back answers…',
    mergeTitle: 'Package of answers to take back',
    note: 'Any order, any number of times: what is here already changes nothing.',
    ours: 'What goes out is signed with the key',
    compare: 'Tell it to readers by telephone: their program shows it when a first package is opened.',
    columns: { reader: 'reader', assigned: 'reads', given: 'last package made', back: 'came back', make: 'package' },
    make: 'Make package…',
    makeTitle: (reader: string) => `Package for reader ${reader}`,
    makeNote:
      'All reads of this reader: images without names, chains without what the protocol hides. Choose a passphrase and tell it by another way than the package.',
    nobody: 'The protocol names no readers yet.',
    nothingAssigned: 'nothing is assigned to this reader yet',
    more: (reads: number) => `${n(reads, 'read')} since`,
    events: (count: number) => n(count, 'event'),
    machineKey: (machine: string, fingerprint: string) => `${machine}, key ${fingerprint}`,
    made: (path: string, reads: number, training: number, frames: number) =>
      `${path}: ${n(reads, 'read')}, ${n(training, 'training case')}, ${n(frames, 'frame')}.`,
    unshown: (count: number) => `${n(count, 'image')} cannot be shown, here as there.`,
    merged: (reader: string, fresh: number, known: number) =>
      `Reader ${reader}: ${n(fresh, 'event')} new, ${known.toLocaleString('en')} known before.`,
    firstKey: (reader: string, fingerprint: string) =>
      `The first package of this machine; its key is ${fingerprint}. From now on only this key is accepted for it: compare it with what reader ${reader} tells you.`,
    acceptKey: (fingerprint: string) => `It is theirs: accept ${fingerprint.slice(0, 9)}…`,
    accepted: 'Accepted: take the package back once more.',
    conflicts: (count: number) => `${n(count, 'answer')} said in two ways`,
    conflictsNote:
      'Said on two machines by the same reader, neither knowing of the other. Both are kept. The reader settles it by saying it anew on each machine; until then the later one counts.',
    counts: 'counts for now',
    elsewhere: 'differs in details',
    kinds: { look: 'own answer', rating: 'step', 'chain-rating': 'chain', 'own-answer': 'correction' },
    open: 'Open',
    openWay: 'Open package…',
    openNote: 'What a coordinator sent you, with the passphrase you were told. No network is needed.',
    openTitle: 'Package of work to open',
    opened: (reader: string, fresh: number, kept: number) =>
      `Work of reader ${reader}: ${n(fresh, 'new case')}${kept ? `, ${kept.toLocaleString('en')} here before` : ''}.`,
    theirKey: (fingerprint: string) =>
      `The coordinator's key is ${fingerprint}. From now on only this key is accepted: compare it with what the coordinator told you.`,
    handBack: 'Hand back…',
    handBackTitle: 'Package of answers for the coordinator',
    handedBack: (path: string, events: number) =>
      `${path} holds ${n(events, 'event')}, locked for the coordinator: send it any way you like.`,
    yourKey: (fingerprint: string) => `Your key is ${fingerprint}: the coordinator may ask for it.`,
    lockedNote: 'It is locked with a passphrase, which you were told by another way than the package.',
    passphrase: 'Passphrase',
    show: 'show',
    wrong: 'That is not the passphrase it was locked with.',
    least: (count: number) => (count > 1 ? `at least ${count} characters` : 'a passphrase is needed'),
    working: 'Working…',
    going: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  },
};
