import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../../../src/sinks/nats/message.ts';
import { Outbox } from '../../../src/sinks/nats/outbox.ts';
import { Spool } from '../../../src/sinks/nats/spool.ts';
import { HANG_MS } from '../../kit/hang.ts';

const PATIENCE = { timeout: HANG_MS };

const message = (n: number, bytes = 10): Outgoing => ({
  subject: 's',
  id: `i:${n}`,
  contentType: 'c',
  payload: new Uint8Array(bytes),
});
const numberOf = (sent: Outgoing | null): number | null => (sent === null ? null : Number(sent.id.slice(2)));

async function withDir(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'outbox-'));
  try {
    await body(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const open = (dir: string): Outbox =>
  new Outbox(
    new Spool(dir, 1e9, {
      onDropped: () => expect.fail('nothing is dropped'),
      onDamaged: () => expect.fail('nothing is damaged'),
    }),
  );

describe('an outbox', () => {
  test('sends again from the oldest that was not confirmed, and leaves out what was', () =>
    withDir(async (dir) => {
      const outbox = open(dir);
      outbox.setAway(false);
      for (const n of [1, 2, 3, 4]) outbox.accept(message(n));
      const sent = [outbox.takeNext(), outbox.takeNext(), outbox.takeNext()] as Outgoing[];
      outbox.confirm(sent[0] as Outgoing);
      outbox.confirm(sent[2] as Outgoing);
      outbox.rewind();
      expect([outbox.takeNext(), outbox.takeNext(), outbox.takeNext()].map(numberOf)).toEqual([2, 4, null]);
      await outbox.close();
    }));

  test('writes to disk while the server is away', () =>
    withDir(async (dir) => {
      const outbox = open(dir);
      outbox.accept(message(1));
      expect([outbox.takeNext(), outbox.spooledBytes() > 0, outbox.isEmpty()]).toEqual([null, true, false]);
      await outbox.close();
      const next = open(dir);
      next.setAway(false);
      await next.refill();
      expect(numberOf(next.takeNext())).toBe(1);
      await next.close();
    }));

  test('what was in memory when the server went is on disk, too, and goes from there once it was confirmed', () =>
    withDir(async (dir) => {
      const outbox = open(dir);
      outbox.setAway(false);
      for (const n of [1, 2, 3]) outbox.accept(message(n));
      outbox.confirm(outbox.takeNext() as Outgoing);
      outbox.setAway(true);
      const segments = (): string[] => readdirSync(dir).filter((name) => name.endsWith('.seg'));
      await expect.poll(segments, PATIENCE).toHaveLength(1);
      const killed = open(dir);
      await killed.refill();
      expect([killed.takeNext(), killed.takeNext(), killed.takeNext()].map(numberOf)).toEqual([2, 3, null]);
      outbox.setAway(false);
      outbox.rewind();
      for (const _ of [2, 3]) outbox.confirm(outbox.takeNext() as Outgoing);
      await expect.poll(() => readdirSync(dir), PATIENCE).toEqual([]);
    }));

  test('a full memory goes on on disk and comes back in order', () =>
    withDir(async (dir) => {
      const outbox = open(dir);
      outbox.setAway(false);
      for (let n = 1; n <= 50; n += 1) outbox.accept(message(n, 1024 * 1024));
      expect(outbox.spooledBytes()).toBeGreaterThan(20 * 1024 * 1024);
      const sent: (number | null)[] = [];
      while (sent.length < 50) {
        const next = outbox.takeNext();
        if (next === null) await outbox.refill();
        else {
          sent.push(numberOf(next));
          outbox.confirm(next);
        }
      }
      expect(sent).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
      await outbox.refill();
      expect([outbox.isEmpty(), outbox.memoryBytes(), outbox.spooledBytes()]).toEqual([true, 0, 0]);
      await outbox.close();
    }));

  test('whatever happens in between, every message is confirmed once and in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('accept', 'accept', 'send', 'confirm', 'away', 'back', 'refill', 'restart'), {
          maxLength: 60,
        }),
        (steps) =>
          withDir(async (dir) => {
            let outbox = open(dir);
            let [accepted, isAway] = [0, true];
            let flight: Outgoing[] = [];
            const confirmed: (number | null)[] = [];
            const confirm = (): void => {
              const first = flight.shift();
              if (first === undefined) return;
              confirmed.push(numberOf(first));
              outbox.confirm(first);
            };
            const act: Record<string, () => unknown> = {
              accept: () => {
                accepted += 1;
                outbox.accept(message(accepted));
              },
              send: () => {
                const next = isAway ? null : outbox.takeNext();
                if (next !== null) flight.push(next);
              },
              confirm,
              away: () => {
                isAway = true;
                flight = [];
                outbox.setAway(true);
                outbox.rewind();
              },
              back: () => {
                isAway = false;
                flight = [];
                outbox.setAway(false);
                outbox.rewind();
              },
              refill: async () => (isAway ? undefined : await outbox.refill()),
              restart: async () => {
                await outbox.close();
                outbox = open(dir);
                [isAway, flight] = [true, []];
              },
            };
            for (const step of steps) await act[step]?.();
            await act['back']?.();
            for (let idle = 0; idle < 3; ) {
              const next = outbox.takeNext();
              if (next !== null) {
                flight.push(next);
                confirm();
                idle = 0;
              } else {
                await outbox.refill();
                idle += 1;
              }
            }
            await outbox.close();
            expect(confirmed).toEqual(Array.from({ length: accepted }, (_, i) => i + 1));
          }),
      ),
      { numRuns: 25 },
    ));
});
