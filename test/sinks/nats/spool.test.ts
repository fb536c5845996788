import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outgoing } from '../../../src/sinks/nats/message.ts';
import { SEGMENT_BYTES, Spool } from '../../../src/sinks/nats/spool.ts';

let dir = '';
let dropped: [number, string][] = [];
let damaged: number[] = [];
const host = {
  onDropped: (messages: number, _bytes: number, why: string) => void dropped.push([messages, why]),
  onDamaged: (_file: string, bytes: number) => void damaged.push(bytes),
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'spool-'));
  [dropped, damaged] = [[], []];
});
afterEach(() => rmSync(dir, { recursive: true }));

const message = (n: number, bytes = 100): Outgoing => ({
  subject: 's',
  id: `i:${n}`,
  contentType: 'c',
  payload: new Uint8Array(bytes),
});
const open = (maxBytes = 1e9): Spool => new Spool(dir, maxBytes, host);

/** Numbers of all messages, taken and released segment by segment. */
async function drain(spool: Spool): Promise<number[]> {
  const numbers: number[] = [];
  for (let taken = await spool.take(); taken !== null; taken = await spool.take()) {
    numbers.push(...taken.map(({ id }) => Number(id.slice(2))));
    spool.release();
  }
  return numbers;
}
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('a spool', () => {
  test('gives back what was put in, in order, over many segments, and leaves nothing behind', async () => {
    const spool = open();
    for (const n of upTo(1, 60)) spool.append(message(n, SEGMENT_BYTES / 10));
    expect(await drain(spool)).toEqual(upTo(1, 60));
    await spool.close();
    expect([spool.isEmpty(), spool.waitingBytes(), readdirSync(dir)]).toEqual([true, 0, []]);
  });

  test('takes more while it is read', async () => {
    const spool = open();
    spool.append(message(1));
    const first = await spool.take();
    spool.append(message(2));
    expect([first?.length, await drain(spool)]).toEqual([1, [2]]);
  });

  test('is for its owner alone', async () => {
    const spool = open();
    spool.append(message(1));
    await spool.close();
    expect(readdirSync(dir).map((name) => statSync(join(dir, name)).mode & 0o777)).toEqual([0o600]);
  });

  test('keeps what was read and not released for the next process', async () => {
    const spool = open();
    for (const n of upTo(1, 30)) spool.append(message(n, SEGMENT_BYTES / 10));
    await spool.take();
    expect(await drain(open())).toEqual(upTo(1, 30));
  });

  test('puts back what was not confirmed before all that waits', async () => {
    const spool = open();
    for (const n of upTo(1, 30)) spool.append(message(n, SEGMENT_BYTES / 10));
    const taken = (await spool.take()) ?? [];
    await spool.putBack(taken.slice(4));
    await spool.close();
    expect(await drain(open())).toEqual(upTo(5, 30));
  });

  test('goes on behind what was put back', async () => {
    const spool = open();
    await spool.putBack([message(1)]);
    spool.append(message(2));
    spool.release();
    expect(await drain(spool)).toEqual([2]);
    await spool.close();
    expect([readdirSync(dir), dropped]).toEqual([[], []]);
  });

  test('puts back messages that were never on disk', async () => {
    const spool = open();
    spool.append(message(3));
    await spool.putBack([message(1), message(2)]);
    await spool.close();
    expect(await drain(open())).toEqual([1, 2, 3]);
  });

  test('gives up the oldest when it is full, and counts them', async () => {
    const spool = open(4 * SEGMENT_BYTES);
    for (const n of upTo(1, 100)) spool.append(message(n, SEGMENT_BYTES / 10));
    await spool.close();
    expect(open().waitingBytes()).toBeLessThanOrEqual(4 * SEGMENT_BYTES);
    const left = await drain(open());
    expect(left).toEqual(upTo(101 - left.length, 100));
    expect(dropped.reduce((sum, [messages]) => sum + messages, 0)).toBe(100 - left.length);
    expect(dropped[0]?.[1]).toBe('spool full');
  });

  test('says what it cannot read and goes on behind it', async () => {
    writeFileSync(join(dir, '000000000001.seg'), 'TRSPOOL1 torn');
    writeFileSync(join(dir, '000000000002.seg'), 'something else');
    const spool = open();
    spool.append(message(1));
    expect(await drain(spool)).toEqual([1]);
    expect(damaged).toEqual([5, 14]);
  });

  test('counts what a disk refuses and lives on', async () => {
    const spool = open();
    rmSync(dir, { recursive: true });
    spool.append(message(1));
    expect(await spool.take()).toBeNull();
    expect(dropped).toEqual([[1, 'ENOENT']]);
    expect(spool.unwrittenBytes()).toBe(0);
    dir = mkdtempSync(join(tmpdir(), 'spool-'));
  });
});
