import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Button, ModelText } from './basics';

afterEach(cleanup);

// What people try to smuggle in as text: each must be text and nothing else.
const corpus = [
  '<script>globalThis.owned = true</script>',
  '<img src=x onerror="globalThis.owned = true">',
  '<svg onload=globalThis.owned=true>',
  '<iframe src="javascript:globalThis.owned=true"></iframe>',
  '<a href="javascript:globalThis.owned=true">x</a>',
  '[x](javascript:globalThis.owned=true)',
  '![x](https://example.invalid/x.png)',
  '<https://example.invalid>',
  '<style>@import url(https://example.invalid/x.css)</style>',
  '<link rel=stylesheet href=https://example.invalid/x.css>',
  '<base href="https://example.invalid/">',
  '<form action=https://example.invalid><input name=x></form>',
  '<math><mtext><table><mglyph><style><img src=x onerror=globalThis.owned=true>',
  '**<img src=x onerror=globalThis.owned=true>**',
  '`<script>globalThis.owned=true</script>`',
  '- <img src=x onerror=globalThis.owned=true>',
  '{{constructor.constructor("globalThis.owned=true")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text like any other
  '${globalThis.owned = true}',
  '&lt;img src=x onerror=alert(1)&gt;',
  '"><img src=x onerror=globalThis.owned=true>',
  '<!--<img src="--><img src=x onerror=globalThis.owned=true//">',
];

const allowed = new Set(['DIV', 'P', 'STRONG', 'EM', 'CODE']);

describe('what a model wrote', () => {
  it.each(corpus)('is text: %s', (text) => {
    const { container } = render(<ModelText text={text} />);
    const elements = [...container.querySelectorAll('*')];
    expect(elements.map((e) => e.tagName).filter((name) => !allowed.has(name))).toEqual([]);
    for (const e of elements) expect(e.getAttributeNames().filter((a) => a !== 'class' && a !== 'dir')).toEqual([]);
    expect(container.textContent).toContain(text.replace(/^- /, '').replaceAll(/\*\*|`/g, ''));
    expect('owned' in globalThis).toBe(false);
  });

  it('keeps the direction of its own script', () => {
    const { container } = render(<ModelText text="عقدة في الرئة" />);
    expect(container.firstElementChild?.getAttribute('dir')).toBe('auto');
  });
});

describe('a button that cannot be pressed', () => {
  it('says why and does nothing', () => {
    let pressed = 0;
    const { getByRole } = render(
      <Button why="not yet" onClick={() => pressed++}>
        Sign
      </Button>,
    );
    fireEvent.click(getByRole('button'));
    expect(pressed).toBe(0);
    expect(getByRole('button').title).toBe('not yet');
    expect(getByRole('button').getAttribute('aria-disabled')).toBe('true');
  });
});
