// Studies from a real archive in the real window: Debian's Orthanc on this machine wants a login, its study is found, chosen, fetched and
// looked at; then a file changes on the disk and the window says so. Needs orthanc, orthanc-dicomweb and the shared test files.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { until, Window } from './realwin.mjs';

const { APP, PICTURES, HOME, SHARED } = process.env;
const volume = resolve(SHARED, 'dicom/volumes/ct_ge_28_jls');
const program = ['/usr/bin/Orthanc', '/usr/sbin/Orthanc'].find(existsSync);
const plugin = '/usr/share/orthanc/plugins/libOrthancDicomWeb.so';
for (const [there, what] of [
  [existsSync(volume), volume],
  [program && existsSync(plugin), 'Debian’s orthanc and orthanc-dicomweb'],
]) {
  if (there) continue;
  if (process.env.PLUMBLINE_REQUIRE_SHARED) throw new Error(`not there: ${what}`);
  console.log(`SKIP archive.e2e: needs ${what}`);
  process.exit(0);
}

/** freePort is a port of this machine that nobody listens on. */
const freePort = () =>
  new Promise((done) => {
    const s = createServer().listen(0, '127.0.0.1', () => {
      const { port } = s.address();
      s.close(() => done(port));
    });
  });

const password = 'plumb line';
const authorization = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;

/** startOrthanc starts an archive that holds the volume. */
const startOrthanc = async () => {
  const port = await freePort();
  const dir = join(HOME, 'orthanc');
  mkdirSync(dir, { recursive: true });
  const config = join(dir, 'orthanc.json');
  writeFileSync(
    config,
    JSON.stringify({
      HttpPort: port,
      RemoteAccessAllowed: false,
      AuthenticationEnabled: true,
      RegisteredUsers: { ann: password },
      DicomServerEnabled: false,
      StorageDirectory: dir,
      IndexDirectory: dir,
      Plugins: [plugin],
      DicomWeb: { Enable: true, Root: '/dicom-web/' },
    }),
  );
  const server = spawn(program, [config], { stdio: 'ignore' });
  const at = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${at}/system`, { headers: { authorization } })).ok, 'Orthanc answers');
  for (const name of readdirSync(volume)) {
    const body = readFileSync(join(volume, name));
    const sent = await fetch(`${at}/instances`, { method: 'POST', headers: { authorization }, body });
    if (!sent.ok) throw new Error(`Orthanc does not take ${name}: ${sent.status}`);
  }
  return { server, at };
};

let w;
let orthanc;
try {
  orthanc = await startOrthanc();
  const home = join(HOME, 'archive');
  w = await Window.open(APP, [], { PLUMBLINE_HOME: home });
  w.resize(1280, 800);
  w.focus();
  await w.fill('import-path', `${orthanc.at}/dicom-web`);
  w.key('Return');
  await w.see('archive');
  await w.click('archive-find');
  await until(async () => /wants a login/.test(await w.text('archive-why')), 'the archive wants a login');
  await w.click('archive-login-name');
  await w.fill('archive-user', 'ann');
  await w.fill('archive-secret', password);
  await w.click('archive-find');
  await w.see('archive-studies');
  await w.picture(join(PICTURES, '80-archive.png'));
  await w.click('archive-all');
  await w.click('archive-bring');
  await w.see('accept-notice', 60000);
  await w.click('accept-notice');
  await w.see('imported', 60000);
  await w.picture(join(PICTURES, '81-from-archive.png'));
  await w.click(await w.eval(`document.querySelector('[data-testid^="case-"]').dataset.testid`));
  await until(
    () => w.eval(`!!document.querySelector('[data-testid="viewer"]')?.dataset.painted`),
    'a picture from the archive is painted',
  );
  await w.picture(join(PICTURES, '82-archived.png'));
  await w.click('to-library');
  await w.see('cases');
  const fetched = readdirSync(join(home, 'archives'), { recursive: true }).find((f) => f.endsWith('.dcm'));
  appendFileSync(join(home, 'archives', fetched), '\0\0');
  await w.see('changed', 40000); // it looks every 20 s
  await w.picture(join(PICTURES, '83-changed.png'));
  await w.click('open-again');
  await until(async () => !(await w.exists('changed')), 'the data are open again', 30000);
  console.log('PASS studies from a real archive in the real window');
  await w.close();
} catch (e) {
  console.error('FAIL', e.message);
  await w?.lost(join(PICTURES, 'archive-failed.png'));
  process.exitCode = 1;
} finally {
  orthanc?.server.kill();
}
