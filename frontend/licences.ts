// What the page is made of, for About: read from the packages themselves when the page is built.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** PageLicence is one package that the page is made of; licence is an SPDX expression, or what the package says instead. */
export interface PageLicence {
  name: string;
  version: string;
  licence: string;
}

// Old packages list their licences, each with its type.
interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
}

const licenceOf = ({ license, licenses }: Manifest): string =>
  (typeof license === 'string' ? license : license?.type) ||
  licenses?.map((l) => l.type).join(' OR ') ||
  'see its source';

/** pageLicences reads every package of the lock file under root that is not for development alone, in order of name. */
export const pageLicences = (root: string): PageLicence[] => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages: [string, { dev?: boolean }][] = Object.entries(lock.packages);
  const found = packages
    .filter(([path, entry]) => path !== '' && !entry.dev)
    .map(([path]) => join(root, path, 'package.json'))
    .filter((manifest) => existsSync(manifest)) // optional ones may be missing
    .map((manifest): PageLicence => {
      const read: Manifest = JSON.parse(readFileSync(manifest, 'utf8'));
      return { name: read.name, version: read.version, licence: licenceOf(read) };
    });
  return found.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
};

const file = 'licences.json';

/** licences gives the page licences.json. */
export const licences = (root: string): Plugin => ({
  name: 'licences',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: file, source: JSON.stringify(pageLicences(root)) });
  },
  configureServer: (server) =>
    void server.middlewares.use(`/${file}`, (_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(pageLicences(root)));
    }),
});
