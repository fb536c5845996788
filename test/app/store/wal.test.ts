import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mergeWal } from '../../../src/app/store/wal.ts';

const vector = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../vectors/store/${name}`, import.meta.url)));
const database = vector('session-store.db');
const wal = vector('session-store.db-wal');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

it('adds the pages of committed transactions', () => {
  const merged = mergeWal(database, wal);
  expect(text(database)).not.toContain('xoxb-');
  expect(text(merged)).toContain('xoxb-');
  expect(merged.length % 1024).toBe(0);
  expect([merged[18], merged[19], database[18]]).toEqual([1, 1, 2]);
});

it('adds nothing of a log that is cut before its first commit, foreign or damaged', () => {
  const plain = mergeWal(database, null);
  const damaged = wal.slice();
  damaged[40] = (damaged[40] ?? 0) ^ 0xff;
  const foreign = wal.slice();
  foreign[0] = 0;
  for (const log of [wal.subarray(0, 500), damaged, foreign, new Uint8Array(), new Uint8Array(40)])
    expect(Buffer.compare(mergeWal(database, log), plain)).toBe(0);
});

it('stops at the last commit of a log that is cut later', () => {
  const whole = mergeWal(database, wal);
  const cut = mergeWal(database, wal.subarray(0, wal.length - 10));
  expect(Buffer.compare(cut, whole)).not.toBe(0);
  expect(text(cut)).toContain('xoxb-');
});
