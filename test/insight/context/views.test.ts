import { expect, test } from 'vitest';
import { joined } from '../../../src/insight/context/views.ts';
import {
  byCall,
  byFile,
  byKind,
  InventoryBuilder,
  isHidden,
  plainPath,
  TokenMeter,
} from '../../../src/insight/index.ts';
import { asks, made, says, user } from '../calls.ts';

const build = (...calls: Parameters<typeof made>[0][]) => {
  const builder = new InventoryBuilder(new TokenMeter((text) => text.length));
  for (const call of calls) builder.accept(made(call));
  return builder.inventory;
};

const FILE = user('<attachment filePath="/w/a.ts">\none\n</attachment>\n<userRequest>\nq\n</userRequest>');

test('what is sent again is one item with the call that sent it first', () => {
  const inventory = build(
    { messages: [FILE], startMs: 0, endMs: 1 },
    { messages: [FILE, says('ok'), asks('more')], startMs: 2, endMs: 3 },
  );
  const item = inventory.items.find(({ path }) => path === '/w/a.ts');
  expect(item).toMatchObject({
    sent: 2,
    bytes: 3,
    tokens: 3,
    first: inventory.calls[0]?.id,
    last: inventory.calls[1]?.id,
  });
  expect([...byCall(inventory)].map(({ items }) => items.filter(({ isNew }) => isNew).length)).toEqual([2, 3]);
});

test('the same item twice in one request is sent once', () => {
  const inventory = build({ messages: [FILE, FILE], startMs: 0, endMs: 1 });
  expect(inventory.items.map(({ sent }) => sent)).toEqual([1, 1]);
});

test('a changed file is another text of the same file', () => {
  const changed = user('<attachment filePath="/w/a.ts">\none two\n</attachment>\n<userRequest>\nq\n</userRequest>');
  const [row] = byFile(
    build({ messages: [FILE], startMs: 0, endMs: 1 }, { messages: [changed], startMs: 2, endMs: 3 }),
  );
  expect(row).toMatchObject({
    path: '/w/a.ts',
    calls: 2,
    bytes: 10,
    sentBytes: 10,
    mechanisms: [{ kind: 'attachment', contents: 2, calls: 2 }],
  });
});

test('of an upload only the beginning is kept: its tokens are those of the whole, by its size', () => {
  const call = made({ messages: [], startMs: 0, endMs: 1 });
  const { llm: _, ...rest } = call;
  const item = { what: 'file', path: 'a.ts', bytes: 4_000, text: 'x'.repeat(1_000), whole: false } as const;
  const builder = new InventoryBuilder(new TokenMeter((text) => text.length / 4));
  builder.accept({ ...rest, class: 'chunks', service: { facts: 'sent', items: [item, { ...item, bytes: 5_000 }] } });
  expect(builder.inventory.items).toMatchObject([
    { kind: 'upload', path: 'a.ts', bytes: 4_000, tokens: 1_000 },
    { kind: 'upload', path: 'a.ts', bytes: 5_000, tokens: 1_250 },
  ]);
});

test('kinds come largest first', () => {
  const rows = byKind(build({ messages: [FILE], startMs: 0, endMs: 1 }));
  expect(rows.map(({ kind, calls, files }) => [kind, calls, files])).toEqual([
    ['attachment', 1, 1],
    ['user-text', 1, 0],
  ]);
});

test('paths are compared in one form', () => {
  expect(plainPath('file:///home/u/a%20b.ts')).toBe('/home/u/a b.ts');
  expect(plainPath('a/file:///home/u/a.ts')).toBe('/home/u/a.ts');
  expect(plainPath('file:///c%3A/x/a.ts')).toBe('c:/x/a.ts');
  expect(plainPath('C:\\x\\a.ts')).toBe('C:/x/a.ts');
  expect(plainPath('./a.ts')).toBe('a.ts');
  expect(plainPath('file:///bad%zz')).toBe('/bad%zz');
});

test('hidden is a name with a dot in front, anywhere in the path', () => {
  expect(['.env', '/w/.github/x.md', 'a/b.ts', '../a.ts', './a.ts', '/w/.ssh/id'].map(isHidden)).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
});

test('line ranges that touch are one', () => {
  expect(
    joined([
      { from: 10, to: 12 },
      { from: 1, to: 3 },
      { from: 4, to: 5 },
      { from: 11, to: 20 },
    ]),
  ).toEqual([
    { from: 1, to: 5 },
    { from: 10, to: 20 },
  ]);
});
