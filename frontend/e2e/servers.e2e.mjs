// Models behind servers in the real window: two real llama-servers with tiny models, one of which wants a key; a public host that is refused
// until somebody consents; a run that is paused and goes on; a server that is down, answers HTML, or takes no images, and then comes up.
// Without the real server's tools (PLUMBLINE_LLAMA) it is left out, unless PLUMBLINE_REQUIRE_SHARED is set. Pictures go to PICTURES.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort, needLlama, startLlama, stopLlamas } from './llama.mjs';
import { until, Window } from './realwin.mjs';

const { APP, HOME, PICTURES, PLUMB, KEYRING } = process.env;
needLlama('servers.e2e');

const secret = 'open-sesame';
const home = join(HOME, 'servers-home');
const env = { PLUMBLINE_HOME: home, E2E_MODEL_KEY: secret };
const workspace = join(HOME, 'servers-workspace');
execFileSync(PLUMB, ['--quiet', '--workspace', workspace, 'sample', join(HOME, 'servers-study'), '--open'], {
  env: { ...process.env, ...env },
});

/** faulty is a server that answers everything in one wrong way. */
const faulty = (port, status, type, body) =>
  new Promise((resolve) => {
    const s = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
    }).listen(port, '127.0.0.1', () => resolve(s));
  });
const shut = (s) => {
  s.closeAllConnections();
  return new Promise((resolve) => s.close(resolve));
};

let w;
const open = async (more = {}) => {
  w = await Window.open(APP, ['--accept-research-use', workspace], { ...env, ...more });
  w.resize(1280, 800);
  await w.see('cases', 60000);
  w.focus();
  w.key('alt+5');
  await w.see('models');
};
const save = (name) => w.picture(join(PICTURES, `servers-${name}.png`));
const card = () => w.attribute('run-card', 'data-state');
const checked = (id) => w.eval(`document.querySelector('[data-testid="${id}"]')?.checked ?? false`);
const gone = (id) => until(async () => !(await w.exists(id)), `"${id}" is gone`);

/** add makes a profile by the form; what the form does not show is put in as JSON. */
const add = async (name, url, change) => {
  await w.click('add-model');
  await w.see('profile-dialog');
  await w.fill('profile-name', name);
  await w.fill('profile-model', 'tiny');
  await w.fill('profile-url', url);
  await w.click('profile-view');
  await w.see('profile-json');
  const profile = JSON.parse(await w.eval(`document.querySelector('[data-testid="profile-json"]').value`));
  assert.equal(profile.base_url, url);
  await w.put('profile-json', JSON.stringify({ ...profile, ...change }, null, 2));
  await w.click('save-profile');
  await gone('profile-dialog');
  await w.see(`profile-${name}`);
};
/** whole checks that a dialog is not wider than its window. */
const whole = async () =>
  assert.ok(
    await w.eval(`[...document.querySelectorAll('[role="dialog"]')].every((e) => e.scrollWidth <= e.clientWidth)`),
    'the dialog is not wider than its window',
  );
const small = { image: { long_side: 64 }, max_tokens: 60, retries: 0, structured: 'grammar', timeouts: { connect: 2 } };

/** take chooses exactly one model for the next run. */
const take = async (name) => {
  for (const id of await w.eval(
    `[...document.querySelectorAll('[data-testid="models"] input:checked')].map((e) => e.dataset.testid)`,
  ))
    await w.click(id);
  await w.click(`model-${name}`);
  await until(() => checked(`model-${name}`), `${name} is chosen`);
};

