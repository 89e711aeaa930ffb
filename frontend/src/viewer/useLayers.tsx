import { useState } from 'react';
import { Drawings } from './drawings';
import { LayerList } from './LayerList';
import type { LayerLook } from './layers';
import { activePane } from './panes';
import type { PanesNow } from './usePanes';
import type { ViewsProps } from './Views';

/** How the layers of a case are looked at, in all panes alike, and the list that says so; to goes to a position in the active pane. */
export function useLayers(props: ViewsProps, { state, stackAt }: PanesNow, to: (position: number) => void) {
  const [looks, setLooks] = useState<Readonly<Record<string, LayerLook>>>({});
  const [listed, setListed] = useState(false);
  const [drawings] = useState(() => new Drawings());
  const { image, frame } = activePane(state);
  const frames = stackAt(state.active)?.frames ?? [];
  const list =
    listed && props.layers ? (
      <LayerList
        layers={props.layers}
        looks={looks}
        problems={props.layerProblems ?? []}
        image={image}
        frame={frames[frame]?.index ?? -1}
        off={props.showModelRegions === false}
        onLooks={setLooks}
        onFrame={(index) => {
          const at = frames.findIndex((f) => f.index === index);
          if (at >= 0) to(at); // a frame that the case does not show cannot be gone to
        }}
        onClose={() => setListed(false)}
      />
    ) : null;
  return { looks, drawings, list, toggle: (open = !listed) => setListed(open) };
}
