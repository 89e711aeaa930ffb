// The list of keys as the desk has it: a rubric whose keys collide with it is refused when it is loaded (ux.md).
// After a change of lib/actions.ts: npx vitest run -u src/lib/actions.keys.test.ts
import { expect, test } from 'vitest';
import { actions } from './actions';

const list = actions.flatMap((a) =>
  a.keys.map(({ scope, key }) => JSON.stringify({ action: a.id, label: a.label, scope, key })),
);

test('the desk knows every key of the program', async () => {
  await expect(`[\n${list.join(',\n')}\n]\n`).toMatchFileSnapshot('../../../backend/desk/keys.json');
});
