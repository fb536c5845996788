import { linkSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const dir = mkdtempSync(join(tmpdir(), 'tracer-overwriting-'));
const X = join(dir, 'x.trc');
const LINK = join(dir, 'link.trc');
const HARD = join(dir, 'hard.trc');
const OTHER = join(dir, 'other.trc');
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
  ['attach', '--pid', '1', '--record', X],
  ['run', '-o', LINK, '--', 'true'],
  ['tail', '--nats', 'nats://127.0.0.1:1', '-o', X],
  ['cut', OTHER, X],
  ['scrub', OTHER, X],
  ['replay', OTHER, '-o', X],
  ['report', OTHER, '-o', X],
  ['audit', OTHER, '--sarif', '-o', X],
  ['export', OTHER, '--har', X],
  ['export', OTHER, '--sqlite', X],
])('%s %s %s %s does not write over a file that exists', async (...args) => {
  await expect(run(...args)).rejects.toMatchObject({ code: 'E_FILE_EXISTS', message: expect.stringMatching(/exists/) });
  expect(readFileSync(X, 'utf8')).toBe('a recording');
});

test('parts of an earlier rotated session are not written over', async () => {
  writeFileSync(join(dir, 'new.0002.trc'), 'part two');
  const args = ['attach', '--pid', '1', '--record', join(dir, 'new.trc'), '--rotate', '1h'];
  await expect(run(...args)).rejects.toMatchObject({ code: 'E_FILE_EXISTS' });
});

test('an empty file, a device, and with --overwrite any file may be written', async () => {
  const session = fileURLToPath(new URL('../sessions/boot/session.trc', import.meta.url));
  const target = join(dir, 'made-by-mktemp');
  const replay = (...more: string[]) => run('replay', session, '--json', '--log-level', 'silent', '-o', ...more);
  writeFileSync(target, '');
  await replay(target);
  const once = readFileSync(target, 'utf8');
  expect(once).toContain('"type":"summary"');
  await expect(replay(target)).rejects.toMatchObject({ code: 'E_FILE_EXISTS' });
  await replay(target, '--overwrite');
  expect(readFileSync(target, 'utf8')).toBe(once);
  await replay('/dev/null');
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
