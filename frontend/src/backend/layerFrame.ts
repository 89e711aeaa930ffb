// What a layer draws over a frame, as the desk gives it by its address.
import type { LayerFrame } from './client';

/** loadLayer fetches a drawing; it rejects with a sentence. */
export const loadLayer = async (url: string, signal: AbortSignal): Promise<LayerFrame> => {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error((await response.text()).trim() || `status ${response.status}`);
  const [rows = 0, columns = 0] = (response.headers.get('X-Plumbline-Size') ?? '').split(' ').map(Number);
  const kind = response.headers.get('X-Plumbline-Samples');
  const bytes = await response.arrayBuffer();
  const width = { float32: 4, rgb8: 3 }[kind ?? ''] ?? 1;
  if (bytes.byteLength !== rows * columns * width) {
    throw new Error(`${bytes.byteLength} bytes came for ${columns} × ${rows} of ${kind ?? 'nothing'}`);
  }
  return { rows, columns, data: kind === 'float32' ? new Float32Array(bytes) : new Uint8Array(bytes) };
};