try {
  const [withKey, plain, flaky] = [await freePort(), await freePort(), await freePort()];
  await Promise.all([startLlama('idefics3', withKey, '--api-key', secret), startLlama('qwen25vl', plain)]);

  // Where no keyring is to be had the message says so and offers the other way: an environment variable.
  await open({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(HOME, 'no-bus')}` });
  await add('locked', `http://127.0.0.1:${withKey}/v1`, { ...small, key: { keyring: 'locked' } });
  assert.match(await w.text('profile-locked'), /keyring of this system cannot be read.*environment variable/s);
  await w.click('key-locked');
  await w.see('key-dialog');
  await w.fill('key-secret', secret);
  w.key('Return');
  await w.see('key-by-env');
  assert.match(await w.text('key-dialog'), /keyring of this system cannot be written; take an environment variable/);
  await whole();
  await save('no-keyring');
  await w.click('key-by-env');
  await w.see('profile-key-from');
  await w.put('profile-key-from', 'env');
  await w.fill('profile-key-env', 'E2E_MODEL_KEY');
  await w.click('save-profile');
  await gone('profile-dialog');
  await w.click('probe-locked');
  await until(
    async () => /✓\s*images/.test(await w.text('profile-locked')),
    'the server that wants a key is probed',
    20000,
  );

  // A server without a key: probed, and what it can is told.
  await add('open', `http://127.0.0.1:${plain}/v1`, small);
  assert.match(await w.text('profile-open'), /this machine.*never probed/s);
  await w.click('probe-open');
  await until(async () => /✓\s*probabilities/.test(await w.text('profile-open')), 'the open server is probed', 20000);
  for (const can of ['images', 'JSON schema', 'grammar', 'probabilities', 'repeatable'])
    assert.match(await w.text('profile-open'), new RegExp(`✓\\s*${can}`));

  // A public host (an address of documentation: nobody is there) is refused until somebody consents, by name, to what is named.
  await add('far', 'https://203.0.113.7/v1', { ...small, timeouts: { connect: 1 } });
  assert.match(await w.text('profile-far'), /public host/);
  await take('far');
  await w.click('set-original');
  await until(async () => /203\.0\.113\.7.*consent/s.test(await w.attribute('start-run', 'title')), 'a run is refused');
  await w.click('start-run');
  assert.equal(await card(), '', 'nothing was begun');
  await w.click('consent-far');
  await w.see('consent-dialog');
  assert.match(await w.text('consent-dialog'), /203\.0\.113\.7.*questions, options, the patient’s card.*images/s);
  assert.equal(await w.eval(`document.querySelectorAll('[data-testid="consent-dialog"] input:checked').length`), 0);
  assert.equal(await w.attribute('consent-give', 'aria-disabled'), 'true');
  await whole();
  await save('consent');
  await w.click('consent-text');
  await w.click('consent-images');
  await w.fill('consent-by', 'Dr Ann Example');
  w.key('Return');
  await gone('consent-dialog');
  assert.match(await w.text('profile-far'), /allowed by Dr Ann Example/);
  await until(async () => (await w.attribute('start-run', 'title')) === '', 'a run may begin');
  await w.click('withdraw-far');
  await until(async () => /consent/.test(await w.attribute('start-run', 'title')), 'a consent is taken back');

  // A run of the two films, paused and gone on with.
  await take('open');
  await w.click('some-cases');
  await w.fill('filter-cases', 'case-');
  await w.put('filter-modality', 'CR');
  await w.click('take-cases');
  await w.click('set-necessity');
  await w.see('estimate-requests');
  await w.click('start-run');
  await until(async () => (await card()) === 'running', 'it runs');
  await w.click('pause-run');
  await until(async () => (await card()) === 'paused', 'it is paused');
  await save('paused');
  await w.click('pause-run');
  await until(async () => (await card()) === 'complete', 'it is complete', 40000);
  await save('complete');
  assert.equal(await w.exists('failures'), false);

  // A server that is down, then wrong, then without images, then there: failures by kind, and only what is missing is asked again.
  await add('flaky', `http://127.0.0.1:${flaky}/v1`, small);
  await take('flaky');
  await w.click('clear-conditions');
  await w.click('set-original');
  await until(async () => /original/.test(await w.text('chosen-conditions')), 'the plain condition is chosen');
  await until(async () => (await w.attribute('start-run', 'title')) === '', 'it may begin');
  await w.click('start-run');
  const failedWith = async (kind, what) => {
    await until(async () => (await card()) === 'ended', `it ends: ${what}`, 20000);
    await until(async () => kind.test(await w.text('failures')), what);
    await save(`failed-${what.replaceAll(' ', '-')}`);
  };
  await failedWith(/busy or out of reach/, 'nobody is there');
  const wrong = [
    [
      200,
      'text/html',
      '<html><body>Welcome to the hospital’s proxy</body></html>',
      /no answer in this protocol/,
      'HTML',
    ],
    [
      500,
      'application/json',
      JSON.stringify({ error: { code: 500, message: 'image input is not supported - hint: provide the mmproj' } }),
      /does not take the request/,
      'no images',
    ],
  ];
  for (const [status, type, body, kind, what] of wrong) {
    const server = await faulty(flaky, status, type, body);
    await w.click('go-on');
    await until(async () => kind.test(await w.text('failures')), `${what} is told by its kind`, 20000);
    await failedWith(kind, what);
    await shut(server);
  }
  await startLlama('qwen25vl', flaky);
  await w.click('go-on');
  await until(async () => (await card()) === 'complete', 'with the server there it is complete', 30000);
  assert.match(await w.text('run-done'), /2 of 2/);

  // Removed: the profile goes, the run stays.
  await w.click('remove-flaky');
  await w.see('remove-dialog');
  await w.click('remove-yes');
  await gone('profile-flaky');
  await w.click('tab-runs');
  await w.see('past-runs');
  assert.match(await w.text('past-runs'), /flaky/);
  await w.close();

  // With a keyring the key is kept there, is nowhere in the workspace, and goes when it is taken out.
  if (KEYRING) {
    await open();
    await add('kept', `http://127.0.0.1:${withKey}/v1`, { ...small, key: { keyring: 'kept' } });
    assert.match(await w.text('profile-kept'), /keyring has no key of this name/);
    await w.click('key-kept');
    await w.fill('key-secret', secret);
    w.key('Return');
    await gone('key-dialog');
    await until(async () => !/keyring/.test(await w.text('profile-kept')), 'the key is found');
    await w.click('probe-kept');
    await until(async () => /✓\s*images/.test(await w.text('profile-kept')), 'the key is taken', 20000);
    await save('keyring');
    await w.click('remove-kept');
    await w.click('remove-yes');
    await gone('profile-kept');
    await w.close();
    const found = execFileSync('sh', ['-c', `grep -rl ${secret} "${workspace}" "${home}" || true`], {
      encoding: 'utf8',
    });
    assert.equal(found, '', 'the key lies in no file of ours');
  } else console.log('servers.e2e: no keyring service here: only its absence was tried');
  console.log('servers.e2e: keys, probes, consent, a pause, and a server that was down, wrong, and there again');
} catch (e) {
  await w?.lost(join(PICTURES, 'servers-failed.png'));
  throw e;
} finally {
  stopLlamas();
}
