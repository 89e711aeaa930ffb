// Batches on the fake desk: a folder that is always the same, and results of which one failed and one is missing.
import type { BatchFolder, BatchOrder, KeptBatch } from '../lib/nouns';
import type { BatchActs } from './experimentActs';

/** fakeBatches makes the acts of batches; cases is how many there are. */
export const fakeBatches = (cases: number): BatchActs => {
  let kept: KeptBatch[] = [];
  const requestsOf = (o: BatchOrder) => (o.cases.length || cases) * Math.max(1, o.conditions.length);
  const folder = (dir: string): BatchFolder => {
    const b = kept.find((v) => v.dir === dir) ?? kept[0];
    if (!b) throw { kind: 'not_found', op: 'read batch', of: dir, text: `${dir}: the folder holds no batch.json` };
    return {
      dir: b.dir,
      run: b.run,
      known: true,
      model: b.model,
      style: b.style,
      stage: b.stage,
      requests: b.requests,
      files: ['requests-00001.jsonl'],
      results: [`${b.dir}/results.jsonl`],
    };
  };
  return {
    estimateBatch: async (order) => {
      const requests = requestsOf(order);
      const bytes = requests * (40 * 87_381 + 4096);
      const most = order.most_bytes || 200_000_000;
      return { requests, bytes, files: Math.ceil(bytes / most), rounds: 4 };
    },
    writeBatch: async (order) => {
      const requests = requestsOf(order);
      const dir = `${order.dir}/plumbline-batch-${kept.length + 1}`;
      const run = order.run || `run-batch-${kept.length + 1}`;
      const stage = 1 + kept.filter((b) => b.run === run).length;
      const batch: KeptBatch = {
        run,
        dir,
        style: order.style || 'openai',
        model: order.models[0] ?? kept[0]?.model ?? '',
        stage,
        requests,
        written: '2026-01-02T10:00:00Z',
        read: '',
        answered: 0,
        failed: 0,
        missing: 0,
      };
      kept = [batch, ...kept];
      return {
        run,
        dir,
        requests,
        stage,
        files: [
          { path: 'requests-00001.jsonl', requests, bytes: requests * 3_499_336, sha256: `sha256:${'5e'.repeat(32)}` },
        ],
        chains: 0,
        not_applicable: [],
        failed: [],
      };
    },
    batches: async () => kept.map((b) => ({ ...b })),
    lookIntoBatch: async (dir) => folder(dir),
    chooseResults: async () => ['/home/reader/results-2.jsonl'],
    readBatch: async (dir) => {
      const b = folder(dir);
      const answered = Math.max(0, b.requests - 2);
      kept = kept.map((v) =>
        v.dir === b.dir ? { ...v, read: '2026-01-03T08:00:00Z', answered, failed: 1, missing: 1 } : v,
      );
      return {
        run: b.run,
        answered,
        failed: 1,
        missing: ['rq-7c41d0a95e2b'],
        lacking: [{ id: 'rq-7c41d0a95e2b', case: 'C-05', condition: 'original', stage: b.stage }],
        unknown: 0,
        repeated: 1,
        problems: [],
        unparsed: 3,
        kinds: [{ kind: 'request', count: 1 }],
        missed: [{ model: b.model, case: 'C-02', condition: 'original', kind: 'request', text: 'Invalid image data' }],
        chains: 0,
        waiting: b.requests,
      };
    },
  };
};
