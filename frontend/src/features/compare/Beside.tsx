import { type RefObject, useRef, useState } from 'react';
import { useBackend } from '../../backend/queries';
import type { Action } from '../../lib/actions';
import type { Arm, Comparison, Region } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useActions, useKeyOf } from '../../ui/actions';
import { Button, Chip, Kbd } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { frameOf, type Links, pictureActions, type ViewerHandle, type ViewerProps } from '../../viewer';
import { Answers } from './Answers';
import { ContinueDialog, whyNotFrom } from './ContinueDialog';
import css from './compare.module.css';
import { differenceFetcher, differenceStack, differenceURL } from './difference';
import { Pane } from './Pane';
import { nextChanged, positionOf, type Sight, sightOf } from './sight';

const x = t.compare;

interface Props {
  of: Comparison;
  onContinued: (got: Comparison) => void;
}

const links = ['scroll', 'window', 'zoom'] as const;

/** Beside shows two chains of a case: their pictures side by side, and what they answered, stage by stage. */
export const Beside = ({ of, onContinued }: Props) => {
  const alone = of.arms[0]?.chain === of.arms[1]?.chain;
  const arms = alone ? of.arms.slice(0, 1) : of.arms;
  const [question, setQuestion] = useState(
    () => (of.questions.find((q) => q.changed) ?? of.questions[0])?.question.id ?? '',
  );
  const [k, setK] = useState(0);
  const [linked, setLinked] = useState<Links>({ scroll: true, window: true, zoom: true });
  const [difference, setDifference] = useState(false);
  const [modelRegions, setModelRegions] = useState(true);
  const [continuing, setContinuing] = useState<Arm>();
  const [active, setActive] = useState(0);
  const sights = arms.map((arm) => sightOf(of, arm, question, k));
  const seen = useFrames(of, k, linked.scroll, question);
  const handles = [useRef<ViewerHandle>(null), useRef<ViewerHandle>(null)] as const;
  const changed = sights.find((s) => s.changed.length > 0)?.changed ?? [];
  const apart = useDifference(of, arms, sights, question, k);
  const follow: NonNullable<ViewerProps['onLook']> = (what) => {
    if (what.kind === 'window' ? linked.window : linked.zoom) handles[active === 0 ? 1 : 0].current?.follow(what, true);
  };
  const toChanged = (by: 1 | -1) => {
    const next = nextChanged(changed, seen.at(active), by);
    if (next !== undefined) seen.go(active, next);
  };
  const at = of.questions.findIndex((q) => q.question.id === question);
  const move = (by: 1 | -1) => {
    const next = of.questions[at + by];
    if (next) setQuestion(next.question.id);
  };
  const toggle = (what: keyof Links) => setLinked({ ...linked, [what]: !linked[what] });
  const noDifference = apart ? '' : x.noDifference;
  const from = arms[active] ?? arms[0];
  const actions: Action[] = [
    ...pictureOf(handles[active] ?? handles[0], sights[active]?.stack, (index) => seen.go(active, index)),
    { id: 'next-step', run: () => move(1) },
    { id: 'previous-step', run: () => move(-1) },
    { id: 'model-regions', run: () => setModelRegions(!modelRegions) },
    { id: 'link-scroll', run: () => toggle('scroll') },
    { id: 'link-window', run: () => toggle('window') },
    { id: 'link-zoom', run: () => toggle('zoom') },
    { id: 'changed-next', can: () => (changed.length ? '' : x.nothingChanged), run: () => toChanged(1) },
    { id: 'changed-previous', can: () => (changed.length ? '' : x.nothingChanged), run: () => toChanged(-1) },
    { id: 'difference', can: () => noDifference, run: () => setDifference(!difference) },
    {
      id: 'next-view',
      run: () => {
        const next = arms.length > 1 && active === 0 ? 1 : 0;
        handles[next]?.current?.focus();
      },
    },
    {
      id: 'go-on-from',
      can: () => (from ? whyNotFrom(of, question) : x.choose),
      run: () => setContinuing(from),
    },
  ];
  useActions(actions);
  const toRegion = (nth: number, region: Region) => {
    const stack = sights[nth]?.stack;
    const position = stack && frameOf(region, stack);
    const index = position === undefined ? undefined : stack?.frames[position]?.index;
    if (index !== undefined) seen.go(nth, index);
  };
  const shown = difference && apart ? 1 : undefined;
  return (
    <div className={css.body}>
      <section className={css.pictures} data-zone="image" aria-label={t.groups.image}>
        <div className={css.panes} data-alone={alone || undefined}>
          {arms.map((arm, nth) => (
            <Pane
              key={arm.chain}
              nth={nth}
              of={of}
              arm={arm}
              sight={sights[nth] as Sight}
              question={question}
              frame={seen.at(nth)}
              onFrame={(index) => seen.go(nth, index)}
              modelRegions={modelRegions}
              difference={shown === nth ? apart : undefined}
              viewer={handles[nth as 0 | 1]}
              onLook={follow}
              onActive={() => setActive(nth)}
            />
          ))}
        </div>
        <div className={css.foot}>
          {changed.length > 0 && <Ticks all={sights.find((s) => s.changed.length > 0)} at={seen.at(active)} />}
          <div className={css.bar}>
            {changed.length > 0 && (
              <>
                <Button look="quiet" aria-label={t.actions.changedPrevious} onClick={() => toChanged(-1)}>
                  ‹
                </Button>
                <span className={form.soft} data-testid="changed-frames">
                  {x.changedFrames(changed.length, of.stacks[k]?.frames.length ?? changed.length)}
                </span>
                <Button
                  look="quiet"
                  aria-label={t.actions.changedNext}
                  onClick={() => toChanged(1)}
                  data-testid="next-changed"
                >
                  ›
                </Button>
              </>
            )}
            {of.stacks.length > 1 &&
              of.stacks.map((s, i) => (
                <Chip key={s.image} lit={i === k} aria-pressed={i === k} onClick={() => setK(i)}>
                  {i + 1} {s.description || s.modality || s.image}
                </Chip>
              ))}
            {!alone && (
              <span className={form.end}>
                <Toggle
                  id="difference"
                  on={difference && apart !== undefined}
                  why={noDifference}
                  label={x.difference}
                  onToggle={() => setDifference(!difference)}
                />
                <span className={form.soft}>{x.linked}</span>
                {links.map((what) => (
                  <Toggle
                    key={what}
                    id={`link-${what}`}
                    on={linked[what]}
                    label={x.links[what]}
                    onToggle={() => toggle(what)}
                  />
                ))}
              </span>
            )}
          </div>
        </div>
      </section>
      <Answers
        of={of}
        arms={arms}
        question={question}
        onQuestion={setQuestion}
        onRegion={toRegion}
        onContinue={setContinuing}
      />
      {continuing && (
        <ContinueDialog
          of={of}
          arm={continuing}
          question={question}
          onClose={() => setContinuing(undefined)}
          onContinued={(got) => {
            setContinuing(undefined);
            onContinued(got);
          }}
        />
      )}
    </div>
  );
};

