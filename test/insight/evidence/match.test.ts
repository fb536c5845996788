import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchIn } from '../../../src/insight/evidence/match.ts';
import { type Encodings, fileNeedle, textNeedle } from '../../../src/insight/index.ts';

const encodings: Encodings = {
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  sha256: (data) => createHash('sha256').update(data).digest('hex'),
};
const find = (needle: string, text: string) => matchIn(text, textNeedle(needle, encodings));
const file = (content: string) => fileNeedle(Buffer.from(content), content, encodings);

test.each([
  ['as it is', 'secret value', 'a secret value b', 2],
  ['with white space trimmed', '  secret value\n', 'a secret value b', 2],
  ['with JSON escapes', 'a "b"\nc', 'x a \\"b\\"\\nc', 2],
  ['with JSON escapes', 'größe', 'x gr\\u00f6\\u00dfe', 2],
  ['with JSON escapes, twice', 'a "b"\nc', 'x a \\\\\\"b\\\\\\"\\\\nc', 2],
  ['percent-encoded', 'a secret/b', 'q=a%20secret%2Fb', 2],
])('%s', (how, needle, text, offset) => {
  expect(find(needle, text)).toEqual({ how, offset });
});

test('in base64 at any alignment, standard and URL-safe', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, maxLength: 60 }),
      fc.string({ maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      (needle, before, after) => {
        fc.pre(Buffer.byteLength(needle) >= 12 && needle.trim() !== '');
        for (const encoding of ['base64', 'base64url'] as const) {
          expect(find(needle, Buffer.from(before + needle + after).toString(encoding))).toBeDefined();
        }
      },
    ),
  );
});

test('with other line ends and indentation', () => {
  expect(find('if (x) {\n  run();\n}', 'if (x) {\r\n\trun();\r\n}')).toEqual({ how: 'with other white space' });
});

test('in the lines of a diff, deleted ones of a completion included, and of a numbered listing', () => {
  const how = 'in a diff or a listing with line numbers';
  expect(find('first line\nsecond line', '@@ -1 +1,2 @@\n+first line\n+second line')).toEqual({ how });
  expect(find('first line\nsecond line', '-first line --- IGNORE ---\n-second line --- IGNORE ---')).toEqual({ how });
  expect(find('first line\nsecond line', '  1\tfirst line\n  2\tsecond line')).toEqual({ how });
});

test('one line of a secrets file is a part of it', () => {
  const env = 'DEBUG=1\nDB_PASSWORD=hunter22hunter22\nAPI_URL=https://example.com/\n';
  expect(matchIn('File: .env\n+DB_PASSWORD=hunter22hunter22', file(env))).toEqual({
    how: '1 of its 2 lines',
    lines: [{ from: 2, to: 2 }],
    partial: true,
  });
});

test('lines that stand in many files mean nothing alone, and much in a row', () => {
  const code =
    "import { a } from 'a-long-name';\nimport { b } from 'another-name';\nexport const x = a(b);\nexport const y = 12345;\n";
  expect(matchIn("import { a } from 'a-long-name';\nother();", file(code))).toBeUndefined();
  expect(matchIn(code.split('\n').slice(0, 3).join('\n'), file(code))).toMatchObject({
    partial: true,
    lines: [{ from: 1, to: 3 }],
  });
});

test('what is not there is not found', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom('a', 'b', 'c') }), (needle) => {
      expect(find(needle, 'completely different text, 0123456789 '.repeat(5))).toBeUndefined();
    }),
  );
});
