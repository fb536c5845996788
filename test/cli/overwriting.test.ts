import { linkSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/main.ts';

const dir = mkdtempSync(join(tmpdir(), 'tracer-overwriting-'));
const X = join(dir, 'x.trc');
const LINK = join(dir, 'link.trc');
const HARD = join(dir, 'hard.trc');
writeFileSync(X, 'a recording');
symlinkSync(X, LINK);
linkSync(X, HARD);

const run = (...args: string[]) => createProgram().parseAsync(['node', 'tracer', ...args]);

test.each([
  ['scrub', X, X],
  ['scrub', LINK, HARD],
  ['cut', X, join(dir, '.', 'x.trc')],
  ['replay', X, '-o', HARD],
  ['replay', LINK, '--json', '-o', X],
  ['report', X, '-o', X],
  ['find', X, 'a', '-o', X],
  ['audit', X, '-o', X],
  ['conversations', X, '-o', X],
  ['export', X, '--har', X],
  ['export', X, '--sqlite', X],
  ['export', X, '--raw', '--pcapng', X],
])('%s %s %s %s is refused, and the file stays as it is', async (...args) => {
  await expect(run(...args)).rejects.toMatchObject({
    code: 'E_CLI_USAGE',
    message: expect.stringMatching(/ is to be read and written$/),
  });
  expect(readFileSync(X, 'utf8')).toBe('a recording');
});

test.each([
  ['attach', '--pid', '1', '--record', join(dir, 'new'), '-o', join(dir, 'new')],
  ['run', '--record', X, '-o', HARD, '--', 'true'],
])('%s does not write two things into one file', async (...args) => {
  await expect(run(...args)).rejects.toMatchObject({
    code: 'E_CLI_USAGE',
    message: expect.stringMatching(/ is to be written twice$/),
  });
  expect(readFileSync(X, 'utf8')).toBe('a recording');
});
