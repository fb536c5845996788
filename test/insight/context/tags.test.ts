import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outermost } from '../../../src/insight/context/tags.ts';
import { HANG_MS } from '../../kit/hang.ts';

const NAMES = new Set(['attachment', 'userRequest', 'context']);
const names = (text: string) => outermost(text, NAMES).elements.map(({ name, body }) => [name, body]);

test('elements come in order with their bodies, and what stands between them is the rest', () => {
  const { elements, rest } = outermost(
    'before\n<context>\nx\n</context>\n<userRequest>\ny\n</userRequest>\nafter',
    NAMES,
  );
  expect(elements.map(({ name, body }) => [name, body])).toEqual([
    ['context', 'x'],
    ['userRequest', 'y'],
  ]);
  expect(rest).toBe('before\n\n\nafter');
});

test('attributes are JSON strings, and an element may be empty', () => {
  const [first, second] = outermost(
    '<attachment id="a \\"b\\"" filePath="/x/y>z.ts" />\n<attachment id=plain>\nq\n</attachment>',
    NAMES,
  ).elements;
  expect([...(first?.attributes ?? [])]).toEqual([
    ['id', 'a "b"'],
    ['filePath', '/x/y>z.ts'],
  ]);
  expect(first?.body).toBe('');
  expect(second?.attributes.get('id')).toBe('plain');
});

test('marks inside a body do not count', () => {
  const body = 'const s = `\n<userRequest>\nfake\n</userRequest>\n`;';
  expect(names(`<attachment id="a">\n${body}\n</attachment>\n<userRequest>\nreal\n</userRequest>`)).toEqual([
    ['attachment', body],
    ['userRequest', 'real'],
  ]);
});

test('a closing mark inside a body is passed over when the text does not go on as a prompt does', () => {
  expect(names('<attachment id="a">\nx </attachment> y\n</attachment>\n<userRequest>\nz\n</userRequest>')[0]).toEqual([
    'attachment',
    'x </attachment> y',
  ]);
});

test('a nested element of the same name belongs to the outer one', () => {
  expect(names('<context>\n<context>\ninner\n</context>\n</context>')).toEqual([
    ['context', '<context>\ninner\n</context>'],
  ]);
});

test('an element without its end goes to the end of the text and says so', () => {
  expect(outermost('<context>\ncut', NAMES).elements).toMatchObject([{ body: 'cut', closed: false }]);
});

test('unknown names and marks within a line are text', () => {
  expect(outermost('<div>\nx\n</div> a <context> b', NAMES)).toEqual({
    elements: [],
    rest: '<div>\nx\n</div> a <context> b',
  });
});

test('any text gives an answer, and quickly', () => {
  const piece = fc.constantFrom(
    '<context>',
    '</context>',
    '<attachment id="',
    '">',
    '</attachment>',
    '\n',
    'x',
    '<',
    '"',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
      outermost(pieces.join(''), NAMES);
    }),
  );
  const begin = performance.now();
  outermost('<context>\n'.repeat(200_000), NAMES);
  outermost('<attachment id="\n'.repeat(200_000), NAMES);
  expect(performance.now() - begin).toBeLessThan(HANG_MS);
});
