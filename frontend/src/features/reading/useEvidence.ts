// The regions of a look or a rating: drawn, undone, reshaped, stretched over frames.
import { useRef } from 'react';
import { whole } from '../../chain/outline';
import type { Region } from '../../lib/nouns';
import { Undo } from '../../lib/undo';
import type { Case, Said } from './said';
import { lookRegions, named, sameFrames, stretched } from './state';

/** useEvidence holds the regions of the open question or step. */
export const useEvidence = ({ view, s, move }: Case, said: Said) => {
  const { question, draft, setDraft, rating, setRating, setChainRating } = said;
  const looks = lookRegions(view);
  const stack = view.stacks.find((x) => x.image === s.image);
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

  return {
    stack,
    looks,
    evidence,
    setEvidence,
    toggleEvidence,
    undo,
    undoEvidence,
    redoEvidence,
    reshape,
    stretchable,
    /** Whether stretching to the frame on the screen would change the region. */
    stretches: wider !== undefined && stretchable !== undefined && !sameFrames(wider, stretchable),
    stretch,
    drawn,
  };
};
