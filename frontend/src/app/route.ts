// Where we are, as the part of the address after #.
import { useSyncExternalStore } from 'react';

export type Route =
  | { at: 'library' }
  | { at: 'case'; id: string }
  | { at: 'study' }
  | { at: 'adjudication' }
  | { at: 'report' }
  | { at: 'settings' }
  | { at: 'about' };

const screens: Route[] = [
  { at: 'study' },
  { at: 'adjudication' },
  { at: 'report' },
  { at: 'settings' },
  { at: 'about' },
];

/** routeOf reads an address; what is not known is the library. */
export const routeOf = (hash: string): Route => {
  const [at, id] = hash.replace(/^#\/?/, '').split('/');
  if (at === 'case' && id) {
    try {
      return { at, id: decodeURIComponent(id) };
    } catch {
      return { at: 'library' };
    }
  }
  return screens.find((screen) => screen.at === at) ?? { at: 'library' };
};

/** hashOf writes an address. */
export const hashOf = (route: Route): string =>
  route.at === 'case' ? `#/case/${encodeURIComponent(route.id)}` : `#/${route.at}`;

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
