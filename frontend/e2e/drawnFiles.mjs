// Files that draw over a series, made for a test: a segmentation, a structure set, and a plane in an image file (60xx).

const empty = Buffer.alloc(0);
const long = ['OB', 'OW', 'SQ', 'UN'];

/** An element in explicit little endian: a text, numbers of two bytes, bytes, or items of a sequence. */
const element = (tag, vr, value) => {
  let body = empty;
  if (vr === 'SQ')
    body = Buffer.concat(
      value.map((item) => {
        const data = Buffer.concat(item);
        const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0]);
        head.writeUInt32LE(data.length, 4);
        return Buffer.concat([head, data]);
      }),
    );
  else if (Buffer.isBuffer(value)) body = value;
  else if (vr === 'US') {
    const numbers = [value].flat();
    body = Buffer.alloc(2 * numbers.length);
    for (const [i, n] of numbers.entries()) body.writeUInt16LE(n, 2 * i);
  } else body = Buffer.from(String(value), 'latin1');
  if (body.length % 2) body = Buffer.concat([body, Buffer.from(vr === 'UI' ? [0] : [32])]);
  const head = Buffer.alloc(long.includes(vr) ? 12 : 8);
  head.writeUInt16LE(tag >>> 16, 0);
  head.writeUInt16LE(tag & 0xffff, 2);
  head.write(vr, 4, 'latin1');
  if (long.includes(vr)) head.writeUInt32LE(body.length, 8);
  else head.writeUInt16LE(body.length, 6);
  return Buffer.concat([head, body]);
};

const part10 = (sopClass, instance, elements) => {
  const meta = Buffer.concat([
    element(0x00020002, 'UI', sopClass),
    element(0x00020003, 'UI', instance),
    element(0x00020010, 'UI', '1.2.840.10008.1.2.1'),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  const group = element(0x00020000, 'UL', length);
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), group, meta, ...elements]);
};

/** The value of a text element of an uncompressed explicit file, as far as its header goes. */
export const textOf = (file, tag) => {
  const mark = Buffer.from([(tag >>> 16) & 0xff, tag >>> 24, tag & 0xff, (tag >>> 8) & 0xff]);
  const at = file.indexOf(mark, 132);
  if (at < 0) return '';
  return file.toString('latin1', at + 8, at + 8 + file.readUInt16LE(at + 6)).replace(/[\0 ]+$/, '');
};

const study = 0x0020000d;
const space = 0x00200052;
const instance = 0x00080018;

/** A segmentation over some files of a series: for each segment its name, colour (CIELab, 0–65535) and which pixels of the nth file are in it. */
export const segmentation = (files, rows, columns, segments) => {
  const frames = segments.flatMap((s, k) => files.map((file, n) => ({ file, n, k, in: s.in })));
  const bits = Buffer.alloc(Math.ceil((frames.length * rows * columns) / 8));
  let at = 0;
  for (const f of frames)
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < columns; x++, at++) if (f.in(x, y, f.n)) bits[at >> 3] |= 1 << (at & 7);
  const perFrame = frames.map((f) => [
    element(0x00089124, 'SQ', [[element(0x00082112, 'SQ', [[element(0x00081155, 'UI', textOf(f.file, instance))]])]]),
    element(0x0062000a, 'SQ', [[element(0x0062000b, 'US', f.k + 1)]]),
  ]);
  return part10('1.2.840.10008.5.1.4.1.1.66.4', '2.25.4711', [
    element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.66.4'),
    element(0x00080018, 'UI', '2.25.4711'),
    element(0x00080060, 'CS', 'SEG'),
    element(study, 'UI', textOf(files[0], study)),
    element(0x0020000e, 'UI', '2.25.4712'),
    element(space, 'UI', textOf(files[0], space)),
    element(0x00280002, 'US', 1),
    element(0x00280004, 'CS', 'MONOCHROME2'),
    element(0x00280008, 'IS', frames.length),
    element(0x00280010, 'US', rows),
    element(0x00280011, 'US', columns),
    element(0x00280100, 'US', 1),
    element(0x00280101, 'US', 1),
    element(0x00280102, 'US', 0),
    element(0x00280103, 'US', 0),
    element(0x00620001, 'CS', 'BINARY'),
    element(
      0x00620002,
      'SQ',
      segments.map((s, k) => [
        element(0x00620004, 'US', k + 1),
        element(0x00620005, 'LO', s.name),
        element(0x0062000d, 'US', s.lab),
      ]),
    ),
    element(0x52009230, 'SQ', perFrame),
    element(0x7fe00010, 'OB', bits),
  ]);
};

/** A structure set: for each region its name, colour and contours, each a list of points of the patient in millimetres. */
export const structures = (file, regions) =>
  part10('1.2.840.10008.5.1.4.1.1.481.3', '2.25.4713', [
    element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.481.3'),
    element(0x00080018, 'UI', '2.25.4713'),
    element(0x00080060, 'CS', 'RTSTRUCT'),
    element(study, 'UI', textOf(file, study)),
    element(
      0x30060020,
      'SQ',
      regions.map((r, k) => [
        element(0x30060022, 'IS', k + 1),
        element(0x30060024, 'UI', textOf(file, space)),
        element(0x30060026, 'LO', r.name),
      ]),
    ),
    element(
      0x30060039,
      'SQ',
      regions.map((r, k) => [
        element(0x3006002a, 'IS', r.colour.join('\\')),
        element(
          0x30060040,
          'SQ',
          r.contours.map((points) => [
            element(0x30060042, 'CS', 'CLOSED_PLANAR'),
            element(
              0x30060050,
              'DS',
              points
                .flat()
                .map((v) => v.toFixed(2))
                .join('\\'),
            ),
          ]),
        ),
        element(0x30060084, 'IS', k + 1),
      ]),
    ),
  ]);

/** An image file with a plane of its own before its pixels. */
export const withPlane = (file, rows, columns, name, drawn) => {
  const bits = Buffer.alloc(Math.ceil((rows * columns) / 8));
  for (let i = 0; i < rows * columns; i++)
    if (drawn(i % columns, Math.floor(i / columns))) bits[i >> 3] |= 1 << (i & 7);
  const at = file.lastIndexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00]));
  const plane = [
    element(0x60000010, 'US', rows),
    element(0x60000011, 'US', columns),
    element(0x60000040, 'CS', 'G'),
    element(0x60000050, 'SS', Buffer.from([1, 0, 1, 0])),
    element(0x60000100, 'US', 1),
    element(0x60000102, 'US', 0),
    element(0x60001500, 'LO', name),
    element(0x60003000, 'OW', bits),
  ];
  return Buffer.concat([file.subarray(0, at), ...plane, file.subarray(at)]);
};
