// A spool on a disk that is full: a stand-in that takes no more than so many bytes in the spool's directory.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outgoing } from '../../../src/sinks/nats/message.ts';
import { Outbox } from '../../../src/sinks/nats/outbox.ts';
import { Spool } from '../../../src/sinks/nats/spool.ts';

const disk = vi.hoisted(() => ({ leftBytes: () => Number.POSITIVE_INFINITY }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const open: typeof real.open = async (...args) => {
    const file = await real.open(...args);
    const write = file.write.bind(file) as (bytes: Uint8Array, at: number, length: number) => Promise<unknown>;
    const limited = async (bytes: Uint8Array, at: number): Promise<unknown> => {
      const length = Math.min(bytes.length - at, disk.leftBytes());
      if (length <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return write(bytes, at, length);
    };
    return Object.assign(file, { write: limited });
  };
  return { ...real, open };
});

const FREE_BYTES = 64 * 1024;
let dir = '';
let dropped: [number, string][] = [];
let damaged = 0;
const host = {
  onDropped: (messages: number, _bytes: number, why: string) => void dropped.push([messages, why]),
  onDamaged: () => void damaged++,
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'spool-'));
  [dropped, damaged] = [[], 0];
  disk.leftBytes = () => FREE_BYTES - readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
});
afterEach(() => {
  disk.leftBytes = () => Number.POSITIVE_INFINITY;
  rmSync(dir, { recursive: true });
});

const message = (n: number): Outgoing => ({
  subject: 's',
  id: `i:${n}`,
  contentType: 'c',
  payload: new Uint8Array(1000),
});
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function numbersIn(spool: Spool): Promise<number[]> {
  const numbers: number[] = [];
  for (let taken = await spool.take(); taken !== null; taken = await spool.take()) {
    numbers.push(...taken.map(({ id }) => Number(id.slice(2))));
    spool.release();
  }
  return numbers;
}

test.each([1, 7, 300])(
  'the oldest go; each message is kept whole or counted, never both (%i at a time)',
  async (step) => {
    const spool = new Spool(dir, 1e9, host);
    for (let n = 1; n <= 300; n++) {
      spool.append(message(n));
      if (n % step === 0) await spool.putBack([]);
    }
    await spool.close();
    const kept = await numbersIn(new Spool(dir, 1e9, host));
    const given = dropped.reduce((sum, [messages]) => sum + messages, 0);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(upTo(given + 1, 300));
    expect(new Set(dropped.map(([, why]) => why))).toEqual(new Set(['ENOSPC']));
    expect(damaged).toBe(0);
  },
);

test('a disk without any room leaves no file behind, and everything is counted', async () => {
  disk.leftBytes = () => 0;
  const spool = new Spool(dir, 1e9, host);
  for (let n = 1; n <= 20; n++) {
    spool.append(message(n));
    await spool.take();
  }
  await spool.close();
  expect(readdirSync(dir)).toEqual([]);
  expect(dropped).toEqual(Array.from({ length: 20 }, () => [1, 'ENOSPC']));
});

test('at the end what was in memory alone is counted, what came from the disk stays there', async () => {
  const before = new Spool(dir, 1e9, host);
  for (let n = 1; n <= 40; n++) before.append(message(n));
  await before.close();
  const outbox = new Outbox(new Spool(dir, 1e9, host));
  outbox.setAway(false);
  await outbox.refill();
  await outbox.refill();
  for (let n = 41; n <= 70; n++) outbox.accept(message(n));
  await outbox.close();
  expect(dropped).toEqual([[30, 'the spool cannot be written']]);
  expect(await numbersIn(new Spool(dir, 1e9, host))).toEqual(upTo(1, 40));
});

test('what cannot be put back stays with its owner, and what waits is not touched', async () => {
  const spool = new Spool(dir, 1e9, host);
  for (let n = 50; n < 60; n++) spool.append(message(n));
  expect(await spool.putBack(upTo(1, 60).map(message))).toBe(false);
  expect(dropped).toEqual([]);
  expect(await numbersIn(spool)).toEqual(upTo(50, 59));
  await spool.close();
  expect(readdirSync(dir)).toEqual([]);
});
