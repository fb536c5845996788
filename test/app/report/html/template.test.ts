import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, html } from '../../../../src/app/report/html/template.ts';

test('what is filled in is escaped, what a template made is not escaped twice', () => {
  const inner = html`<b title="${'a"b'}">${'<x> & y'}</b>`;
  expect(html`<p>${inner}${[inner]}${1}${undefined}</p>`.markup).toBe(`<p>${inner.markup}${inner.markup}1</p>`);
  expect(inner.markup).toBe('<b title="a&quot;b">&lt;x&gt; &amp; y</b>');
});

test('no text leaves a character that HTML acts on', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"'\u0000-\u0008]/);
    }),
  );
});
