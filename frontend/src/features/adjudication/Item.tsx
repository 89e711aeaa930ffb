import { useLayoutEffect, useRef, useState } from 'react';
import { useDecide } from '../../backend/adjudicating';
import { troubleOf } from '../../backend/client';
import type { DisagreementView, Region, Rubric } from '../../lib/nouns';
import { type ChainRowId, chainRows, stepRows, withChainChoice, withChoice } from '../../lib/rubric';
import { t } from '../../lib/texts';
import { useActions, useKeyOf } from '../../ui/actions';
import { Kbd } from '../../ui/basics';
import { drawing, frameOf, type Tool, useDrawing, type ViewerHandle } from '../../viewer';
import css from './adjudication.module.css';
import { askedOf, type Draft, emptyDraft, finalOf, needs, rowsOf, stepNames } from './draft';
import { itemActions } from './itemActions';
import { Panel } from './Panel';
import { Picture } from './Picture';

interface Props {
  view: DisagreementView;
  rubric: Rubric;
  drafts: Map<string, Draft>;
  onDecided: () => void;
}

/** useItem holds one disagreement on the screen: what is shown and what is being decided. */
const useItem = ({ view, rubric, drafts, onDecided }: Props) => {
  const [draft, keep] = useState<Draft>(() => drafts.get(view.id) ?? emptyDraft(view));
  const [revising, setRevising] = useState(false);
  const [row, setRow] = useState(() => rowsOf(view, rubric, draft)[0]?.id ?? '');
  const [tool, setTool] = useState<Tool>('window');
  const [lit, setLit] = useState('');
  const [half, setHalf] = useState(false); // a tint lies over greys: only when it is wanted
  const [modelRegions, setModelRegions] = useState(true);
  const [place, setPlace] = useState(() => firstPlace(view));
  const decide = useDecide();
  const fixed = view.final !== undefined && view.final !== null && !revising;
  const setDraft = (next: Draft) => {
    drafts.set(view.id, next);
    keep(next);
  };
  const rows = rowsOf(view, rubric, draft);
  const choose = (id: string, value: string) => {
    setRow(id);
    if (fixed) return;
    const asked = askedOf(view, rubric);
    if (view.on === 'question') setDraft({ ...draft, answer: value });
    else if (view.on === 'chain') {
      setDraft({ ...draft, chain: withChainChoice(draft.chain, id as ChainRowId, value) });
    } else if (asked) setDraft({ ...draft, rating: withChoice(draft.rating, id as 'support', value, asked) });
  };
  const toRegion = (region: Region) => {
    const stack = view.stacks.find((s) => s.image === region.image);
    if (stack) setPlace({ image: stack.image, frame: frameOf(region, stack) ?? place.frame });
    setLit(region.id);
  };
  const missing = needs(view, rubric, draft);
  const save = async () => {
    if (fixed || missing.length > 0 || decide.isPending) return;
    try {
      await decide.mutateAsync({ id: view.id, value: finalOf(view, rubric, draft), reason: draft.reason.trim() });
      drafts.delete(view.id);
      onDecided();
    } catch {
      // told by decide.error
    }
  };
  return {
    view,
    rubric,
    draft,
    setDraft,
    rows,
    row,
    setRow,
    choose,
    tool,
    setTool,
    lit,
    setLit,
    half,
    setHalf,
    modelRegions,
    setModelRegions,
    place,
    setPlace,
    toRegion,
    fixed,
    revising,
    setRevising,
    missing,
    saving: decide.isPending,
    fault: decide.isError ? troubleOf(decide.error).text : '',
    save: () => void save(),
  };
};

export type ItemState = ReturnType<typeof useItem>;

// The picture opens where the item's regions are: the model's, else the first of a reader's.
const firstPlace = (view: DisagreementView) => {
  const step = view.answers.flatMap((a) => a.steps).find((s) => s.id === view.part);
  const marked = [
    ...(step?.regions ?? []),
    ...view.unnamed.flatMap((u) => [
      ...(u.rating?.evidence ?? []),
      ...(u.look?.evidence ?? []),
      ...(u.chain_rating?.missed ?? []).flatMap((m) => m.region ?? []),
    ]),
  ];
  for (const region of marked) {
    const stack = view.stacks.find((s) => s.image === region.image);
    const frame = stack && frameOf(region, stack);
    if (stack && frame !== undefined) return { image: stack.image, frame };
  }
  const [stack] = view.stacks;
  return { image: stack?.image ?? '', frame: Math.floor(((stack?.frames.length ?? 1) - 1) / 2) };
};

/** Item shows one disagreement: the picture with what the reads marked, and the reads side by side. */
export const Item = (props: Props) => {
  const item = useItem(props);
  const viewer = useRef<ViewerHandle>(null);
  const panel = useRef<HTMLElement>(null);
  useActions(itemActions(item, viewer, panel));
  const draws = drawing.includes(item.tool);
  useDrawing(draws, viewer, panel);
  useLayoutEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <div className={css.item}>
      <Picture item={item} viewer={viewer} />
      <Panel item={item} panel={panel} />
      <Legend />
    </div>
  );
};

// Legend names the keys.
const Legend = () => {
  const keyOf = useKeyOf();
  const { legend } = t.adjudication;
  const keys: [string, string[]][] = [
    [legend.next, [keyOf('next-case'), keyOf('previous-case')]],
    [legend.rows, [keyOf('row-up'), keyOf('row-down')]],
    [legend.answers, ['1–9']],
    [legend.box, [keyOf('evidence')]],
    [legend.model, [keyOf('model-regions')]],
    [legend.half, [keyOf('consensus')]],
    [legend.image, [keyOf('focus-image')]],
    [legend.panel, [keyOf('focus-steps')]],
    [legend.decide, [keyOf('commit')]],
  ];
  return (
    <footer className={css.legend}>
      {keys.map(([words, of]) => (
        <span key={words}>
          {of.map((key) => key && <Kbd key={key} of={key} />)} {words}
        </span>
      ))}
    </footer>
  );
};

/** fieldsShown lists the fields of the comparison in the rubric's order, with their words. */
export const fieldsShown = (view: DisagreementView, rubric: Rubric) => {
  if (view.on === 'chain') return chainRows(rubric, stepNames(view));
  const asked = askedOf(view, rubric);
  if (!asked) return [];
  // Any grade will do: a row that one read was asked and another was not is compared too.
  const graded = rubric.step.flatMap((f) => f.asked.support).concat('supported', 'partly');
  const rows = graded.flatMap((support) => stepRows({ ...emptyDraft(view).rating, support }, asked));
  return rubric.step.flatMap((f) => rows.find((r) => r.id === f.name) ?? []);
};
