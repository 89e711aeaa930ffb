import { type ReactNode, useState } from 'react';
import { useChooseResults, useLookIntoBatch, useReadBatch } from '../../backend/batching';
import { troubleOf } from '../../backend/client';
import { useGoing } from '../../backend/packaging';
import { dayOf } from '../../lib/format';
import type { BatchFolder, BatchTaken, KeptBatch } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Head } from '../../ui/Head';
import css from './batches.module.css';

const x = t.batches;

interface Props {
  batches: readonly KeptBatch[];
  running: boolean;
  /** What is left of a run is to be written next. */
  onNext: (run: string) => void;
}

/** ReadBatch lists the batches that went out, and takes the results of one in. */
export const ReadBatch = ({ batches, running, onNext }: Props) => {
  const look = useLookIntoBatch(x.folderTitle);
  const [results, setResults] = useState<string[]>([]);
  const read = useReadBatch();
  const { going, stop } = useGoing(read.isPending, x.going);
  const folder = look.data ?? undefined;
  const open = (dir: string) => {
    read.reset();
    look.mutate(dir, { onSuccess: (found) => setResults(found?.results ?? []) });
  };
  const failed = [look, read].find((act) => act.isError);
  return (
    <section className={form.card} aria-label={x.read} data-testid="batch-read">
      <div className={form.bar}>
        <h2>{x.read}</h2>
        <Button className={form.end} onClick={() => open('')} data-testid="batch-folder">
          {x.otherFolder}
        </Button>
      </div>
      <span className={form.note}>{x.readNote}</span>
      {batches.length === 0 ? (
        <span className={form.soft}>{x.none}</span>
      ) : (
        <List batches={batches} chosen={folder?.dir ?? ''} onLook={open} />
      )}
      {failed && (
        <Trouble title={t.fault.title} text={troubleOf(failed.error).text || t.fault.unknown}>
          <Button onClick={() => failed.reset()}>{t.fault.close}</Button>
        </Trouble>
      )}
      {folder && (
        <Folder
          of={folder}
          results={results}
          onResults={setResults}
          why={
            running
              ? x.why.running
              : !folder.known
                ? x.unknown
                : results.length === 0
                  ? x.noFiles
                  : read.isPending
                    ? x.taking
                    : ''
          }
          onRead={() => read.mutate({ dir: folder.dir, results })}
        />
      )}
      {read.isPending && (
        <div className={form.bar}>
          <span className={form.soft} role="status">
            {going || x.taking}
          </span>
          <Button onClick={stop}>{x.stop}</Button>
        </div>
      )}
      {read.data && <Taken of={read.data} onNext={() => onNext(read.data.run)} />}
    </section>
  );
};

interface ListProps {
  batches: readonly KeptBatch[];
  chosen: string;
  onLook: (dir: string) => void;
}

