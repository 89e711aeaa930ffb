// Exports of the fake desk: one of each kind, one that leaks, one that finds nothing.
import type { Exported, ExportFormat, ExportOrder } from '../lib/nouns';
import type { ExportActs } from './exportActs';

const format = (name: string, title: string, of: string, split: boolean, path: string): ExportFormat => ({
  name,
  title,
  for: of,
  split,
  labels: split,
  prompts: split,
  signed: name === 'federation',
  files: [{ path, fields: ['messages[{role,content}]', 'images[path]'] }],
});

const formats: ExportFormat[] = [
  format('csv', 'tables as CSV', 'reading', false, 'ratings.csv'),
  format('parquet', 'tables as Parquet', 'reading', false, 'ratings.parquet'),
  format('jsonl', 'our own records, lossless', 'reading', false, 'cases.jsonl'),
  format('llamafactory-sft', 'stepwise fine-tuning for LLaMA-Factory', 'training', true, 'sft_a.PART.json'),
  format('trl-dpo', 'preference pairs for TRL', 'training', true, 'dpo.PART.jsonl'),
  format('coco', 'regions as COCO', 'images', false, 'annotations.json'),
  format('dicom-sr', 'regions as DICOM SR (TID 1500, SCOORD)', 'images', false, 'sr/CASE/IMAGE-OBSERVER.dcm'),
  format(
    'federation',
    'labels and counts for another site: no images, no words, pseudonyms',
    'sites',
    false,
    'site.json',
  ),
];

const written = (o: ExportOrder): Exported => ({
  dir: `${o.dir}/plumbline-${o.format}`,
  files: 29,
  pictures: 18,
  units: [
    { unit: 'cases', in: 24, out: 22, side: [{ n: 2, why: 'a question without a known right answer' }] },
    { unit: 'questions to corrupt', in: 106, out: 106, side: [] },
  ],
  parts: formats.find((f) => f.name === o.format)?.split
    ? [
        { name: 'train', share: 0.8, cases: 19, clusters: 10, patients: 10, images: 14 },
        { name: 'test', share: 0.2, cases: 5, clusters: 2, patients: 2, images: 4 },
      ]
    : [],
  warnings: ['The dataset names no licence: find out what may be done with it before passing anything on.'],
});

/** fakeExport gives the acts; refuse makes the trouble of a refusal. */
export const fakeExport = (refuse: (op: string, why: string) => unknown): ExportActs => ({
  exportFormats: async () => formats,
  chooseList: async () => '/home/reader/export/manifest.json',
  poolSites: async (dirs) => ({
    sites: dirs.map((_, i) => ({
      site: `site-${i + 1}`,
      study: 'effusions',
      made: '2026-11-30T10:00:00Z',
      key: 'K3QP-7TZA-9MND-2WXE-H4LC-V6RB',
      cases: 24,
    })),
    cases: 24 * dirs.length,
    patients: 12 * dirs.length,
    clusters: 12 * dirs.length,
    shares: [1, 2, 3, 4].flatMap((k) =>
      (['correct', 'supported'] as const).map((value) => ({
        of: value === 'correct' ? 'answers' : 'ratings',
        model: 'oracle-pixels',
        condition: 'original',
        k,
        value,
        n: 40 * dirs.length,
        share: 1 - k / 10,
      })),
    ),
    conflicts:
      dirs.length > 1
        ? [
            {
              site: 'site-9',
              study: 'effusions',
              made: '2026-11-29T10:00:00Z',
              why: 'signed with K3QP-…, something else under this name with another key: ask the site which is its own; neither is pooled',
            },
          ]
        : [],
  }),
  exportAs: async (order) => {
    if (order.against !== '') {
      throw refuse(
        'write export',
        'blocked by leakage: image sha256:0f3a is in train here and test there (cases C-01, C-07)',
      );
    }
    return written(order);
  },
});
