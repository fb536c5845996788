import { expect, it } from 'vitest';
import { sourceOf } from '../../src/privacy/source-of.ts';

const at = (text: string): ReturnType<typeof sourceOf> => sourceOf(text, text.indexOf('HERE'));

it('names the attachment and its file', () => {
  expect(at('<attachments>\n<attachment id="a" filePath="/w/.env">\nA=HERE\n</attachment>\n</attachments>')).toEqual({
    item: 'attachment',
    file: '/w/.env',
  });
});

it('is not misled by an item that has ended', () => {
  expect(at('<attachment filePath="/w/a.ts">x</attachment>\n<userRequest>\nHERE')).toEqual({ item: 'userRequest' });
});

it.each([
  ['File: src/a.ts\n+x HERE', 'src/a.ts'],
  ['--- a/b.ts\n+++ b/b.ts\n+HERE', 'b.ts'],
  ['```ts\n// filepath: /w/c.ts\nHERE', '/w/c.ts'],
])('reads the file from %s', (text, file) => {
  expect(at(text)).toEqual({ file });
});

it('says nothing about plain text', () => {
  expect(at('what is HERE')).toEqual({});
});
