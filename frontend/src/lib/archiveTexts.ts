// What the screens say of archives that speak DICOMweb and of files that change: a part of the catalogue (texts.ts).
import { n } from './counted';

export const archiveTexts = {
  changed: {
    said: (count: number, first: string) =>
      count === 1 && first
        ? `${first} changed on the disk since the data were opened.`
        : `${n(count, 'file')} changed on the disk since the data were opened${first ? `, ${first} first` : ''}.`,
    again: 'Open the data again',
    opening: 'Opening…',
  },
  archive: {
    title: 'Studies from an archive',
    reading: 'Reading the address…',
    oneStudy: 'The address names one study.',
    here: 'This machine.',
    consent: (host: string) => `Contact ${host}`,
    reach: {
      loopback: '',
      private: (host: string) => `${host} is on a private network.`,
      public: (host: string) => `${host} is a public host.`,
      name: (host: string) => `Where ${host} leads is looked up once you agree.`,
    },
    learns:
      'It learns this machine’s address, what is searched for, and which images are fetched. No image and no answer goes there.',
    plain: 'The address is not https: what goes over the network can be read on the way.',
    login: 'Login',
    logins: { '': 'none', name: 'name and password', token: 'token', kept: 'kept on this machine' },
    user: 'Name',
    password: 'Password',
    token: 'Token',
    keep: 'Keep it in the keyring of this machine',
    patient: 'Patient number',
    modality: 'Modality',
    from: 'From',
    to: 'To',
    hints: { patient: '', modality: 'CT', from: '2026-01-31', to: '' },
    find: 'Find studies',
    finding: 'Asking the archive…',
    more: 'More',
    none: 'The archive has no study like this.',
    found: (count: number, more: boolean) =>
      more ? `the first ${n(count, 'study', 'studies')}` : n(count, 'study', 'studies'),
    columns: {
      date: 'date',
      modality: 'modality',
      patient: 'patient number',
      description: 'description',
      images: 'images',
    },
    choose: (what: string) => `Choose ${what}`,
    all: 'Choose all that are shown',
    unnamed: 'without a description',
    bring: (count: number) => (count === 0 ? 'Bring in' : `Bring in ${n(count, 'study', 'studies')}`),
    agreeFirst: (host: string) => `Agree that ${host} is contacted`,
    chooseFirst: 'Choose a study',
    loginFirst: 'The login is not complete',
  },
};
