import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useAddSite, usePoolSites } from '../../backend/exporting';
import type { PooledSites } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { Head } from '../../ui/Head';
import css from './export.module.css';

const x = t.export.pool;

/** PoolSites adds up what sites gave each other: folders of the format federation. */
export const PoolSites = () => {
  const [dirs, setDirs] = useState<string[]>([]);
  const add = useAddSite(x.chooseTitle);
  const pooled = usePoolSites(dirs);
  const wrong = add.error ?? pooled.error;
  return (
    <section className={css.order} data-testid="pool">
      <h1>{x.title}</h1>
      <p className={form.note}>{x.note}</p>
      <ul className={css.sites} aria-label={x.folders}>
        {dirs.map((dir) => (
          <li key={dir}>
            <code>{dir}</code>
            <Button look="quiet" onClick={() => setDirs(dirs.filter((d) => d !== dir))} aria-label={x.leaveOut(dir)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <div className={css.ends}>
        <Button
          look={dirs.length === 0 ? 'primary' : undefined}
          onClick={() => add.mutate(undefined, { onSuccess: (dir) => dir && setDirs([...new Set([...dirs, dir])]) })}
          data-testid="pool-add"
        >
          {x.add}
        </Button>
      </div>
      {wrong && <Trouble title={t.fault.title} text={troubleOf(wrong).text || t.fault.unknown} />}
      {dirs.length > 0 && pooled.data && <Pooled pooled={pooled.data} />}
    </section>
  );
};

const Pooled = ({ pooled: p }: { pooled: PooledSites }) => (
  <section className={css.written} data-testid="pooled">
    <p role="status">{x.sums(p.sites.length, p.cases, p.patients)}</p>
    {p.conflicts.length > 0 && (
      <Trouble
        title={x.conflicts(p.conflicts.length)}
        text={p.conflicts.map((c) => `\n${c.site}, ${c.study}, ${c.made}: ${c.why}`).join('')}
      />
    )}
    {p.sites.length > 0 && (
      <table aria-label={x.sites}>
        <Head columns={[x.site, x.study, x.made, x.key, t.export.cases]} />
        <tbody>
          {p.sites.map((s) => (
            <tr key={`${s.site} ${s.study}`}>
              <td>{s.site}</td>
              <td>{s.study}</td>
              <td>{s.made.slice(0, 10)}</td>
              <td>
                <code>{s.key}</code>
              </td>
              <td className={css.n}>{s.cases}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {p.shares.length > 0 && (
      <table aria-label={x.shares}>
        <Head columns={[x.of, x.model, x.condition, x.stage, x.value, x.share, x.n]} />
        <tbody>
          {p.shares.map((s) => (
            <tr key={[s.of, s.model, s.condition, s.k, s.value].join(' ')}>
              <td>{s.of}</td>
              <td>{s.model}</td>
              <td>{s.condition}</td>
              <td className={css.n}>{s.k}</td>
              <td>{s.value}</td>
              <td className={css.n}>{s.share.toFixed(2)}</td>
              <td className={css.n}>{s.n}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);
