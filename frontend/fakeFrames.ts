// Frames for the fake desk: a thorax drawn from ellipses, as int16 samples in HU. Only `vite --mode fake` serves them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';

const size = 256;
const inside = (x: number, y: number, cx: number, cy: number, rx: number, ry: number) =>
  ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1;

const huAt = (x: number, y: number, n: number, without = false): number => {
  if (!inside(x, y, 128, 132, 112, 82)) return -1000;
  const grain = ((x * 31 + y * 17 + n * 13) % 41) - 20;
  if (inside(x, y, 183, 100, 7, 7) && n > 13 && n < 22 && !without) return 40 + grain;
  if (inside(x, y, 84, 128, 43, 56) || inside(x, y, 172, 128, 41, 56)) return -840 + 2 * grain;
  if (inside(x, y, 131, 187, 14, 14)) return 420 + grain;
  return inside(x, y, 133, 146, 26, 30) ? 45 + grain : -60 + grain;
};

// With a condition that takes the finding away it is not there.
const frame = (n: number, without: boolean): Buffer => {
  const samples = new Int16Array(size * size);
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) samples[y * size + x] = huAt(x, y, n, without);
  return Buffer.from(samples.buffer);
};

// A small picture as a bitmap, which needs no codec: grey, one byte a pixel, from the lowest row up.
const small = (n: number): Buffer => {
  const side = 64;
  const start = 54 + 256 * 4;
  const out = Buffer.alloc(start + side * side);
  out.write('BM', 0);
  for (const [at, v] of [
    [2, out.length],
    [10, start],
    [14, 40],
    [18, side],
    [22, side],
    [34, side * side],
  ] as const)
    out.writeUInt32LE(v, at);
  out.writeUInt16LE(1, 26);
  out.writeUInt16LE(8, 28);
  for (let i = 0; i < 256; i++) out.fill(i, 54 + 4 * i, 57 + 4 * i);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      out[start + (side - 1 - y) * side + x] = Math.max(
        0,
        Math.min(255, ((huAt(4 * x, 4 * y, n) + 1350) / 1500) * 255),
      );
  return out;
};

const serve = (request: IncomingMessage, response: ServerResponse, next: () => void) => {
  const thumb = /^\/thumbs\/[^/]+\/[^/]+\/(\d+)$/.exec(request.url ?? '')?.[1];
  if (thumb !== undefined) {
    response.setHeader('Content-Type', 'image/bmp');
    response.end(small(Number(thumb)));
    return;
  }
  const [, n, as = ''] = /^\/frames\/[^/]+\/[^/]+\/(\d+)(\?.*)?$/.exec(request.url ?? '') ?? [];
  if (n === undefined) return next();
  response.setHeader('Content-Type', 'application/octet-stream');
  response.setHeader('X-Plumbline-Samples', 'int16');
  response.end(frame(Number(n), decodeURIComponent(as).includes('/occ')));
};

/** fakeFrames answers /frames/… and /thumbs/… while the fake desk is looked at. */
export const fakeFrames = (): Plugin => ({
  name: 'fake-frames',
  configureServer: (server) => void server.middlewares.use(serve),
  configurePreviewServer: (server) => void server.middlewares.use(serve),
});
