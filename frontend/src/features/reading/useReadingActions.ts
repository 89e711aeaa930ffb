// What keys, buttons and the menu do on the reading screen.
import type { RefObject } from 'react';
import { whole } from '../../chain/outline';
import type { Action } from '../../lib/actions';
import { isOwnRow } from '../../lib/ownAnswer';
import { stepRows, withChoice } from '../../lib/rubric';
import { t } from '../../lib/texts';
import type { KeysOfData } from '../../ui/actions';
import type { Tool, ViewerHandle } from '../../viewer';
import { pictureActions } from '../../viewer/pictureActions'; // not the viewer itself, as in useReading
import { commitNeeds, type Reading } from './useReading';

interface Ways {
  viewer: RefObject<ViewerHandle | null>;
  panel: RefObject<HTMLElement | null>;
  onCase: (id: string) => void;
  onSign: () => void;
}

/** answerRow answers the focused row with its kth choice and goes on to the row after it. */
export const answerRow = (r: Reading, k: number) => {
  const row = r.rows.find((x) => x.id === r.s.row) ?? r.rows[0];
  if (!row || r.fixed) return;
  if (row.kind === 'regions') {
    const look = r.looks[k - 1];
    if (row.id === 'evidence' && r.s.shown === 'judge' && look) r.toggleEvidence(look.region);
    // Of the omission that was named last: how much it matters.
    const significance = k === 1 ? 'a' : k === 2 ? 'b' : undefined;
    if (row.id === 'missed' && significance) {
      r.setChainRating((now) => ({
        ...now,
        missed: now.missed.map((m, i) => (i === now.missed.length - 1 ? { ...m, significance } : m)),
      }));
    }
    return;
  }
  const choice = row.choices[k - 1];
  if (!choice) return;
  const taken = r.valuesOf(row.id).includes(choice.value);
  // A look has no "take back" by the same digit, a rating has.
  r.choose(row.id, choice.value);
  if (row.kind !== 'one' || (taken && r.s.shown === 'judge')) return;
  const rows =
    r.s.shown === 'judge' && r.s.part !== whole && r.step && r.rating && row.id !== 'note' && !isOwnRow(row.id)
      ? stepRows(withChoice(r.rating, row.id as 'support', choice.value, r.step), r.step)
      : r.rows;
  const next = rows[rows.findIndex((x) => x.id === row.id) + 1];
  if (next && next.kind !== 'text') r.move({ do: 'row', row: next.id });
};

/** rubricKeys gives what the keys of the rubric do: each answers its own row of the open part, whichever row has the focus. */
export const rubricKeys = (r: Reading): KeysOfData => {
  const keys = new Map<string, () => void>();
  if (r.fixed || r.s.shown !== 'judge') return keys;
  for (const row of r.rows) {
    for (const choice of row.choices) {
      if (!choice.key) continue;
      keys.set(choice.key, () => {
        r.move({ do: 'row', row: row.id });
        r.choose(row.id, choice.value);
      });
    }
  }
  return keys;
};

const moveRow = (r: Reading, by: 1 | -1) => {
  const at = r.rows.findIndex((x) => x.id === r.s.row);
  const next = r.rows[Math.min(r.rows.length - 1, Math.max(0, at + by))];
  if (next) r.move({ do: 'row', row: next.id });
};

/** canDraw says in words why no evidence can be drawn now. */
export const canDraw = (r: Reading): string => {
  if (r.s.shown === 'look') return r.question ? '' : t.reading.locked;
  if (r.fixed) return t.reading.isSigned;
  if (r.s.shown === 'judge' && r.s.part === whole) return r.chainRating.missed.length > 0 ? '' : t.reading.needMissed;
  return r.rows.some((x) => x.id === 'evidence') || typeof r.s.drawFor === 'number' ? '' : t.reading.gradeFirst;
};

