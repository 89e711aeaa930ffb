import { type FormEvent, useState } from 'react';
import { useArchive, useFindStudies } from '../../backend/archive';
import { troubleOf } from '../../backend/client';
import type { Archive, ArchiveAsk, ArchivedStudy } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, cx } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';
import { type By, Login } from './ArchiveLogin';
import { ArchiveStudies } from './ArchiveStudies';
import css from './archive.module.css';
import library from './library.module.css';
import type { LongAct } from './useLongAct';

const a = t.archive;

interface Props {
  /** address of the archive; '' closes the dialog. */
  address: string;
  long: LongAct;
  onClose: () => void;
}

/** ArchiveDialog asks an archive which studies it has and brings in those that are chosen. It is away while they come, and back if they do not. */
export const ArchiveDialog = ({ address, long, onClose }: Props) => {
  const archive = useArchive(address);
  const why = archive.isError ? troubleOf(archive.error).text || t.fault.unknown : '';
  return (
    <Dialog
      opened={address !== '' && !long.busy}
      onClose={onClose}
      title={a.title}
      size={760}
      keepMounted={address !== ''}
    >
      {archive.data ? (
        <Ask key={address} archive={archive.data} long={long} onClose={onClose} />
      ) : (
        <>
          <p role="status">{why || a.reading}</p>
          <span className={css.ends}>
            <Button onClick={onClose}>{t.fault.close}</Button>
          </span>
        </>
      )}
    </Dialog>
  );
};

const noLogin = { by: '' as By, user: '', secret: '', keep: false };

const Ask = ({ archive, long, onClose }: { archive: Archive; long: LongAct; onClose: () => void }) => {
  const [agreed, setAgreed] = useState(false);
  const [login, setLogin] = useState(noLogin);
  const [wanted, setWanted] = useState({ patient: '', modality: '', from: '', to: '' });
  const [found, setFound] = useState<{ studies: ArchivedStudy[]; more: boolean; note: string }>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(archive.study ? [archive.study] : []));
  const find = useFindStudies();
  const here = archive.reach === 'loopback';
  const open = here || agreed;
  const whole =
    login.by === '' || login.by === 'kept' || (login.secret !== '' && (login.by === 'token' || login.user !== ''));
  const stops = open ? (whole ? '' : a.loginFirst) : a.agreeFirst(archive.host);
  const ask: ArchiveAsk = { address: archive.address, agreed: agreed ? archive.host : '', login };
  const search = (skip: number) =>
    find.mutate(
      { ask, wanted: { ...wanted, skip } },
      {
        onSuccess: (got) => {
          const before = skip > 0 ? (found?.studies ?? []) : [];
          setFound({ ...got, studies: [...before, ...got.studies] });
          if (skip === 0 && !archive.study) setChosen(new Set());
        },
      },
    );
  const bring = async () => {
    if (await long.fetch(ask, [...chosen])) onClose();
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (!stops && !find.isPending) search(0);
  };
  const trouble = find.isError ? troubleOf(find.error).text || t.fault.unknown : long.fault;
  return (
    <form className={css.form} onSubmit={submit} data-testid="archive">
      <Contact archive={archive} agreed={agreed} onAgreed={setAgreed} />
      <Login login={login} onLogin={setLogin} />
      {archive.study ? (
        <p className={library.soft}>{a.oneStudy}</p>
      ) : (
        <div className={css.search}>
          {(['patient', 'modality', 'from', 'to'] as const).map((name) => (
            <label key={name} className={css.field}>
              <span>{a[name]}</span>
              <input
                className={library.input}
                spellCheck={false}
                placeholder={a.hints[name]}
                value={wanted[name]}
                onChange={(e) => setWanted({ ...wanted, [name]: e.target.value })}
                data-testid={`archive-${name}`}
              />
            </label>
          ))}
          <Button type="submit" why={stops || (find.isPending ? a.finding : '')} data-testid="archive-find">
            {find.isPending ? a.finding : a.find}
          </Button>
        </div>
      )}
      {trouble && (
        <p role="alert" className={css.why} data-testid="archive-why">
          {trouble}
        </p>
      )}
      {found?.note && <p className={library.soft}>{found.note}</p>}
      {found && <ArchiveStudies studies={found.studies} chosen={chosen} onChosen={setChosen} />}
      <span className={css.ends}>
        {found && found.studies.length > 0 && (
          <span role="status" className={cx(library.soft, css.count)} data-testid="archive-found">
            {a.found(found.studies.length, found.more)}
          </span>
        )}
        {found?.more && <Button onClick={() => search(found.studies.length)}>{a.more}</Button>}
        <Button onClick={onClose}>{t.library.cancel}</Button>
        <Button
          look="primary"
          why={stops || (chosen.size === 0 ? a.chooseFirst : '')}
          onClick={bring}
          data-testid="archive-bring"
        >
          {a.bring(chosen.size)}
        </Button>
      </span>
    </form>
  );
};

/** Contact names who would be contacted and what they learn, and asks for consent where that is not this machine. */
const Contact = ({
  archive,
  agreed,
  onAgreed,
}: {
  archive: Archive;
  agreed: boolean;
  onAgreed: (v: boolean) => void;
}) => {
  const reach = archive.reach === 'private' || archive.reach === 'public' ? archive.reach : 'name';
  return (
    <div className={css.contact}>
      <code>{archive.address}</code>
      {archive.reach === 'loopback' ? (
        <p className={library.soft}>{a.here}</p>
      ) : (
        <>
          <p className={library.soft}>
            {a.reach[reach](archive.host)} {a.learns} {archive.plain && a.plain}
          </p>
          <label className={css.agree}>
            <input
              type="checkbox"
              checked={agreed}
              onChange={(e) => onAgreed(e.target.checked)}
              data-testid="archive-agree"
            />
            {a.consent(archive.host)}
          </label>
        </>
      )}
    </div>
  );
};
