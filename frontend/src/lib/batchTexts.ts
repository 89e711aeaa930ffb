// The texts of batches: a part of the catalogue (texts.ts).
import { n } from './counted';

const count = (x: number) => x.toLocaleString('en');

export const batchTexts = {
  batches: {
    write: 'Write the next requests',
    writeNote:
      'A later stage is told what the earlier one says, so a chain of four questions goes out four times: write, have it answered, read, write again.',
    what: 'What goes out',
    fresh: 'A new run, as set up',
    goOn: (day: string, model: string, chains: number, of: number) =>
      `Go on: ${model}, ${day} (${count(chains)} of ${count(of)} chains done)`,
    model: 'Model',
    noModel: 'choose a model',
    noProfiles: 'A batch is for a model behind a profile. Add one in Set up.',
    asSetUp: (conditions: string, cases: string) => `${conditions} · ${cases}`,
    noConditions: 'No condition is chosen in Set up yet.',
    allCases: (c: number) => `all ${n(c, 'case')}`,
    someCases: (c: number) => n(c, 'case'),
    style: 'For',
    styles: {
      openai: 'OpenAI',
      vllm: 'vLLM run-batch',
      ray: 'Ray Data',
    } as Record<string, string>,
    styleNotes: {
      openai: 'JSON lines to upload; the pictures stand in the lines.',
      vllm: 'JSON lines; the pictures lie beside and are named by file://. Start vLLM with --allowed-local-media-path.',
      ray: 'Rows of messages and sampling_params; the pictures lie beside.',
    } as Record<string, string>,
    mostRequests: 'Requests a file',
    mostMegabytes: 'MB a file',
    comesTo: 'What it comes to, at the most',
    requests: 'requests, one a chain',
    size: 'size on the disk',
    files: 'files',
    rounds: 'rounds until every chain is done',
    nothing: 'Choose what goes out.',
    writeInto: 'Choose a folder and write…',
    chooseFolder: 'Folder for the batch',
    writing: 'Writing…',
    going: (done: number, all: number) => `${count(done)} of ${n(all, 'chain')}`,
    stop: 'Stop',
    why: {
      running: 'a run is under way',
      what: 'choose what goes out',
      model: 'choose a model',
      conditions: 'choose conditions in Set up',
      cases: 'take a case in Set up',
    },
    written: (requests: number, stage: number, files: number) =>
      `${n(requests, 'request')} of ${stage > 0 ? `stage ${stage}` : 'several stages'} written in ${n(files, 'file')}`,
    fileColumns: ['file', 'requests', 'size', 'SHA-256'],
    leftOut: (c: number, why: string) => `${count(c)} not written: ${why}`,
    notApplicable: (c: number) => `${n(c, 'chain')} not applicable`,
    read: 'Read results back',
    readNote: 'In any order, in part, and again. What is read is kept; what failed or is missing is written again.',
    listed: 'Batches of this workspace',
    none: 'None was written yet.',
    columns: { written: 'written', model: 'model', stage: 'stage', requests: 'requests', back: 'came back' },
    stageIs: (stage: number) => (stage > 0 ? `S${stage}` : 'several'),
    waiting: 'nothing yet',
    back: (answered: number, failed: number, missing: number) =>
      [
        `${count(answered)} answered`,
        failed > 0 && `${count(failed)} failed`,
        missing > 0 && `${count(missing)} missing`,
      ]
        .filter(Boolean)
        .join(', '),
    look: 'Read…',
    lookAt: (dir: string) => `Read results of ${dir}`,
    otherFolder: 'Another folder…',
    folderTitle: 'Folder of the batch',
    resultsTitle: 'Result files',
    found: (c: number) => (c === 0 ? 'No results*.jsonl lies there.' : `${n(c, 'result file')}:`),
    unknown: 'The run of this batch is not in this workspace: it was written in another one.',
    of: (requests: number, stage: number, model: string, style: string) =>
      `${n(requests, 'request')} of ${stage > 0 ? `stage ${stage}` : 'several stages'} to ${model}, ${style}`,
    otherFiles: 'Choose files…',
    take: (c: number) => `Read ${n(c, 'file')}`,
    taking: 'Reading…',
    noFiles: 'choose result files',
    taken: {
      answered: 'answered',
      unparsed: 'of them not readable',
      failed: 'failed',
      missing: 'missing',
      chains: 'chains done',
      waiting: 'chains wait for their next request',
    },
    failedNote: 'Failed, by kind',
    missing: (c: number) => `Missing: ${n(c, 'request')} without any line`,
    moreMissing: (c: number) => `and ${count(c)} more`,
    missedList: (c: number) => `List ${n(c, 'failure')}`,
    unknownLines: (c: number) => `${n(c, 'line')} of requests that this batch did not ask`,
    repeated: (c: number) => `${n(c, 'line')} came twice; the first answer counts`,
    problems: (c: number) => `${n(c, 'line')} could not be read`,
    next: 'Write what is left',
    allDone: 'Every chain is done.',
  },
};
