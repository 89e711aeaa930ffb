// Numbers and times as people read them.

/** clockOf writes the time of day of an RFC 3339 time, in the machine's own zone: "14:02:11". */
export const clockOf = (at: string): string => {
  const d = new Date(at);
  if (Number.isNaN(d.getTime())) return '';
  return [d.getHours(), d.getMinutes(), d.getSeconds()].map((x) => String(x).padStart(2, '0')).join(':');
};

/** share writes a proportion as papers do: ".79", "1.00"; "–" when there is none. */
export const share = (value: number | null | undefined): string => {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  return value
    .toFixed(2)
    .replace(/^(-?)0\./, '$1.')
    .replace('-', '−');
};

/** stageLabel names a stage with its number, once: packs may or may not write it into the name. */
export const stageLabel = (k: number, name: string): string => (name.startsWith(`S${k}`) ? name : `S${k} ${name}`);

/** dayOf writes the day and time of an RFC 3339 time, in the machine's own zone: "2026-01-02 14:03"; '' for no time. */
export const dayOf = (at: string): string => {
  const d = new Date(at);
  if (Number.isNaN(d.getTime())) return '';
  const two = (x: number) => String(x).padStart(2, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
};
