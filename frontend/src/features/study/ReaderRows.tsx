import type { Protocol, ProtocolReader } from '../../lib/protocol';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { NumberInput, useProblemAt, Wrong } from './fields';
import css from './study.module.css';

interface Props {
  protocol: Protocol;
  onChange: (readers: ProtocolReader[]) => void;
}

/** ReaderRows edits who reads: a line a person. */
export const ReaderRows = ({ protocol, onChange }: Props) => {
  const { readers } = protocol;
  const put = (i: number, r: ProtocolReader) => onChange(readers.map((x, j) => (j === i ? r : x)));
  const next = () => {
    const codes = new Set(readers.map((r) => r.code));
    let k = readers.length + 1;
    while (codes.has(`R${k}`)) k++;
    return `R${k}`;
  };
  return (
    <section className={css.card}>
      <h2>{t.study.readers}</h2>
      {readers.length === 0 ? (
        <span className={form.note}>{t.study.noReaders}</span>
      ) : (
        <table className={css.people}>
          <thead>
            <tr>
              {[t.study.code, t.study.role, t.study.specialty, t.study.years].map((c) => (
                <th key={c} scope="col">
                  {c}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {readers.map((r, i) => (
              <Person
                // biome-ignore lint/suspicious/noArrayIndexKey: the code is what is edited
                key={i}
                at={i}
                reader={r}
                onReader={(x) => put(i, x)}
                onRemove={() => onChange(readers.filter((_, j) => j !== i))}
              />
            ))}
          </tbody>
        </table>
      )}
      <Wrong of="readers" />
      <span>
        <Button
          data-testid="add-reader"
          onClick={() => onChange([...readers, { code: next(), role: 'reader', specialty: '', years: 0 }])}
        >
          {t.study.add}
        </Button>
      </span>
    </section>
  );
};

interface PersonProps {
  at: number;
  reader: ProtocolReader;
  onReader: (r: ProtocolReader) => void;
  onRemove: () => void;
}

const Person = ({ at, reader, onReader, onRemove }: PersonProps) => {
  const of = (field: string) => `readers[${at}].${field}`;
  const wrong = useProblemAt(of('code')) !== '';
  return (
    <>
      <tr>
        <td>
          <input
            className={css.input}
            value={reader.code}
            maxLength={64}
            aria-label={`${t.study.code} ${at + 1}`}
            aria-invalid={wrong}
            data-testid={`reader-${at}-code`}
            onChange={(e) => onReader({ ...reader, code: e.target.value })}
          />
        </td>
        <td>
          <select
            className={css.input}
            value={reader.role}
            aria-label={`${t.study.role} ${reader.code}`}
            onChange={(e) => onReader({ ...reader, role: e.target.value as ProtocolReader['role'] })}
          >
            {Object.entries(t.study.roles).map(([role, text]) => (
              <option key={role} value={role}>
                {text}
              </option>
            ))}
          </select>
        </td>
        <td>
          <input
            className={css.input}
            value={reader.specialty}
            maxLength={200}
            aria-label={`${t.study.specialty} ${reader.code}`}
            onChange={(e) => onReader({ ...reader, specialty: e.target.value })}
          />
        </td>
        <td>
          <NumberInput
            value={reader.years}
            min={0}
            max={100}
            aria-label={`${t.study.years} ${reader.code}`}
            onNumber={(years) => onReader({ ...reader, years })}
          />
        </td>
        <td>
          <Button look="quiet" aria-label={t.study.remove(reader.code)} onClick={onRemove}>
            ×
          </Button>
        </td>
      </tr>
      <tr className={css.under}>
        <td colSpan={5}>
          {['code', 'role', 'years'].map((field) => (
            <Wrong key={field} of={of(field)} />
          ))}
        </td>
      </tr>
    </>
  );
};
