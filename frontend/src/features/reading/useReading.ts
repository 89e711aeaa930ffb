// One case on the screen: what the backend says of it, what the screen is doing, and everything a reader can do there.
import { useEffect, useMemo, useReducer, useRef } from 'react';
import { asShown, useReadingActs, useSaves } from '../../backend/saves';
import { partsOf, ratingOf, stepsOf, whole } from '../../chain/outline';
import type { CaseView, ChainRating, OwnAnswer, Rating, Region, Rubric } from '../../lib/nouns';
import { isOwnRow, noOwnAnswer, ownRows, ownValueOf, withOwn } from '../../lib/ownAnswer';
import {
  type ChainRowId,
  chainRows,
  chainValueOf,
  firstBad,
  type Row,
  type StepRowId,
  stepRows,
  stepValueOf,
  trimmed,
  unratedChain,
  withChainChoice,
  withChoice,
} from '../../lib/rubric';
import { t } from '../../lib/texts';
import { Undo } from '../../lib/undo';
import { frameOf } from '../../viewer/props'; // not the viewer itself: what a reader says is tried without pictures
import { keepDraft, loadDrafts } from './drafts';
import {
  begin,
  type Draft,
  emptyDraft,
  lookRegions,
  named,
  neighbour,
  openQuestion,
  readOnly,
  reduce,
  sameFrames,
  stretched,
} from './state';

const chainSteps = (steps: { step: { id: string }; number: number }[]) =>
  steps.map((s) => ({ id: s.step.id, number: s.number }));

