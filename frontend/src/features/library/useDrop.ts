import { useEffect, useState } from 'react';
import { useBackend } from '../../backend/queries';

/** useDrop hears folders dropped on the window; it tells whether something is being dragged over it now. */
export const useDrop = (onPaths: (paths: string[]) => void): boolean => {
  const backend = useBackend();
  const [over, setOver] = useState(false);
  useEffect(() => backend.onDrop(onPaths), [backend, onPaths]);
  useEffect(() => {
    const enter = (e: DragEvent) => setOver([...(e.dataTransfer?.types ?? [])].includes('Files'));
    const leave = (e: DragEvent) => e.relatedTarget === null && setOver(false);
    const drop = () => setOver(false);
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return over;
};