// The keys of the picture act on the active pane; where its image is another model's "none" there is nothing to act on.
const pictureOf = (viewer: RefObject<ViewerHandle | null>, stack: Sight['stack'], go: (index: number) => void) =>
  pictureActions(viewer, stack?.frames.length ?? 0, (position) => {
    const index = stack?.frames[position]?.index;
    if (index !== undefined) go(index);
  });

// The frame on which a comparison opens: amid those that a condition changed, else where a region lies, else the middle.
const openingOf = (of: Comparison, k: number, question: string): number => {
  const stack = of.stacks[k];
  const changed = of.arms.map((arm) => sightOf(of, arm, question, k).changed).find((c) => c.length > 0);
  const region = of.arms
    .flatMap((arm) => arm.answers)
    .filter((a) => a.question === question)
    .flatMap((a) => a.steps.flatMap((s) => s.regions))
    .flatMap((r) => (stack ? (frameOf(r, stack) ?? []) : []))[0];
  const at = region ?? Math.floor(((stack?.frames.length ?? 1) - 1) / 2);
  return changed?.[Math.floor((changed.length - 1) / 2)] ?? stack?.frames[at]?.index ?? 0;
};

// Which frame each pane shows, by its number in the image: linked, both show the same.
const useFrames = (of: Comparison, k: number, link: boolean, question: string) => {
  const [middle] = useState(() => openingOf(of, k, question));
  const [frames, setFrames] = useState<readonly [number, number]>([middle, middle]);
  return {
    at: (nth: number) => frames[nth as 0 | 1] ?? 0,
    go: (nth: number, index: number) =>
      setFrames((now) => (link ? [index, index] : nth === 0 ? [index, now[1]] : [now[0], index])),
  };
};

// What is shown in place of the second picture when the difference is wanted.
const useDifference = (of: Comparison, arms: readonly Arm[], sights: readonly Sight[], question: string, k: number) => {
  const backend = useBackend();
  const [a, b] = sights;
  const [armA, armB] = arms;
  if (!a || !b || !armA || !armB || !(a.made || b.made)) return undefined;
  const stack = differenceStack(a.stack, b.stack);
  const image = of.stacks[k]?.image ?? '';
  const url = (sight: Sight, arm: Arm) => (n: number) =>
    sight.made
      ? backend.frameAsURL(of.case, image, sight.stack ? positionOf(sight.stack, n) : n, arm.chain, question)
      : backend.frameURL(of.case, image, n);
  return stack && { stack, frameURL: differenceURL, fetcher: differenceFetcher(url(a, armA), url(b, armB)) };
};

export type Apart = NonNullable<ReturnType<typeof useDifference>>;

interface ToggleProps {
  id: 'difference' | 'link-scroll' | 'link-window' | 'link-zoom';
  on: boolean;
  label: string;
  why?: string;
  onToggle: () => void;
}

const Toggle = ({ id, on, label, why, onToggle }: ToggleProps) => {
  const keyOf = useKeyOf();
  return (
    <Chip
      lit={on}
      aria-pressed={on}
      aria-disabled={why ? true : undefined}
      title={why || t.actions[actionText[id]]}
      data-testid={id}
      onClick={() => !why && onToggle()}
    >
      {label} {keyOf(id) && <Kbd of={keyOf(id)} />}
    </Chip>
  );
};

const actionText = {
  difference: 'difference',
  'link-scroll': 'linkScroll',
  'link-window': 'linkWindow',
  'link-zoom': 'linkZoom',
} as const;

// A line of all frames: which the condition changed, and where we are.
const Ticks = ({ all, at }: { all: Sight | undefined; at: number }) => {
  const frames = all?.stack?.frames ?? [];
  const last = Math.max(1, frames.length);
  return (
    <svg className={css.ticks} viewBox={`0 0 ${last} 1`} preserveAspectRatio="none" aria-hidden="true">
      {frames.map(
        (f, i) =>
          all?.changed.includes(f.index) && (
            <rect key={f.index} x={i} width={1} y={0} height={1} className={css.tick} />
          ),
      )}
      {frames.map(
        (f, i) =>
          f.index === at && <rect key={f.index} x={i + 0.35} width={0.3} y={0} height={1} className={css.here} />,
      )}
    </svg>
  );
};
