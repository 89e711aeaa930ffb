import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { ViewerHandle } from './props';

/**
 * useDrawing gives the keys to the crosshair while a tool draws, and to what stands beside the picture when it is done. It acts before
 * anything else can be pressed: the next key already belongs to the crosshair.
 */
export const useDrawing = (
  draws: boolean,
  viewer: RefObject<ViewerHandle | null>,
  beside: RefObject<HTMLElement | null>,
) => {
  const drew = useRef(false);
  useLayoutEffect(() => {
    if (draws) viewer.current?.crosshair(true);
    else if (drew.current) {
      viewer.current?.crosshair(false);
      beside.current?.focus({ preventScroll: true });
    }
    drew.current = draws;
  }, [draws, viewer, beside]);
};
