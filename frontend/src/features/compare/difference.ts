// The difference of two pictures, after − before, as a stack that the viewer shows like any other.
import type { Stack } from '../../lib/nouns';

const scheme = 'difference:';

/** differenceStack is what is shown of two stacks: the frames that both have. Undefined where they cannot be subtracted. */
export const differenceStack = (before: Stack | undefined, after: Stack | undefined): Stack | undefined => {
  if (!before || !after) return undefined;
  const frames = after.frames.flatMap((f) => {
    const from = before.frames.find((b) => b.index === f.index);
    if (!from || from.rows !== f.rows || from.columns !== f.columns || f.samples !== 1 || from.samples !== 1) return [];
    const width = f.unit === 'HU' ? 400 : 2 ** Math.min(12, f.bits_stored) / 2;
    return {
      ...f,
      bits_allocated: 16,
      bits_stored: 16,
      signed: true,
      photometric: 'MONOCHROME2',
      intercept: 0,
      windows: [{ center: 0, width, explanation: '' }],
      voi_function: 'LINEAR',
      padding: undefined,
      padding_limit: undefined,
      invert: false,
      modality_lut: undefined,
      voi_luts: undefined,
    };
  });
  return frames.length > 0 ? { ...after, modality: '', frames } : undefined;
};

/** differenceURL names a frame of a difference. */
export const differenceURL = (n: number): string => `${scheme}${n}`;

type Samples = Int8Array | Uint8Array | Int16Array | Uint16Array | Float32Array;

const readers: Record<string, (b: ArrayBuffer) => Samples> = {
  int8: (b) => new Int8Array(b),
  uint8: (b) => new Uint8Array(b),
  int16: (b) => new Int16Array(b),
  uint16: (b) => new Uint16Array(b),
  float32: (b) => new Float32Array(b),
};

const kindOf = 'X-Plumbline-Samples';

/** subtracted takes one set of samples from another, within the range of 16 bits. */
export const subtracted = (before: Samples, after: Samples): Int16Array =>
  Int16Array.from(after, (v, i) => Math.max(-32768, Math.min(32767, v - (before[i] ?? 0))));

/** differenceFetcher fetches both pictures of a frame and gives their difference. */
export const differenceFetcher =
  (before: (n: number) => string, after: (n: number) => string) =>
  async (url: string, init: { signal: AbortSignal }): Promise<Response> => {
    const n = Number(url.slice(scheme.length));
    const both = await Promise.all([fetch(before(n), init), fetch(after(n), init)]);
    const failed = both.find((r) => !r.ok);
    if (failed) return failed;
    const [a, b] = await Promise.all(
      both.map(async (r) => readers[r.headers.get(kindOf) ?? '']?.(await r.arrayBuffer())),
    );
    if (!a || !b || a.length !== b.length) return new Response('the pictures are of two kinds', { status: 422 });
    return new Response(subtracted(a, b).buffer as ArrayBuffer, { headers: { [kindOf]: 'int16' } });
  };
