import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failedOutput, unwritable } from '../../src/app/failed-output.ts';
import { openOutputFile } from '../../src/app/output.ts';

const errno = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

test('what cannot be opened says why in words', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tracer-output-'));
  expect(() => openOutputFile(join(dir, 'none/x'), 'me')).toThrow(`cannot write ${dir}/none/x: no such directory`);
  expect(() => openOutputFile(dir, 'me')).toThrow(`cannot write ${dir}: it is a directory`);
  expect(unwritable('x', 'me', errno('EACCES')).message).toBe(
    'cannot write x: not allowed for user me (as whom the tracer runs; attach and run take --user)',
  );
  expect(unwritable('x', 'me', errno('EROFS')).message).toBe('cannot write x: EROFS');
});

test('an output without a name is standard output', () => {
  expect(failedOutput(undefined, errno('ENOSPC'))).toMatchObject({
    code: 'E_EXPORT_FULL',
    exitCode: 32,
    message: 'writing standard output failed: ENOSPC',
  });
});
