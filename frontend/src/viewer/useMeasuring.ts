import { useEffect, useState } from 'react';
import type { PixelPoint } from '../lib/geometry';
import { type Measure, measured, numbered, pointsOf, shifted } from './measures';
import type { ViewerProps } from './props';
import type { Painted } from './screen';

/** What is being measured: the points that are set, and the one under the pointer. */
interface Draft {
  points: readonly PixelPoint[];
  next: PixelPoint | undefined;
}

interface Grip {
  id: string;
  /** Left out: the whole measurement is moved. */
  point: number | undefined;
}

/** The grip of a measurement under the pointer. */
export function gripUnder(target: EventTarget | null): Grip | undefined {
  const data = (target as SVGElement | null)?.dataset;
  if (data?.measure === undefined) return undefined;
  return { id: data.measure, point: data.point === undefined ? undefined : Number(data.point) };
}

/** Measuring by clicks or drags, in any mixture: a press sets a point, and so does letting go after a drag. */
export function useMeasuring(props: ViewerProps) {
  const { tool, stack } = props;
  const [own, setOwn] = useState<readonly Measure[]>([]);
  const [draft, setDraft] = useState<Draft>();
  const [chosen, setChosen] = useState<string>();
  const all = props.measures ?? own;
  const set = (next: readonly Measure[]) => {
    if (props.measures === undefined) setOwn(next);
    props.onMeasures?.(next);
  };
  const kind = measured(tool);

  // What was begun goes with its tool.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tool is the reason
  useEffect(() => setDraft(undefined), [tool]);

  const take = (points: readonly PixelPoint[], now: Painted) => {
    if (!kind || points.length < pointsOf(kind)) {
      setDraft({ points, next: undefined });
      return;
    }
    const made = numbered({ image: stack.image, frame: now.frame.index, kind, points }, all);
    setDraft(undefined);
    setChosen(made.id);
    set([...all, made]);
  };

  return {
    all,
    chosen,
    choose: setChosen,
    /** As it is drawn: with the point under the pointer. */
    draft: draft && kind && { kind, points: draft.next ? [...draft.points, draft.next] : draft.points },
    begun: draft !== undefined,
    cancel: () => setDraft(undefined),
    /** A press of the left button: the first point, or the next one. */
    press: (at: PixelPoint) => {
      if (!draft) setDraft({ points: [at], next: undefined });
    },
    /** The pointer moves, pressed or not. */
    over: (at: PixelPoint) => setDraft((d) => d && { ...d, next: at }),
    /** The button is let go: after a drag, or after a click on what was begun before, here is the next point. */
    release: (at: PixelPoint, now: Painted, click: boolean, first: boolean) => {
      const points = draft?.points ?? [at];
      if (click && first) setDraft({ points, next: undefined });
      else take([...points, at], now);
    },
    /** Points set by the keyboard's pen. */
    give: (points: readonly PixelPoint[], now: Painted) => take(points, now),
    grip: (id: string) => all.find((m) => m.id === id),
    move: (from: Measure, point: number | undefined, dx: number, dy: number) =>
      set(all.map((m) => (m.id === from.id ? shifted(from, point, dx, dy) : m))),
    remove: (id: string) => {
      setChosen(undefined);
      set(all.filter((m) => m.id !== id));
    },
    clear: () => {
      setDraft(undefined);
      setChosen(undefined);
      set(all.filter((m) => m.image !== stack.image));
    },
  };
}
