import { expect, test } from 'vitest';
import { runChecker } from './tree.ts';

const check = (files: Readonly<Record<string, string>>) => runChecker('check-tests', files);
const CODE = 'export const double = (n: number): number => 2 * n;';

test('a source file with its mirrored test passes', () => {
  expect(check({ 'src/a/b.ts': CODE, 'test/a/b.test.ts': '' })).toEqual({ exitCode: 0, problems: [] });
});

test('a source file without a test is refused, with the path of the test to write', () => {
  expect(check({ 'src/a/b.ts': CODE })).toEqual({
    exitCode: 1,
    problems: ['src/a/b.ts has no test: write test/a/b.test.ts, or say in test/exceptions.json why none is needed'],
  });
});

test('types, re-exports, plain constants and generated files need no test', () => {
  const run = check({
    'src/a/types.ts': "import type { Q } from './q.ts';\nexport interface A { q: Q }\nexport type B = A;",
    'src/a/index.ts': "export * from './types.ts';\nexport type { A } from './types.ts';",
    'src/a/table.gen.ts': CODE,
    'src/a/limits.ts': "export const MAX_BYTES = 4 * 1024;\nexport const NAMES = ['a', 'b'] as const;",
    'src/env.d.ts': 'declare const x: number;',
  });
  expect(run.problems).toEqual([]);
});

test('a constant that is computed needs a test', () => {
  expect(check({ 'src/a/map.ts': 'export const MAP = new Map([[1, 2]]);' }).exitCode).toBe(1);
  expect(check({ 'src/a/table.ts': 'export const TABLE = [{ name: (n: number) => n }];' }).exitCode).toBe(1);
});

test('an exception with a reason passes', () => {
  const run = check({
    'src/a/b.ts': CODE,
    'test/exceptions.json': '{"src/a/b.ts": "covered by test/a/whole.test.ts"}',
    'test/a/whole.test.ts': '',
  });
  expect(run.problems).toEqual([]);
});

test('an exception that is no longer needed is refused', () => {
  const run = check({
    'src/a/b.ts': CODE,
    'test/a/b.test.ts': '',
    'src/a/types.ts': 'export type B = 1;',
    'test/exceptions.json': '{"src/a/b.ts": "later", "src/a/gone.ts": "old", "src/a/types.ts": "types"}',
  });
  expect(run.problems).toEqual([
    'test/exceptions.json: src/a/b.ts has a test now (test/a/b.test.ts): remove the exception',
    'test/exceptions.json: src/a/gone.ts does not exist: remove the exception',
    'test/exceptions.json: src/a/types.ts has no behaviour to test: remove the exception',
  ]);
});

test('an exception that names a test which has gone is refused', () => {
  const run = check({
    'src/a/b.ts': CODE,
    'test/exceptions.json': '{"src/a/b.ts": "covered by test/a/whole.test.ts"}',
  });
  expect(run.problems).toEqual([
    'test/exceptions.json: src/a/b.ts refers to test/a/whole.test.ts, which does not exist',
  ]);
});
