import form from '../../ui/form.module.css';

interface NumberProps {
  label: string;
  value: number;
  /** The least that may be given; 0 by default. */
  least?: number;
  note?: string;
  /** What 0 stands for, shown in its place. */
  zero?: string;
  testid: string;
  onValue: (value: number) => void;
}

/** WholeNumber asks for one; what is none is not taken over. */
export const WholeNumber = ({ label, value, least = 0, note, zero, testid, onValue }: NumberProps) => (
  <label className={form.field}>
    {label}
    <input
      className={form.input}
      type="number"
      min={least}
      step={1}
      value={value === 0 && zero ? '' : value}
      placeholder={zero}
      title={note}
      data-testid={testid}
      onChange={(e) => {
        const next = Math.floor(Number(e.target.value));
        if (Number.isFinite(next) && next >= least) onValue(next);
      }}
    />
  </label>
);

/** Fact is a name with its figure, one row of a list of facts. */
export const Fact = ({ name, value, testid }: { name: string; value: string; testid?: string }) => (
  <div>
    <dt>{name}</dt>
    <dd data-testid={testid}>{value}</dd>
  </div>
);
