import { chmodSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installationKey } from '../../src/app/installation-key.ts';

const fresh = (): string => join(mkdtempSync(join(tmpdir(), 'tracer-key-')), 'config');

test('the key is made once and found again: equal secrets keep equal fingerprints', () => {
  const dir = fresh();
  const first = installationKey(dir);
  expect(first).toMatchObject({ kept: true, key: expect.objectContaining({ length: 32 }) });
  expect(installationKey(dir)).toEqual(first);
});

test('only its owner can read it', () => {
  const dir = fresh();
  installationKey(dir);
  expect(statSync(join(dir, 'fingerprint.key')).mode & 0o777).toBe(0o600);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test('two installations have different keys', () => {
  expect(installationKey(fresh()).key).not.toEqual(installationKey(fresh()).key);
});

test('a key that others can read is not used: this run gets one of its own', () => {
  const dir = fresh();
  const { key } = installationKey(dir);
  chmodSync(join(dir, 'fingerprint.key'), 0o644);
  const again = installationKey(dir);
  expect(again.kept).toBe(false);
  expect(again.key).not.toEqual(key);
});

test('a symbolic link in its place is neither followed nor overwritten', () => {
  const dir = fresh();
  installationKey(dir);
  const target = join(dir, 'target');
  writeFileSync(target, 'x'.repeat(32), { mode: 0o600 });
  const linked = join(dir, '..', 'linked');
  installationKey(linked);
  const other = fresh();
  installationKey(other);
  symlinkSync(target, join(other, '..', 'link'));
  expect(installationKey(join(other, '..', 'link')).kept).toBe(false);
  expect(readFileSync(target, 'utf8')).toBe('x'.repeat(32));
});

test('a user without a home gets a key for this run', () => {
  expect(installationKey('/proc/nonexistent/config').kept).toBe(false);
});
