import { chmodSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PrivateFile } from '../../src/app/private-file.ts';

const dir = (): string => mkdtempSync(join(tmpdir(), 'tracer-private-'));

test('what is written is there, and only the owner may read it even where a public file stood', async () => {
  const path = join(dir(), 'a');
  writeFileSync(path, 'something longer that was there before');
  chmodSync(path, 0o644);
  const file = new PrivateFile(path, 'me');
  await file.write(new TextEncoder().encode('one '));
  await file.write(new TextEncoder().encode('two'));
  file.close();
  expect([readFileSync(path, 'utf8'), file.writtenBytes, statSync(path).mode & 0o777]).toEqual(['one two', 7, 0o600]);
});

test('pieces are written one behind the other, empty ones too', async () => {
  const path = join(dir(), 'a');
  const file = new PrivateFile(path, 'me');
  const pieces = ['one', '', 'two', 'x'.repeat(300_000)].map((text) => new TextEncoder().encode(text));
  await file.writeAll(pieces);
  await file.writeAll([]);
  file.close();
  expect([readFileSync(path, 'utf8'), file.writtenBytes]).toEqual([`onetwo${'x'.repeat(300_000)}`, 300_006]);
});

test('a symbolic link is refused, a full disk is E_FILE_FULL', async () => {
  const link = join(dir(), 'link');
  symlinkSync('/etc/passwd', link);
  expect(() => new PrivateFile(link, 'me')).toThrow(expect.objectContaining({ code: 'E_FILE_UNWRITABLE' }));
  const full = new PrivateFile('/dev/full', 'me');
  await expect(full.write(new Uint8Array(1))).rejects.toMatchObject({ code: 'E_FILE_FULL' });
  full.close();
});
