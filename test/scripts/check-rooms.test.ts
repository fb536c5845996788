import { expect, test } from 'vitest';
import { type CheckerRun, runChecker } from './tree.ts';

const ROOMS = JSON.stringify({
  rooms: {
    model: { kind: 'core', imports: [] },
    engine: { kind: 'core', imports: ['model'], packages: ['fflate'] },
    app: { kind: 'edge', imports: ['model', 'engine'] },
  },
});

const check = (files: Readonly<Record<string, string>>, rooms = ROOMS): CheckerRun =>
  runChecker('check-rooms', {
    'src/rooms.json': rooms,
    'src/errors.ts': 'export const EXIT = 1;',
    'src/model/index.ts': 'export const a = 1;',
    'src/model/inner.ts': 'export const b = 1;',
    'src/engine/index.ts': "export * from '../model/index.ts';",
    ...files,
  });

test('listed imports through a door pass, errors and builtins of an edge room included', () => {
  const run = check({
    'src/app/main.ts':
      "import { readFileSync } from 'node:fs';\nimport { a } from '../engine/index.ts';\nimport { EXIT } from '../errors.ts';\nexport const go = async () => [a, EXIT, readFileSync, Date.now()];",
    'src/engine/zip.ts': "import { gunzipSync } from 'fflate';\nexport { gunzipSync };",
  });
  expect(run).toEqual({ exitCode: 0, problems: [] });
});

test.each([
  [
    'an unlisted pair of rooms',
    {
      'src/engine/x.ts': "// head\nimport { go } from '../app/index.ts';\nexport { go };",
      'src/app/index.ts': 'export const go = 1;',
    },
    'src/engine/x.ts:2 imports src/app/index.ts: room "engine" may not import room "app" (src/rooms.json)',
  ],
  [
    'an import past the door of another room',
    { 'src/engine/x.ts': "export { b } from '../model/inner.ts';" },
    'src/engine/x.ts:1 imports src/model/inner.ts: another room is imported only through its index.ts',
  ],
  [
    'a type-only import past the door',
    { 'src/engine/x.ts': "export type B = import('../model/inner.ts').B;" },
    'src/engine/x.ts:1 imports src/model/inner.ts: another room is imported only through its index.ts',
  ],
  [
    'an unlisted package',
    { 'src/engine/x.ts': "import pino from 'pino';\nexport { pino };" },
    'src/engine/x.ts:1 imports pino: room "engine" may not use the package pino (src/rooms.json)',
  ],
  [
    'a builtin in a core room',
    { 'src/model/x.ts': "export { join } from 'node:path';" },
    'src/model/x.ts:1 imports node:path: room "model" may not use the builtin node:path (core room)',
  ],
  [
    'a room that is not listed',
    { 'src/other/x.ts': "export { a } from '../model/index.ts';" },
    'src/other/x.ts:1 imports src/model/index.ts: room "other" is not listed in src/rooms.json',
  ],
  [
    'an import that leaves src',
    { 'src/app/x.ts': "export { t } from '../../test/kit/t.ts';" },
    'src/app/x.ts:1 imports test/kit/t.ts: an import may not leave src/',
  ],
  [
    'an import of nothing',
    { 'src/model/x.ts': "export * from './gone.ts';" },
    'src/model/x.ts:1 imports src/model/gone.ts: no such file',
  ],
])('%s is refused, with both files and the rule named', (_, files, problem) => {
  expect(check(files)).toEqual({ exitCode: 1, problems: [problem] });
});

test.each([
  ['async', 'export const f = async () => 1;'],
  ['await', 'export const f = await Promise.resolve(1);'],
  ['Date.now', 'export const f = () => Date.now();'],
  ['new Date()', 'export const f = () => new Date();'],
  ['Math.random', 'export const f = () => Math.random();'],
])('%s is refused in a core room', (what, text) => {
  const run = check({ 'src/engine/x.ts': `\n${text}` });
  expect(run).toEqual({
    exitCode: 1,
    problems: [`src/engine/x.ts:2 uses ${what}: a core room is a function of its input (src/rooms.json: "core")`],
  });
});

test('words in comments and texts are no uses', () => {
  const run = check({
    'src/engine/x.ts': '// never Date.now or async\nexport const s = \'Math.random() and import("pino")\';',
  });
  expect(run.problems).toEqual([]);
});

test('rooms that import each other are refused', () => {
  const rooms = JSON.stringify({
    rooms: { model: { kind: 'core', imports: ['engine'] }, engine: { kind: 'core', imports: ['model'] } },
  });
  expect(check({}, rooms).problems).toEqual([
    'src/rooms.json: rooms import each other in a cycle: model → engine → model',
  ]);
});

test('a room has the doors that are listed, and no other', () => {
  const rooms = (doors: string[]) =>
    JSON.stringify({
      rooms: { model: { kind: 'core', imports: [], doors }, engine: { kind: 'core', imports: ['model'] } },
    });
  const files = { 'src/engine/x.ts': "export { b } from '../model/inner.ts';" };
  expect(check(files, rooms(['index.ts', 'inner.ts'])).problems).toEqual([]);
  expect(check(files, rooms(['index.ts', 'other.ts'])).problems).toEqual([
    'src/engine/x.ts:1 imports src/model/inner.ts: another room is imported only through its index.ts or other.ts',
  ]);
});
