// The fake desk for a browser: the address chooses what it holds (?cases=100000&open&role=reader&fail=io).
import type { Backend } from './client';
import { fakeBackend } from './fake';

/** fakeFromAddress makes a fake desk as the page's address asks. */
export const fakeFromAddress = (search = window.location.search): Backend => {
  const asked = new URLSearchParams(search);
  const failing = asked.get('fail');
  return fakeBackend({
    cases: Number(asked.get('cases')) || undefined,
    problems: Number(asked.get('problems')) || undefined,
    open: asked.has('open'),
    left: asked.has('left'),
    hidden: asked.has('hidden'),
    role: asked.get('role') ?? undefined,
    images: Number(asked.get('images')) || undefined,
    overlays: asked.has('overlays'),
    training: Number(asked.get('training')) || undefined,
    changed: Number(asked.get('changed')) || undefined,
    fail: (act) =>
      failing && act !== 'look'
        ? { kind: failing, op: act, of: '', text: `${act}: no space left on device` }
        : undefined,
    pause: (ms) => new Promise((done) => setTimeout(done, ms)),
  });
};
