// An archive on the fake desk: it wants the name "reader" with the password "open sesame", on every host but this machine.
import type { ArchiveAsk, Imported } from '../lib/nouns';
import type { Backend, Trouble } from './client';

type Acts = Pick<Backend, 'archive' | 'findStudies' | 'fetchStudies'>;

const studies = Array.from({ length: 53 }, (_, i) => ({
  uid: `1.2.840.9.${i + 1}`,
  date: `2026-0${(i % 6) + 1}-1${i % 9}`,
  patient: `P-${String(400 + i)}`,
  description: ['CT thorax', 'MR brain, follow-up after therapy', '', 'XR chest two views'][i % 4] as string,
  modalities: [['CT'], ['MR', 'SR'], ['US'], ['DX']][i % 4] as string[],
  series: 1 + (i % 4),
  instances: [312, 1204, 0, 2][i % 4] as number,
}));

const hostOf = (address: string) => {
  const u = URL.canParse(address) ? new URL(address) : undefined;
  if (!u || u.pathname.includes('..')) {
    const text = `read address ${address}: no address of a server; as http://host:8042/dicom-web expected`;
    throw { kind: 'usage', op: 'read address', of: address, text } satisfies Trouble;
  }
  return u.hostname;
};

const check = ({ address, agreed, login }: ArchiveAsk) => {
  const host = hostOf(address);
  const trouble: Trouble = { kind: 'refused', op: 'ask archive', of: address, text: '' };
  if (host === '127.0.0.1') return;
  if (agreed !== host) throw { ...trouble, text: `${host} would be contacted: agree to that` };
  if (login.by === '') throw { ...trouble, text: `find studies ${address}: the server wants a login` };
  if (login.by !== 'kept' && login.secret !== 'open sesame')
    throw { ...trouble, text: `find studies ${address}: the server does not know this login` };
};

/** fakeArchive is the part of the fake desk that asks archives; imported is what a fetch ends with. */
export const fakeArchive = (imported: (path: string) => Promise<Imported>): Acts => ({
  archive: async (address) => {
    const host = hostOf(address);
    const [root, study] = address.split('/studies/');
    const reach =
      host === '127.0.0.1' ? 'loopback' : /^10\./.test(host) ? 'private' : /^[\d.]+$/.test(host) ? 'public' : '';
    return { address: root ?? '', host, reach, plain: address.startsWith('http:'), study: study ?? '' };
  },
  findStudies: async (ask, wanted) => {
    check(ask);
    const found = studies.filter(
      (s) => s.patient.includes(wanted.patient) && (!wanted.modality || s.modalities.includes(wanted.modality)),
    );
    return { studies: found.slice(wanted.skip, wanted.skip + 50), more: found.length > wanted.skip + 50, note: '' };
  },
  fetchStudies: async (ask) => {
    check(ask);
    return imported('archive');
  },
});
