// Model text is data. A small subset of Markdown becomes marks on plain strings; nothing in it can become an element,
// a link, an image or a script, because the only output is text.

/** Span is a run of text with its marks. */
export interface Span {
  text: string;
  mark: 'plain' | 'strong' | 'em' | 'code';
}

/** Block is a paragraph or one point of a list. */
export interface Block {
  kind: 'paragraph' | 'point';
  spans: Span[];
}

const marks: [RegExp, Span['mark']][] = [
  [/^`([^`\n]+)`/, 'code'],
  [/^\*\*(?=\S)([^*\n]+?)\*\*/, 'strong'],
  [/^\*(?=[^\s*])([^*\n]+?)\*/, 'em'],
];

/** spansOf reads one line. */
export const spansOf = (line: string): Span[] => {
  const spans: Span[] = [];
  let plain = '';
  const flush = () => {
    if (plain) spans.push({ text: plain, mark: 'plain' });
    plain = '';
  };
  for (let rest = line; rest.length > 0; ) {
    const hit = rest[0] === '`' || rest[0] === '*' ? marks.find(([re]) => re.test(rest)) : undefined;
    const found = hit?.[0].exec(rest);
    if (hit && found?.[1]) {
      flush();
      spans.push({ text: found[1], mark: hit[1] });
      rest = rest.slice(found[0].length);
    } else {
      plain += rest[0];
      rest = rest.slice(1);
    }
  }
  flush();
  return spans;
};

// Controls that turn the direction of text round could make a statement read as another one: they are shown, not obeyed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;

/** visible makes control characters visible. */
export const visible = (text: string): string =>
  text.replace(hidden, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);

/** blocksOf reads a whole text. */
export const blocksOf = (text: string): Block[] =>
  visible(text)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const point = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/.exec(line);
      return point?.[1] !== undefined
        ? { kind: 'point', spans: spansOf(point[1]) }
        : { kind: 'paragraph', spans: spansOf(line) };
    });