const List = ({ batches, chosen, onLook }: ListProps) => (
  <div className={css.listed}>
    <table className={form.table} aria-label={x.listed} data-testid="batch-list">
      <Head columns={Object.values(x.columns)}>
        <th scope="col">
          <span className="hidden">{x.look}</span>
        </th>
      </Head>
      <tbody>
        {batches.map((b) => (
          <tr key={b.dir} title={b.dir} data-chosen={b.dir === chosen || undefined}>
            <td>{dayOf(b.written)}</td>
            <td>{b.model}</td>
            <td>{x.stageIs(b.stage)}</td>
            <td>{b.requests.toLocaleString('en')}</td>
            <td>{b.read === '' ? x.waiting : x.back(b.answered, b.failed, b.missing)}</td>
            <td>
              <Button aria-label={x.lookAt(b.dir)} onClick={() => onLook(b.dir)} data-testid="batch-look">
                {x.look}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface FolderProps {
  of: BatchFolder;
  results: readonly string[];
  onResults: (results: string[]) => void;
  why: string;
  onRead: () => void;
}

const nameOf = (path: string) => path.split(/[\\/]/).pop() ?? path;

const Folder = ({ of, results, onResults, why, onRead }: FolderProps) => {
  const choose = useChooseResults(x.resultsTitle);
  return (
    <div className={css.outcome} data-testid="batch-found">
      <strong>{x.of(of.requests, of.stage, of.model, x.styles[of.style] ?? of.style)}</strong>
      <code className={css.path}>{of.dir}</code>
      {!of.known && <span className={form.warn}>{x.unknown}</span>}
      <span className={form.soft}>
        {x.found(results.length)} {results.map(nameOf).join(', ')}
      </span>
      {choose.isError && <Trouble title={t.fault.title} text={troubleOf(choose.error).text || t.fault.unknown} />}
      <div className={form.bar}>
        <Button look="primary" why={why} onClick={onRead} data-testid="batch-take">
          {results.length === 0 ? x.read : x.take(results.length)}
        </Button>
        <Button
          onClick={() => choose.mutate(undefined, { onSuccess: (files) => files.length > 0 && onResults(files) })}
          data-testid="batch-files"
        >
          {x.otherFiles}
        </Button>
      </div>
    </div>
  );
};

const More = ({ title, testid, children }: { title: string; testid: string; children: ReactNode }) => (
  <details className={css.more} data-testid={testid}>
    <summary>{title}</summary>
    <ul>{children}</ul>
  </details>
);

const Taken = ({ of, onNext }: { of: BatchTaken; onNext: () => void }) => {
  const counts = {
    answered: of.answered,
    unparsed: of.unparsed,
    failed: of.failed,
    missing: of.missing.length,
    chains: of.chains,
    waiting: of.waiting,
  };
  return (
    <div className={css.outcome} data-testid="batch-taken" role="status">
      <dl className={css.counts}>
        {(Object.keys(counts) as (keyof typeof counts)[]).map((k) => (
          <div key={k} data-lacks={((k === 'failed' || k === 'missing') && counts[k] > 0) || undefined}>
            <dd data-testid={`taken-${k}`}>{counts[k].toLocaleString('en')}</dd>
            <dt>{x.taken[k]}</dt>
          </div>
        ))}
      </dl>
      {of.kinds.map((k) => (
        <span key={k.kind} className={form.warn}>
          {k.count.toLocaleString('en')} {t.experiment.kinds[k.kind] ?? k.kind}
        </span>
      ))}
      {of.missed.length > 0 && (
        <More title={x.missedList(of.missed.length)} testid="batch-missed">
          {of.missed.map((m) => (
            <li key={`${m.case}/${m.condition}`} dir="auto">
              {m.case} · <code>{m.condition}</code> · {m.text}
            </li>
          ))}
        </More>
      )}
      {of.missing.length > 0 && (
        <More title={x.missing(of.missing.length)} testid="batch-missing">
          {of.lacking.map((l) => (
            <li key={l.id}>
              {l.case} · <code>{l.condition}</code> · <code>{l.id}</code>
            </li>
          ))}
          {of.missing.length > of.lacking.length && <li>{x.moreMissing(of.missing.length - of.lacking.length)}</li>}
        </More>
      )}
      {of.problems.length > 0 && (
        <More title={x.problems(of.problems.length)} testid="batch-problems">
          {of.problems.map((p) => (
            <li key={p} dir="auto">
              {p}
            </li>
          ))}
        </More>
      )}
      {of.unknown > 0 && <span className={form.note}>{x.unknownLines(of.unknown)}</span>}
      {of.repeated > 0 && <span className={form.note}>{x.repeated(of.repeated)}</span>}
      <div className={form.bar}>
        {of.waiting > 0 ? (
          <Button look="primary" onClick={onNext} data-testid="batch-next">
            {x.next}
          </Button>
        ) : (
          <span className={form.soft}>{x.allDone}</span>
        )}
      </div>
    </div>
  );
};
