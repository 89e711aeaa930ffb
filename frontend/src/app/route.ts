// Where we are, as the part of the address after #.
import { useSyncExternalStore } from 'react';

export type Route =
  | { at: 'library' }
  | { at: 'case'; id: string }
  | { at: 'study' }
  | { at: 'experiment' }
  /** Chains before and after, where they are named; one chain alone stands in both places. */
  | { at: 'compare'; id?: string; before?: string; after?: string }
  | { at: 'adjudication' }
  | { at: 'report' }
  | { at: 'settings' }
  | { at: 'about' };

const screens: Route[] = [
  { at: 'study' },
  { at: 'experiment' },
  { at: 'adjudication' },
  { at: 'report' },
  { at: 'settings' },
  { at: 'about' },
];

/** routeOf reads an address; what is not known is the library. */
export const routeOf = (hash: string): Route => {
  const [at, id, ...chains] = hash.replace(/^#\/?/, '').split('/');
  if (at === 'case' && id) {
    try {
      return { at, id: decodeURIComponent(id) };
    } catch {
      return { at: 'library' };
    }
  }
  if (at === 'compare') {
    try {
      const [before, after] = chains.map(decodeURIComponent);
      return { at, id: id && decodeURIComponent(id), before, after };
    } catch {
      return { at };
    }
  }
  return screens.find((screen) => screen.at === at) ?? { at: 'library' };
};

/** hashOf writes an address. */
export const hashOf = (route: Route): string => {
  const parts = route.at === 'case' ? [route.id] : route.at === 'compare' ? [route.id, route.before, route.after] : [];
  const named = parts.slice(0, parts.includes(undefined) ? parts.indexOf(undefined) : parts.length);
  return `#/${[route.at, ...named.map((p) => encodeURIComponent(p ?? ''))].join('/')}`;
};

/** go changes where we are. */
export const go = (route: Route) => {
  window.location.hash = hashOf(route);
};

const listen = (then: () => void) => {
  window.addEventListener('hashchange', then);
  return () => window.removeEventListener('hashchange', then);
};

/** useRoute follows where we are. */
export const useRoute = (): Route => routeOf(useSyncExternalStore(listen, () => window.location.hash));
