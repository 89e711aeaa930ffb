// One case on the screen: what the backend says of it, what the screen is doing, and everything a reader can do there.
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { asShown, useReadingActs, useSaves } from '../../backend/saves';
import { partsOf, ratingOf, whole } from '../../chain/outline';
import type { CaseView, ChainView, Region, Rubric } from '../../lib/nouns';
import { firstBad } from '../../lib/rubric';
import { t } from '../../lib/texts';
import { frameOf } from '../../viewer/props'; // not the viewer itself: what a reader says is tried without pictures
import { keepDraft, loadDrafts } from './drafts';
import { rowsOf } from './rows';
import { type Case, saidOf } from './said';
import { begin, type Draft, neighbour, reduce, stepNames } from './state';
import { useEvidence } from './useEvidence';

/** useReading holds one case. */
export const useReading = (confirmed: CaseView, rubric: Rubric) => {
  const id = confirmed.case.id;
  const { queue, waiting, failures } = useSaves();
  const view = useMemo(() => asShown(confirmed, waiting), [confirmed, waiting]);
  const acts = useReadingActs(id);
  const [s, move] = useReducer(reduce, undefined, () => begin(view, loadDrafts(view)));

  // The judge phase opens by itself when the last question is locked; before the page is painted, so that no key falls
  // between the phase that is over and the step that is not open yet.
  const before = useRef(view.phase);
  useLayoutEffect(() => {
    if (before.current === 'look' && view.phase !== 'look') {
      const first = view.chains[0];
      if (first) move({ do: 'part', chain: first.id, part: partsOf(first)[0] ?? whole });
      else move({ do: 'show', shown: 'sign' });
    }
    before.current = view.phase;
  }, [view]);

  const { prefetch } = acts;
  const fetchNext = useRef(prefetch);
  fetchNext.current = prefetch;
  useEffect(() => {
    for (const other of [view.next, view.previous]) if (other) void fetchNext.current(other);
  }, [view.next, view.previous]);

  const open: Case = { view, s, move, acts, rubric };
  const said = saidOf(open);
  const rows = rowsOf(open, said);
  const regions = useEvidence(open, said);
  const { question, draft } = said;

  const showFrameOf = (region: Region) => {
    const at = view.stacks.find((x) => x.image === region.image);
    const frame = at && frameOf(region, at);
    if (at) move({ do: 'frame', image: at.image, frame: frame ?? (at.image === s.image ? s.frame : 0) });
  };
  const toRegion = (region: Region) => {
    showFrameOf(region);
    move({ do: 'light', region: region.id });
  };

  const openPart = (chainID: string, part: string, row?: string) => {
    move({ do: 'part', chain: chainID, part, row });
    const target = view.chains.find((c) => c.id === chainID);
    const region = target?.answers.flatMap((a) => a.steps).find((x) => x.id === part)?.regions[0];
    if (region) showFrameOf(region);
  };

  const stepBy = (by: 1 | -1) => {
    const to = neighbour(view, s, by);
    if (to) openPart(to.chain, to.part);
    else if (by === 1) move({ do: 'show', shown: 'sign' });
  };

  const commit = () => {
    if (!question) return;
    const look = { question: question.id, ...draft, ...(s.unshown === '' ? {} : { not_shown: true }) };
    move({ do: 'row', row: 'answer' });
    void acts.look(view.assignment, look).then(() => keepDraft(view.assignment, question.id, undefined));
  };
  const locking = question !== undefined && waiting.some((w) => w.key === `${view.assignment}|look|${question.id}`);

  return {
    ...open,
    ...said,
    ...rows,
    ...regions,
    queue,
    waiting,
    failures,
    toRegion,
    openPart,
    stepBy,
    commit,
    locking,
    stepNames: stepNames(said.steps),
    derivedFirstBad: said.chain ? firstBad(said.steps.map((x) => ratingOf(said.chain as ChainView, x.step))) : '',
  };
};

export type Reading = ReturnType<typeof useReading>;

/** commitNeeds names what a look still needs before it can be locked. */
export const commitNeeds = (draft: Draft): string[] =>
  [draft.answer.trim() === '' && t.reading.needAnswer, draft.confidence === 0 && t.reading.needConfidence].filter(
    (x): x is string => typeof x === 'string',
  );
