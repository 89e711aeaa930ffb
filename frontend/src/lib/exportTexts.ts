// What the Export tab says.

const count = (x: number, noun: string) => `${x.toLocaleString('en')} ${noun}${x === 1 ? '' : 's'}`;

export const exportTexts = {
  title: 'Write what was read for other programs',
  formats: 'Formats',
  for: {
    reading: 'What was said',
    training: 'Training data',
    images: 'Regions on images',
    sites: 'Other sites',
  } as Record<string, string>,
  pick: 'Pick a format on the left.',
  files: 'Files',
  split: 'Parts',
  splitNote:
    'Shares that add up to 1. One patient, study or image, and one group of paraphrases, is never in two parts.',
  splitUsual: 'train=0.8,test=0.2',
  splitNone: 'Not split: every row is in one file. Name shares to split.',
  seed: 'Seed',
  seedNote: 'Empty: that of the workspace. It is kept in the manifest.',
  singles: 'Labels of one reader alone count too',
  singlesNote: 'Without, a label counts where it is adjudicated or two readers agree.',
  against: 'Keep apart from another export',
  againstNote: 'The manifest.json of the test set: none of its images may be trained on here.',
  chooseTitle: 'Folder for the export',
  write: 'Export…',
  writing: 'Writing…',
  going: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')} cases`,
  cancel: 'Cancel',
  blocked: 'Blocked: the same patient or image would be on two sides.',
  nothing: 'There is nothing to write in this format yet.',
  written: (files: number, pictures: number, dir: string) =>
    `${count(files, 'file')}${pictures > 0 ? `, ${count(pictures, 'picture')} among them` : ''}, in ${dir}`,
  unit: 'What',
  in: 'In',
  out: 'Out',
  side: 'Left aside, and why',
  part: 'Part',
  cases: 'Cases',
  clusters: 'Clusters',
  table: 'What came in and what went out',
  parts: 'The split',
};
