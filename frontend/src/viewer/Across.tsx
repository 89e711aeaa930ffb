import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Stack } from '../lib/nouns';
import { t } from '../lib/texts';
import type { Frames } from './frames';
import { gridOf, type Slab, type SlabMode } from './mpr';
import type { Fetch } from './props';
import css from './Views.module.css';
import { Volume } from './volume';

interface AcrossProps {
  stacks: readonly Stack[];
  frameURL: (image: string, n: number) => string;
  fetcher?: Fetch;
}

const noSlab: Slab = { mode: 'mean', thickness: 0 };

/** The planes across one image of the case, while they are looked at. */
export function useAcross(props: AcrossProps, frames: Frames) {
  const [open, setOpen] = useState<{ image: string; volume: Volume }>();
  const [slab, setSlab] = useState(noSlab);
  const usual: Fetch = props.fetcher ?? ((url, init) => fetch(url, init));
  const stacks = useMemo(() => open?.volume.stacks(slab) ?? [], [open, slab]);
  useEffect(() => () => open?.volume.close(), [open]);
  const stackOf = (image: string) => props.stacks.find((x) => x.image === image);
  return {
    of: open?.image ?? '',
    volume: open?.volume,
    slab,
    stacks,
    fetcher: ((url, init) =>
      open && Volume.owns(url) ? open.volume.fetch(url, slab, init.signal) : usual(url, init)) satisfies Fetch,
    trouble: (image: string): string => {
      const stack = stackOf(image);
      const grid = stack ? gridOf(stack) : t.views.empty;
      return typeof grid === 'string' ? grid : '';
    },
    open: (image: string): Stack[] | undefined => {
      const stack = stackOf(image);
      if (!stack || typeof gridOf(stack) === 'string') return undefined;
      const volume = new Volume(stack, props.frameURL, usual, frames);
      setOpen({ image, volume });
      return volume.stacks(slab);
    },
    reslab: (to: Slab): Stack[] => {
      setSlab(to);
      return open?.volume.stacks(to) ?? [];
    },
    close: () => setOpen(undefined),
  };
}

const thicknesses = [0, 3, 5, 10, 20, 40];

interface SlabBarProps {
  volume: Volume;
  slab: Slab;
  onSlab: (slab: Slab) => void;
}

/** Chooses how thick planes across are, and what they show of it; while the volume comes, says how much of it is there. */
export function SlabBar({ volume, slab, onSlab }: SlabBarProps) {
  const missing = useSyncExternalStore(volume.subscribe, volume.missing);
  return (
    <div className={css.slab} data-testid="slab">
      <label>
        {t.views.slab}
        <select value={slab.thickness} onChange={(e) => onSlab({ ...slab, thickness: Number(e.target.value) })}>
          {thicknesses.map((mm) => (
            <option key={mm} value={mm}>
              {mm === 0 ? t.views.noSlab : `${mm} mm`}
            </option>
          ))}
        </select>
      </label>
      <select
        value={slab.mode}
        aria-label={t.views.slabMode}
        disabled={slab.thickness === 0}
        onChange={(e) => onSlab({ ...slab, mode: e.target.value as SlabMode })}
      >
        {Object.entries(t.views.slabModes).map(([mode, label]) => (
          <option key={mode} value={mode}>
            {label}
          </option>
        ))}
      </select>
      {missing > 0 ? <output>{t.views.coming(volume.count - missing, volume.count)}</output> : null}
    </div>
  );
}