/** useReading holds one case. */
export const useReading = (confirmed: CaseView, rubric: Rubric) => {
  const id = confirmed.case.id;
  const { queue, waiting, failures } = useSaves();
  const view = useMemo(() => asShown(confirmed, waiting), [confirmed, waiting]);
  const acts = useReadingActs(id);
  const [s, move] = useReducer(reduce, undefined, () => begin(view, loadDrafts(view)));

  // The judge phase opens by itself when the last question is locked.
  const before = useRef(view.phase);
  useEffect(() => {
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

  const question = openQuestion(view);
  const draft = (question && s.drafts[question.id]) ?? emptyDraft;
  const chain = view.chains.find((c) => c.id === s.chain);
  const pictures = view.stacks.length > 0;
  const steps = chain ? stepsOf(chain, rubric, pictures) : [];
  const step = steps.find((x) => x.step.id === s.part);
  const rating = chain && step ? ratingOf(chain, step.step) : undefined;
  const chainRating: ChainRating = chain?.rating ?? unratedChain();
  const fixed = readOnly(view, s);
  const stack = view.stacks.find((x) => x.image === s.image);

  const setDraft = (next: Draft) => {
    if (!question) return;
    keepDraft(view.assignment, question.id, next);
    move({ do: 'draft', question: question.id, draft: next });
  };
  // A change is made to what was said last, not to what was last drawn: two quick clicks both count.
  const setRating = (change: (now: Rating) => Rating) => {
    if (!chain || !step || fixed) return;
    const now = acts.ratingNow(view.assignment, chain.id, step.step.id) ?? ratingOf(chain, step.step);
    void acts.rate(view.assignment, chain.id, trimmed(change(now), step), s.correcting);
  };
  const setChainRating = (change: (now: ChainRating) => ChainRating) => {
    if (!chain || fixed) return;
    const now = acts.chainRatingNow(view.assignment, chain.id) ?? chainRating;
    void acts.rateChain(view.assignment, chain.id, change(now), s.correcting);
  };

  const own: OwnAnswer = (step && chain?.own_answers.find((o) => o.step === step.step.id)) ?? noOwnAnswer(s.part);
  const asksOwn = view.case.questions.find((q) => q.id === step?.question);
  const setOwn = (change: (now: OwnAnswer) => OwnAnswer) => {
    if (!chain || !step || fixed) return;
    const now = acts.ownAnswerNow(view.assignment, chain.id, step.step.id) ?? noOwnAnswer(step.step.id);
    const next = { ...change(now), question: step.question };
    void acts.ownAnswer(view.assignment, chain.id, next, s.correcting);
  };

  /** rows of the part that has the focus, in order; digits answer the one named by s.row. */
  const rows: Row[] = (() => {
    if (s.shown === 'look' && question) {
      const choices = question.options.map((o) => ({ value: o.letter, label: o.text }));
      return [
        { id: 'answer', label: t.rows.lookAnswer, kind: choices.length > 0 ? 'one' : 'text', choices, required: true },
        {
          id: 'confidence',
          label: t.rows.confidence,
          kind: 'one',
          choices: ['1', '2', '3'].map((v) => ({ value: v, label: v })),
          required: true,
        },
        { id: 'evidence', label: t.rows.evidence, kind: 'regions', choices: [], required: false },
      ];
    }
    if (s.shown !== 'judge' || !chain) return [];
    if (s.part === whole) return chainRows(rubric, chainSteps(steps));
    return step && rating ? [...stepRows(rating, step), ...(s.own ? ownRows(own, asksOwn) : [])] : [];
  })();

  const valuesOf = (row: string): string[] => {
    if (s.shown === 'look') {
      if (row === 'answer') return draft.answer ? [draft.answer] : [];
      if (row === 'confidence') return draft.confidence ? [String(draft.confidence)] : [];
      return draft.evidence.map((r) => r.id);
    }
    if (s.part === whole) return chainValueOf(chainRating, row as ChainRowId);
    if (isOwnRow(row)) return ownValueOf(own, row);
    return rating ? stepValueOf(rating, row as StepRowId) : [];
  };

  const choose = (row: string, value: string) => {
    if (s.shown === 'look') {
      if (row === 'answer') setDraft({ ...draft, answer: value });
      if (row === 'confidence') setDraft({ ...draft, confidence: Number(value) });
    } else if (s.part === whole) setChainRating((now) => withChainChoice(now, row as ChainRowId, value));
    else if (isOwnRow(row)) setOwn((now) => withOwn(now, row, value));
    else if (step) setRating((now) => ({ ...withChoice(now, row as StepRowId, value, step), ...unseen(row, now) }));
  };
  // What is graded before its frame is there is known for it.
  const unseen = (row: string, now: Rating) => ({
    not_shown: row === 'support' ? s.unshown !== '' || undefined : now.not_shown,
  });

  const looks = lookRegions(view);
  const evidence: Region[] = s.shown === 'look' ? draft.evidence : (rating?.evidence ?? []);
  const put = (change: (now: Region[]) => Region[]) => {
    if (s.shown === 'look') setDraft({ ...draft, evidence: change(draft.evidence) });
    else setRating((now) => ({ ...now, evidence: change(now.evidence) }));
  };
  // Undo goes back through what was done here since the case was opened, for each look and each step on its own.
  const undos = useRef(new Map<string, Undo<Region[]>>());
  const undoKey = s.shown === 'look' ? `look/${question?.id ?? ''}` : `${s.chain}/${s.part}`;
  const undo = undos.current.get(undoKey) ?? new Undo<Region[]>();
  const setEvidence = (change: (now: Region[]) => Region[]) => {
    undos.current.set(undoKey, undo);
    undo.did(evidence);
    put(change);
  };
  const undoEvidence = () => {
    const before = undo.back(evidence);
    if (before) put(() => before);
  };
  const redoEvidence = () => {
    const after = undo.forth(evidence);
    if (after) put(() => after);
  };
  // A look's region that is reshaped while judging is another region: the look itself is locked.
  const reshape = (region: Region) => {
    const ofLook = s.shown === 'judge' && looks.some((l) => l.region.id === region.id);
    setEvidence((now) => now.map((r) => (r.id !== region.id ? r : ofLook ? named(region, 'mine', now) : region)));
  };
  /** stretchable is the region that stretch is about: the chosen one, or the last of the reader's own on this image. */
  const stretchable = [...evidence]
    .reverse()
    .sort((a, b) => Number(b.id === s.chosen) - Number(a.id === s.chosen))
    .find((r) => !r.adopted && r.image === s.image && r.shape !== 'whole_image');
  const frameNow = stack?.frames[s.frame]?.index;
  const wider = stretchable && frameNow !== undefined ? stretched(stretchable, frameNow) : undefined;
  const stretch = () => {
    if (wider) reshape(wider);
  };
  const toggleEvidence = (region: Region) =>
    setEvidence((now) =>
      now.some((r) => r.id === region.id) ? now.filter((r) => r.id !== region.id) : [...now, region],
    );

  const drawn = (region: Region) => {
    if (typeof s.drawFor === 'number' && s.part === whole && s.shown === 'judge') {
      const at = s.drawFor;
      const place = { ...region, id: `missed-${at + 1}` };
      setChainRating((now) => ({ ...now, missed: now.missed.map((m, i) => (i === at ? { ...m, region: place } : m)) }));
    } else if (s.shown === 'look') {
      const locked = view.looks.flatMap((l) => l.evidence);
      setEvidence((now) => [...now, named(region, 'look', [...locked, ...now])]);
    } else setEvidence((now) => [...now, named(region, 'mine', now)]);
    move({ do: 'tool', tool: 'window' });
  };

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
    view,
    s,
    move,
    acts,
    queue,
    waiting,
    failures,
    question,
    draft,
    setDraft,
    chain,
    steps,
    step,
    rating,
    setRating,
    chainRating,
    setChainRating,
    fixed,
    stack,
    rows,
    valuesOf,
    choose,
    evidence,
    setEvidence,
    toggleEvidence,
    looks,
    own,
    asksOwn,
    setOwn,
    undo,
    undoEvidence,
    redoEvidence,
    reshape,
    stretchable,
    /** Whether stretching to the frame on the screen would change the region. */
    stretches: wider !== undefined && stretchable !== undefined && !sameFrames(wider, stretchable),
    stretch,
    drawn,
    toRegion,
    openPart,
    stepBy,
    commit,
    locking,
    rubric,
    stepNames: chainSteps(steps),
    derivedFirstBad: chain ? firstBad(steps.map((x) => ratingOf(chain, x.step))) : '',
  };
};

export type Reading = ReturnType<typeof useReading>;

/** commitNeeds names what a look still needs before it can be locked. */
export const commitNeeds = (draft: Draft): string[] =>
  [draft.answer.trim() === '' && t.reading.needAnswer, draft.confidence === 0 && t.reading.needConfidence].filter(
    (x): x is string => typeof x === 'string',
  );
