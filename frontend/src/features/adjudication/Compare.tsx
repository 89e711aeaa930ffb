import type { DisagreementView, UnnamedRead } from '../../lib/nouns';
import { gradeOf, type Row } from '../../lib/rubric';
import { t } from '../../lib/texts';
import { Chip, cx } from '../../ui/basics';
import css from './adjudication.module.css';
import { saidOf } from './draft';
import { fieldsShown, type ItemState } from './Item';
import { marksOf } from './Picture';

/** sign is the shape that stands for a read, here and on the picture. */
export const sign = (number: number): string => '■●▲◆'[(number - 1) % 4] as string;

/** Compare puts the reads beside each other; what they disagree on stands out, what all say alike steps back. */
export const Compare = ({ item }: { item: ItemState }) => {
  const { view } = item;
  const rows = rowsCompared(view, item);
  return (
    <div className={css.compare}>
      <h2 className="hidden">{t.adjudication.reads}</h2>
      <table
        className={cx(css.reads, view.unnamed.length + (view.final ? 1 : 0) > 3 && css.narrow)}
        data-testid="reads"
      >
        <thead>
          <tr>
            <th>
              <span className="hidden">{t.adjudication.field}</span>
            </th>
            {view.unnamed.map((u) => (
              <th
                key={u.number}
                scope="col"
                onMouseEnter={() => item.setLit(String(u.number))}
                onMouseLeave={() => item.setLit('')}
              >
                <span className={css.sign} aria-hidden="true">
                  {sign(u.number)}
                </span>{' '}
                {t.adjudication.read(u.number)}
              </th>
            ))}
            {view.final && (
              <th scope="col" className={css.final}>
                {t.adjudication.final}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, disputed }) => (
            <tr
              key={row.id}
              className={cx(disputed ? css.disputed : css.agreed)}
              data-testid={`compare-${row.id}`}
              data-disputed={disputed || undefined}
            >
              <th scope="row">{row.label}</th>
              {view.unnamed.map((u) => (
                <td key={u.number}>
                  <Said row={row} read={u} item={item} />
                </td>
              ))}
              {view.final && (
                <td className={css.final}>
                  <Said row={row} read={{ number: 0, ...view.final }} item={item} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {view.unnamed.map((u) => {
        const note = u.rating?.note || u.chain_rating?.note;
        return (
          note && (
            <p key={u.number} className={css.said} data-testid={`note-${u.number}`}>
              <span className={css.sign} aria-hidden="true">
                {sign(u.number)}
              </span>{' '}
              {t.adjudication.read(u.number)}: <span dir="auto">“{note}”</span>
            </p>
          )
        );
      })}
      <div className={css.pairs}>
        {view.pairs.map((p) => (
          <span key={`${p.a}-${p.b}`} data-testid={`iou-${p.a}-${p.b}`}>
            {t.adjudication.iou(p.a, p.b, p.iou.toFixed(2))}
          </span>
        ))}
        {view.pairs.length === 0 && <span>{t.adjudication.noPairs}</span>}
        {view.consensus.length > 0 && (
          <Chip lit={item.half} aria-pressed={item.half} data-testid="half" onClick={() => item.setHalf(!item.half)}>
            {t.adjudication.consensus}
          </Chip>
        )}
      </div>
    </div>
  );
};

const rowsCompared = (view: DisagreementView, item: ItemState): { row: Row; disputed: boolean }[] => {
  if (view.on === 'question') {
    const question = view.of.questions.find((q) => q.id === view.part);
    const choices = (question?.options ?? []).map((o) => ({ value: o.letter, label: `${o.letter} ${o.text}` }));
    const row: Row = { id: 'answer', label: t.adjudication.answer, kind: 'one', choices, required: true };
    return [
      { row, disputed: true },
      { row: { ...row, id: 'evidence', label: t.rows.evidence, kind: 'regions' }, disputed: false },
    ];
  }
  const said = (row: Row) => row.kind === 'regions' || view.unnamed.some((u) => saidOf(u, row.id).length > 0);
  return fieldsShown(view, item.rubric)
    .filter((row) => row.id !== 'cue_ack' && row.kind !== 'text' && said(row))
    .map((row) => ({ row, disputed: view.fields.includes(row.id) }));
};

/** Said is what one read says of a row. */
const Said = ({ row, read, item }: { row: Row; read: UnnamedRead; item: ItemState }) => {
  if (row.id === 'evidence') return <Marks read={read} item={item} />;
  if (row.id === 'missed') {
    const missed = read.chain_rating?.missed ?? [];
    if (missed.length === 0) return t.adjudication.noneMissed;
    return missed.map((m) => `${m.text} (${m.significance})`).join('; ');
  }
  const values = saidOf(read, row.id);
  const grade = row.id === 'support' ? gradeOf(values[0] ?? '') : undefined;
  if (grade) {
    return (
      <span style={{ '--grade': `var(--${grade.value})` } as React.CSSProperties} className={css.grade}>
        <span aria-hidden="true">{grade.shape}</span> {grade.label}
      </span>
    );
  }
  if (values.length === 0) return <span className={css.faint}>{t.adjudication.nothing}</span>;
  return <span dir="auto">{values.map((v) => row.choices.find((c) => c.value === v)?.label ?? v).join(', ')}</span>;
};

const Marks = ({ read, item }: { read: UnnamedRead; item: ItemState }) => {
  const marks = marksOf(read);
  const [first] = marks;
  if (!first) return <span className={css.faint}>{t.adjudication.noRegions}</span>;
  return (
    <Chip
      kind="mine"
      lit={item.lit === String(read.number)}
      data-testid={`to-read-${read.number}`}
      onClick={() => {
        item.toRegion(first);
        item.setLit(String(read.number));
      }}
    >
      {read.number > 0 && sign(read.number)} {t.reading.regions(marks.length)}
    </Chip>
  );
};
