// A reader's own key for an action, or the words why it cannot have it.
import { type ActionInfo, actions } from '../../lib/actions';
import { collisions, keyFault, keyLabel, type Remap } from '../../lib/keys';
import { t } from '../../lib/texts';

/** rebound gives the keys after an action got a new one. The keys that it has in other scopes beside its first stay. */
export const rebound = (remap: Remap, action: ActionInfo, key: string): { remap: Remap } | { why: string } => {
  const fault = keyFault(key);
  if (fault) return { why: t.settings.noKey(fault) };
  const scope = action.keys[0]?.scope ?? 'everywhere';
  const others = action.keys.filter((k) => k.scope !== scope);
  const next = { ...remap, [action.id]: [{ scope, key }, ...others] };
  const hit = collisions(actions, next).find((c) => c.one.id === action.id || c.other.id === action.id);
  if (!hit) return { remap: next };
  const owner = hit.one.id === action.id ? hit.other : hit.one;
  return { why: t.settings.taken(keyLabel(key), owner.label) };
};
