// Keys reach what a screen offers. One listener hears them; the focus decides what a digit means.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type Action, type ActionId, actionOf, actions as all, type Scope } from '../lib/actions';
import { boundKeys, pressed, type Remap } from '../lib/keys';

/** Zone is a part of a screen that keys have a meaning of their own in; it is marked by data-zone. */
export type Zone = 'image' | 'steps' | 'other';

/** KeysOfData are keys that a rubric brings: what each printed character does while the steps have the focus. */
export type KeysOfData = ReadonlyMap<string, () => void>;

interface Keys {
  remap: Remap;
  offer: (list: () => readonly Action[]) => () => void;
  bring: (keys: () => KeysOfData) => () => void;
}

const Context = createContext<Keys>({ remap: {}, offer: () => () => {}, bring: () => () => {} });

/** zoneOf tells in which zone an element lies. */
export const zoneOf = (element: Element | null): Zone => {
  const zone = element?.closest('[data-zone]')?.getAttribute('data-zone');
  return zone === 'image' || zone === 'steps' ? zone : 'other';
};

const typing = (element: Element | null) =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=range])'));

const live = (scope: Scope, zone: Zone): boolean => scope === zone || (scope !== 'steps' && scope !== 'image');

/** chosen finds the offered action that a key event means; the last offer wins. */
export const chosen = (
  event: KeyboardEvent,
  focus: Element | null,
  offers: readonly Action[],
  remap: Remap,
): Action | undefined => {
  if (event.defaultPrevented || event.isComposing || typing(focus)) return undefined;
  const zone = zoneOf(focus);
  return offers.findLast((offer) =>
    boundKeys(actionOf(offer.id), remap).some((k) => live(k.scope, zone) && pressed(event, k.key)),
  );
};

// Space and Enter press the button or link that has the focus; only there do they keep their own meaning.
const pressesButton = (event: KeyboardEvent, focus: Element | null) =>
  (event.key === ' ' || event.key === 'Enter') &&
  !event.ctrlKey &&
  !!focus?.matches('button, a[href], [role=tab], [role=menuitem], summary, input');

const ofData = (event: KeyboardEvent, focus: Element | null) =>
  !event.ctrlKey &&
  !event.altKey &&
  !event.metaKey &&
  !event.isComposing &&
  !typing(focus) &&
  zoneOf(focus) === 'steps';

/** ActionsProvider listens. While a dialog is open only the dialog hears keys. */
export const ActionsProvider = ({ remap, children }: { remap: Remap; children: ReactNode }) => {
  const offers = useRef(new Set<() => readonly Action[]>());
  const brought = useRef(new Set<() => KeysOfData>());
  const current = useRef(remap);
  current.current = remap;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const focus = document.activeElement;
      if (event.key === 'Escape' && typing(focus) && !event.isComposing) {
        const home = focus?.closest('[data-zone]');
        if (home instanceof HTMLElement) home.focus();
        else if (focus instanceof HTMLElement) focus.blur();
        return;
      }
      if (document.querySelector('[role=dialog], [role=menu]') || pressesButton(event, focus)) return;
      const action = chosen(
        event,
        focus,
        [...offers.current].flatMap((list) => list()),
        current.current,
      );
      if (!action) {
        // The program's own keys go first, the reader's choice of them too: no key ever means two things.
        const run = ofData(event, focus) && [...brought.current].map((keys) => keys().get(event.key)).findLast(Boolean);
        if (run) {
          event.preventDefault();
          run();
        }
        return;
      }
      event.preventDefault();
      if (!action.can?.()) action.run();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
  const keys = useMemo<Keys>(
    () => ({
      remap,
      offer: (list) => {
        offers.current.add(list);
        return () => offers.current.delete(list);
      },
      bring: (keys) => {
        brought.current.add(keys);
        return () => brought.current.delete(keys);
      },
    }),
    [remap],
  );
  return <Context.Provider value={keys}>{children}</Context.Provider>;
};

/** useActions offers actions while the component is shown. */
export const useActions = (list: readonly Action[]) => {
  const { offer } = useContext(Context);
  const latest = useRef(list);
  latest.current = list;
  useEffect(() => offer(() => latest.current), [offer]);
};

/** useKeysOfData lets keys that data brings act while the component is shown. */
export const useKeysOfData = (keys: KeysOfData) => {
  const { bring } = useContext(Context);
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => bring(() => latest.current), [bring]);
};

/** useKeyOf gives the key of an action as it is bound now, or ''. */
export const useKeyOf = () => {
  const { remap } = useContext(Context);
  return (id: ActionId): string => boundKeys(actionOf(id), remap)[0]?.key ?? '';
};

/** useRemap gives the reader's own keys. */
export const useRemap = () => useContext(Context).remap;

/** useZone follows the focus. */
export const useZone = (): Zone => {
  const [zone, setZone] = useState<Zone>('other');
  useEffect(() => {
    const follow = () => setZone(zoneOf(document.activeElement));
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, []);
  return zone;
};

/** allActions is the whole list, for the help sheet and Settings. */
export const allActions = all;
