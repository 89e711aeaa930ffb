import type { ArchivedStudy } from '../../lib/nouns';
import { t } from '../../lib/texts';
import css from './archive.module.css';
import library from './library.module.css';

const a = t.archive;

interface Props {
  studies: readonly ArchivedStudy[];
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
}

/** ArchiveStudies lists studies of an archive, some of them chosen. */
export const ArchiveStudies = ({ studies, chosen, onChosen }: Props) => {
  if (studies.length === 0) return <p className={library.none}>{a.none}</p>;
  const all = studies.every((s) => chosen.has(s.uid));
  const set = (uids: string[], on: boolean) => {
    const next = new Set(chosen);
    for (const uid of uids) on ? next.add(uid) : next.delete(uid);
    onChosen(next);
  };
  return (
    <section className={css.studies} tabIndex={0} aria-label={a.title} data-testid="archive-studies">
      <table>
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label={a.all}
                checked={all}
                onChange={() =>
                  set(
                    studies.map((s) => s.uid),
                    !all,
                  )
                }
                data-testid="archive-all"
              />
            </th>
            {Object.values(a.columns).map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {studies.map((s) => (
            <tr key={s.uid} onClick={() => set([s.uid], !chosen.has(s.uid))} data-chosen={chosen.has(s.uid)}>
              <td>
                <input
                  type="checkbox"
                  aria-label={a.choose([s.date, s.modalities.join(' '), s.patient].filter(Boolean).join(', ') || s.uid)}
                  checked={chosen.has(s.uid)}
                  onClick={(e) => e.stopPropagation()}
                  onChange={(e) => set([s.uid], e.target.checked)}
                  data-testid={`archive-study-${s.uid}`}
                />
              </td>
              <td>{s.date}</td>
              <td>{s.modalities.join(' ')}</td>
              <td>{s.patient}</td>
              <td>{s.description || <span className={library.soft}>{a.unnamed}</span>}</td>
              <td>{s.instances > 0 ? s.instances.toLocaleString('en') : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