/** readingActions lists what can be done now. */
export const readingActions = (r: Reading, { viewer, panel, onCase, onSign }: Ways): Action[] => {
  const { view, s, move } = r;
  // On the card of the whole chain it is the omission named last that is marked.
  const drawFor = s.shown === 'judge' && s.part === whole ? r.chainRating.missed.length - 1 : 'evidence';
  const draw = (tool: Tool) => () => move({ do: 'tool', tool: s.tool === tool ? 'window' : tool, drawFor });
  const inLook = s.shown === 'look';
  return [
    { id: 'next-case', can: () => (view.next ? '' : t.reading.noNext), run: () => onCase(view.next) },
    { id: 'previous-case', can: () => (view.previous ? '' : t.reading.noPrevious), run: () => onCase(view.previous) },
    {
      id: 'commit',
      can: () => (inLook && r.question ? commitNeeds(r.draft).join(', ') : ''),
      run: () =>
        inLook && r.question
          ? !r.locking && r.commit()
          : s.shown === 'sign'
            ? onSign()
            : move({ do: 'show', shown: 'sign' }),
    },
    {
      id: 'phase',
      can: () => (view.phase === 'look' ? t.reading.lookFirst : ''),
      run: () => move({ do: 'show', shown: inLook ? 'judge' : 'look' }),
    },
    { id: 'context', run: () => move({ do: 'context' }) },
    { id: 'next-step', run: () => r.stepBy(1) },
    { id: 'previous-step', run: () => r.stepBy(-1) },
    { id: 'row-down', run: () => moveRow(r, 1) },
    { id: 'row-up', run: () => moveRow(r, -1) },
    {
      id: 'row-edit',
      run: () => {
        if (s.part === whole && s.row === 'first_bad_step' && r.derivedFirstBad !== '' && !r.fixed)
          r.choose('first_bad_step', r.derivedFirstBad); // Enter confirms what the ratings say
        else panel.current?.querySelector<HTMLElement>('[data-active] textarea, [data-active] input')?.focus();
      },
    },
    {
      id: 'to-region',
      run: () => {
        const region = r.step?.step.regions[0];
        if (region) r.toRegion(region);
      },
    },
    {
      id: 'adopt',
      can: () => canDraw(r),
      run: () => {
        const region = r.step?.step.regions[0];
        if (region && !inLook) r.toggleEvidence({ ...region, adopted: true });
      },
    },
    {
      id: 'own-answer',
      can: () => (s.shown !== 'judge' || !r.step ? t.reading.needStep : r.fixed ? t.reading.isSigned : ''),
      run: () =>
        move(s.own ? { do: 'own', open: false, row: 'support' } : { do: 'own', open: true, row: 'own-answer' }),
    },
    { id: 'undo', can: () => canDraw(r) || (r.undo.canBack ? '' : t.reading.nothingToUndo), run: r.undoEvidence },
    { id: 'redo', can: () => canDraw(r) || (r.undo.canForth ? '' : t.reading.nothingToRedo), run: r.redoEvidence },
    { id: 'stretch', can: () => canDraw(r) || (r.stretchable ? '' : t.reading.nothingToStretch), run: r.stretch },
    { id: 'evidence', can: () => canDraw(r), run: draw('box') },
    { id: 'point', can: () => canDraw(r), run: draw('point') },
    { id: 'ellipse', can: () => canDraw(r), run: draw('ellipse') },
    { id: 'polygon', can: () => canDraw(r), run: draw('polygon') },
    { id: 'model-regions', run: () => move({ do: 'model-regions' }) },
    { id: 'leave-tool', run: () => move({ do: 'tool', tool: 'window' }) },
    { id: 'focus-steps', run: () => panel.current?.focus() },
    ...([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((n): Action => ({ id: `answer-${n}`, run: () => answerRow(r, n) })),
    { id: 'measure', run: () => move({ do: 'tool', tool: s.tool === 'measure' ? 'window' : 'measure' }) },
    ...pictureActions(viewer, r.stack?.frames.length ?? 1, (frame) => move({ do: 'frame', frame })),
  ];
};
