import { dayOf } from '../../lib/format';
import type { Conflict } from '../../lib/nouns';
import { t } from '../../lib/texts';
import form from '../../ui/form.module.css';
import css from './study.module.css';

const p = t.packages;

/** Conflicts lists what readers said differently on two machines of theirs: all of it is kept, and nothing is chosen here. */
export const Conflicts = ({ all }: { all: Conflict[] }) =>
  all.length === 0 ? null : (
    <section className={css.card} data-testid="conflicts">
      <h2>{p.conflicts(all.length)}</h2>
      <p className={form.soft}>{p.conflictsNote}</p>
      <ul className={css.conflicts}>
        {all.map((c) => (
          <li key={`${c.reader} ${c.assignment} ${c.kind} ${c.chain} ${c.part}`}>
            <strong>
              {c.reader} · {c.case} · {p.kinds[c.kind as keyof typeof p.kinds] ?? c.kind} {c.part}
            </strong>
            {c.versions.map((v) => (
              <span key={v.event} className={css.version}>
                <span>{answerOf(v.body)}</span>
                <span className={form.soft}>
                  {dayOf(v.at)} · {v.machine}
                </span>
                {v.counts && <span className={form.soft}>{p.counts}</span>}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );

// answerOf puts what was said into a word or two.
const answerOf = (body: Conflict['versions'][number]['body']): string =>
  body.rating?.support || body.look?.answer || body.chain_rating?.answer || body.own_answer?.answer || p.elsewhere;
