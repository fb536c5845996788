import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { snapshotOf } from '../../../src/app/store/snapshot.ts';

const dir = mkdtempSync(join(tmpdir(), 'tracer-snapshot-'));
afterAll(() => rmSync(dir, { recursive: true }));
const vector = (name: string): string => fileURLToPath(new URL(`../../vectors/store/${name}`, import.meta.url));

it('reads a database alone, and with its log', () => {
  copyFileSync(vector('session-store.db'), join(dir, 'a.db'));
  const alone = snapshotOf(join(dir, 'a.db'));
  copyFileSync(vector('session-store.db-wal'), join(dir, 'a.db-wal'));
  const both = snapshotOf(join(dir, 'a.db'));
  expect([alone.walBytes, both.bytes]).toEqual([0, alone.bytes]);
  expect(both.walBytes).toBeGreaterThan(0);
  expect(both.image.length).toBeGreaterThanOrEqual(alone.image.length);
});

it('follows no symbolic link, opens no folder', () => {
  symlinkSync(vector('session-store.db'), join(dir, 'link.db'));
  expect(() => snapshotOf(join(dir, 'link.db'))).toThrow('it is a symbolic link');
  expect(() => snapshotOf(dir)).toThrow(/cannot read/);
});
