// Keys as data: one press each, named as tinykeys names them ("Control+Enter", "[Shift]+?", "Digit1"), within a scope.
import { matchKeybindingPress, parseKeybinding } from 'tinykeys';
import type { ActionInfo, Scope } from './actions';

/** Bound is one key of one action within a scope. */
export interface Bound {
  scope: Scope;
  key: string;
}

/** Remap replaces the keys of actions, by the action's id; an action that is not named keeps its own. */
export type Remap = Record<string, Bound[]>;

const modifiers = ['Control', 'Shift', 'Alt', 'Meta', '$mod', '[Shift]'];

/** keyFault says in words why a text is no key, or '' when it is one. Only modifiers combine: "Enter+a" is two keys. */
export const keyFault = (key: string): string => {
  const parts = key.split(/(?<=\w|\])\+/);
  const last = parts.pop();
  if (!last || /\s/.test(key)) return 'one key, with or without Ctrl, Shift, Alt';
  const odd = parts.find((p) => !modifiers.includes(p));
  return odd ? `${odd} does not combine with other keys` : '';
};

/** pressed tells whether a keyboard event is this key and nothing more. */
export const pressed = (event: KeyboardEvent, key: string): boolean => {
  if (keyFault(key) !== '') return false;
  const press = parseKeybinding(key)[0];
  return press !== undefined && matchKeybindingPress(event, press);
};

const overlapping: Record<Scope, Scope[]> = {
  everywhere: ['everywhere', 'library', 'reading', 'steps', 'image'],
  library: ['everywhere', 'library'],
  reading: ['everywhere', 'reading', 'steps', 'image'],
  steps: ['everywhere', 'reading', 'steps'],
  image: ['everywhere', 'reading', 'image'],
};

/** overlap tells whether two scopes can be live at the same time. */
export const overlap = (a: Scope, b: Scope): boolean => overlapping[a].includes(b);

/** boundKeys gives the keys of an action after the reader's own choice. */
export const boundKeys = (action: ActionInfo, remap: Remap): Bound[] => remap[action.id] ?? action.keys;

const canonical = (key: string) => key.replace('[Shift]+', '').toLowerCase();

/** Collision names two actions that would hear the same key at the same time. */
export interface Collision {
  key: string;
  one: ActionInfo;
  other: ActionInfo;
}

/** collisions lists every pair of actions whose keys and scopes meet. */
export const collisions = (actions: readonly ActionInfo[], remap: Remap = {}): Collision[] => {
  const found: Collision[] = [];
  actions.forEach((one, i) => {
    for (const other of actions.slice(i + 1)) {
      for (const a of boundKeys(one, remap)) {
        const hit = boundKeys(other, remap).some(
          (b) => canonical(a.key) === canonical(b.key) && overlap(a.scope, b.scope),
        );
        if (hit) found.push({ key: a.key, one, other });
      }
    }
  });
  return found;
};

/** restoreRemap reads a stored choice of keys; what is not understood, or would collide, is left out. */
export const restoreRemap = (stored: unknown, actions: readonly ActionInfo[]): Remap => {
  const kept: Remap = {};
  if (typeof stored !== 'object' || stored === null) return kept;
  for (const [id, keys] of Object.entries(stored)) {
    const action = actions.find((a) => a.id === id);
    if (!action || !Array.isArray(keys)) continue;
    const good = keys.filter(
      (k): k is Bound =>
        typeof k?.key === 'string' && keyFault(k.key) === '' && typeof k.scope === 'string' && k.scope in overlapping,
    );
    const tried = { ...kept, [id]: good };
    if (good.length === keys.length && collisions(actions, tried).length === 0) kept[id] = good;
  }
  return kept;
};

/** bindingOf names the key of an event, to bind it: "Control+Shift+k"; '' while only modifiers are down. */
export const bindingOf = (event: KeyboardEvent): string => {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(event.key)) return '';
  const name = /^(Digit|Numpad)\d$/.test(event.code) || event.code === 'Space' ? event.code : event.key;
  const printed = name.length === 1;
  const mods = [
    event.ctrlKey && 'Control',
    event.altKey && 'Alt',
    event.metaKey && 'Meta',
    event.shiftKey && !(printed && name.toLowerCase() === name.toUpperCase()) && 'Shift',
  ].filter((m): m is string => typeof m === 'string');
  const key = printed ? name.toLowerCase() : name;
  if (printed && name.toLowerCase() === name.toUpperCase()) mods.push('[Shift]');
  return [...mods, key].join('+');
};

const shown: Record<string, string> = {
  Control: 'Ctrl',
  $mod: 'Ctrl',
  Enter: '↵',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};

/** keyLabel writes a key for people: "Ctrl ↵", "1". */
export const keyLabel = (key: string): string =>
  key
    .split(/(?<=\w|\])\+/)
    .filter((p) => !p.startsWith('['))
    .map((p) => shown[p] ?? p.replace(/^(Digit)(?=\d$)/, '').replace(/^Numpad(?=\d$)/, 'Num '))
    .map((p) => (p.length === 1 ? p.toUpperCase() : p))
    .join(' ');
