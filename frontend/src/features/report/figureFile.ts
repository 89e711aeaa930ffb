// A figure as a file: its numbers as RFC 4180, its drawing as a picture.

/** fileOf makes a name for a file of a title. */
export const fileOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** cellOf quotes a cell where it must be, and keeps a spreadsheet from taking words for a formula. */
const cellOf = (v: string | number): string => {
  const s = typeof v === 'string' && /^[=+@\t\r]|^-(?![\d.])/.test(v) ? `'${v}` : String(v);
  return /[",\r\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
};

/** csvOf writes a table. */
export const csvOf = (head: string[], rows: { cells: (string | number)[] }[]): string =>
  [head, ...rows.map((r) => r.cells)]
    .map((line) => line.map(cellOf).join(','))
    .join('\r\n')
    .concat('\r\n');

/** pngOf paints an SVG at twice its size and gives it in base64. */
export const pngOf = async (svg: string): Promise<string> => {
  const picture = new Image();
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await new Promise((done, failed) => {
    picture.onload = done;
    picture.onerror = () => failed(new Error('the figure cannot be painted'));
    picture.src = url;
  });
  const canvas = document.createElement('canvas');
  canvas.width = picture.width * 2;
  canvas.height = picture.height * 2;
  const paint = canvas.getContext('2d');
  if (!paint) throw new Error('the figure cannot be painted');
  paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--panel').trim();
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
};
