import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useGoing, useMakeWork, useMerge, usePackages } from '../../backend/packaging';
import { dayOf } from '../../lib/format';
import type { Merged, Packed, ReaderPackages } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { PassphraseDialog } from '../../ui/PassphraseDialog';
import { Conflicts } from './Conflicts';
import css from './study.module.css';

const p = t.packages;

/** PackagesTab carries work to readers who sit at workstations of their own, and takes their answers back. */
export const PackagesTab = () => {
  const packages = usePackages();
  const merge = useMerge();
  const [reader, setReader] = useState('');
  const make = useMakeWork();
  const made = make.data?.path ? make.data : undefined;
  const fault = packages.isError ? troubleOf(packages.error).text || t.fault.unknown : merge.fault;
  return (
    <div className={css.page} data-testid="packages">
      <div className={css.bar}>
        <Button look="primary" why={merge.busy ? p.working : ''} onClick={merge.choose} data-testid="merge">
          {p.merge}
        </Button>
        <span className={form.soft}>{p.note}</span>
      </div>
      {packages.data && (
        <p className={form.soft}>
          {p.ours} <code data-testid="fingerprint">{packages.data.fingerprint}</code>. {p.compare}
        </p>
      )}
      {fault && (
        <Trouble title={t.fault.title} text={fault}>
          {merge.otherKey && merge.trust !== merge.otherKey && (
            <Button onClick={merge.accept} data-testid="accept-key">
              {p.acceptKey(merge.otherKey)}
            </Button>
          )}
          {merge.trust && <span>{p.accepted}</span>}
          <Button onClick={merge.forget}>{t.fault.close}</Button>
        </Trouble>
      )}
      <div role="status">
        {merge.got && <TakenBack merged={merge.got} />}
        {made && <Made made={made} />}
      </div>
      {packages.data?.readers.length === 0 && <p className={form.soft}>{p.nobody}</p>}
      {!!packages.data?.readers.length && (
        <section className={css.card}>
          <table className={css.table}>
            <thead>
              <tr>
                <th>{p.columns.reader}</th>
                <th>{p.columns.assigned}</th>
                <th>{p.columns.given}</th>
                <th>{p.columns.back}</th>
                <th>
                  <span className="hidden">{p.columns.make}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {packages.data.readers.map((r) => (
                <Row key={r.reader} of={r} busy={make.isPending} onMake={() => setReader(r.reader)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Conflicts all={packages.data?.conflicts ?? []} />
      <MakeDialog reader={reader} make={make} onClose={() => setReader('')} />
      <PassphraseDialog
        opened={merge.asked}
        title={p.mergeTitle}
        note={p.lockedNote}
        action={p.merge}
        why={merge.why}
        busy={merge.busy}
        onGive={merge.give}
        onClose={merge.stop}
      />
    </div>
  );
};

const Row = ({ of, busy, onMake }: { of: ReaderPackages; busy: boolean; onMake: () => void }) => (
  <tr data-testid={`packages-${of.reader}`}>
    <td>{of.reader}</td>
    <td>{of.assigned || '–'}</td>
    <td>
      {of.given ? dayOf(of.given) : '–'}
      {of.given && of.given_for < of.assigned && (
        <span className={form.note}> {p.more(of.assigned - of.given_for)}</span>
      )}
    </td>
    <td>
      {of.machines.length === 0
        ? '–'
        : of.machines.map((m) => (
            <span key={m.machine} className={css.machine} title={p.machineKey(m.machine, m.fingerprint)}>
              {dayOf(m.taken)} · {p.events(m.events)} · <code>{m.fingerprint.slice(0, 9)}…</code>
            </span>
          ))}
    </td>
    <td>
      <Button
        why={of.assigned === 0 ? p.nothingAssigned : busy ? p.working : ''}
        onClick={onMake}
        data-testid={`make-${of.reader}`}
      >
        {p.make}
      </Button>
    </td>
  </tr>
);

const leastPassphrase = 10; // as the desk asks

const MakeDialog = ({
  reader,
  make,
  onClose,
}: {
  reader: string;
  make: ReturnType<typeof useMakeWork>;
  onClose: () => void;
}) => {
  const { going, stop } = useGoing(make.isPending);
  return (
    <PassphraseDialog
      opened={reader !== ''}
      going={going}
      title={p.makeTitle(reader)}
      note={p.makeNote}
      action={p.make}
      least={leastPassphrase}
      busy={make.isPending}
      why={make.isError ? troubleOf(make.error).text || t.fault.unknown : ''}
      onGive={(passphrase) => make.mutate({ reader, passphrase, recipient: '' }, { onSuccess: onClose })}
      onClose={() => {
        stop();
        make.reset();
        onClose();
      }}
    />
  );
};

const Made = ({ made }: { made: Packed }) => (
  <p className={form.soft} data-testid="made">
    {p.made(made.path, made.reads, made.training, made.frames)}
    {made.problems.length > 0 && ` ${p.unshown(made.problems.length)}`}
  </p>
);

const TakenBack = ({ merged }: { merged: Merged }) => (
  <div className={form.soft} data-testid="merged">
    <p>{p.merged(merged.reader, merged.events_new, merged.events_known)}</p>
    {merged.first && <p>{p.firstKey(merged.reader, merged.fingerprint)}</p>}
    {merged.notices.map((n) => (
      <p key={n}>{n}</p>
    ))}
  </div>
);
