import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Batch, BpfObject, RingBuffer, type RingBufferOptions } from '../src/index.ts';
import { asU64, bpfObject, describeAsRoot, Target, targetPath, u32 } from './kit.ts';

const FAILED_RESERVES = 3;

/** The numbers in a batch's records; each record carries its number twice, the second time inverted. */
const numbersIn = (batch: Batch): number[] => {
  const numbers: number[] = [];
  for (const sample of batch) {
    const [number, inverted] = new BigUint64Array(sample.buffer, sample.byteOffset, 2);
    if (inverted !== BigInt.asUintN(64, ~number!)) throw new Error(`record ${number} is damaged`);
    numbers.push(Number(number));
  }
  if (numbers.length !== batch.records) throw new Error(`${batch.records} records announced, ${numbers.length} found`);
  return numbers;
};

/** A target whose every call of alpha() makes `program` emit one numbered record. */
const emitter = (program: string, ringBytes = 1 << 20) => {
  const object = BpfObject.open(bpfObject('probe'), { maxEntries: { ring: ringBytes } }).load();
  const target = new Target();
  object.program(program).attachUprobe({ path: targetPath(), symbol: 'alpha', pid: target.pid });
  const failed = () => Number(asU64(object.map('counts').get(u32(FAILED_RESERVES))));
  const open = (options: RingBufferOptions) => new RingBuffer(object.map('ring'), options);
  const end = async (): Promise<void> => {
    await target.end();
    object.close();
  };
  return { object, target, failed, open, end };
};

/** Until it holds; the runner's limit is the only one. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Of a thread that has ended since it was listed: nothing. */
const statOf = (tid: string): string => {
  try {
    return readFileSync(`/proc/self/task/${tid}/stat`, 'utf8');
  } catch {
    return '';
  }
};

/** Scheduling policies of this process's threads of that name (field 41 of stat, the name being the second): 0 ordinary, 2 round-robin. */
const policiesOf = (name: string): number[] =>
  readdirSync('/proc/self/task').flatMap((tid) => {
    const stat = statOf(tid);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return stat.includes(`(${name})`) ? [Number(fields[38])] : [];
  });

/** CAP_SYS_NICE, bit 23: containers often lack it, and a thread runs as all others do there. */
const mayRaisePriority = (): boolean => {
  const [, effective = '0'] = /^CapEff:\t(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return ((BigInt(`0x${effective}`) >> 23n) & 1n) === 1n;
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describeAsRoot('ring buffer', () => {
  test('delivers 100,000 records completely and in order', async () => {
    const { target, failed, open, end } = emitter('emit_small');
    const seen: number[] = [];
    const ring = open({ onBatch: (batch) => void seen.push(...numbersIn(batch)) });
    // Three times what the ring holds, a third of it at a time: no reader has to be quicker than the program.
    for (let round = 1; round <= 10; round++) {
      await target.run('4');
      await until(() => seen.length === round * 10_000);
    }
    await ring.close();
    expect(failed()).toBe(0);
    expect(seen).toEqual(upTo(100_000));
    expect(ring.stats()).toMatchObject({ records: 100_000, bytes: 2_400_000, discarded: 0, sizeBytes: 1 << 20 });
    expect(ring.stats().batches).toBeLessThan(20_000);
    expect(ring.stats().highWaterBytes).toBeGreaterThan(0);
    await end();
  });

  test('samples that are no multiple of 8 keep their exact length, and every sample starts at one', async () => {
    const { target, open, end } = emitter('emit_odd');
    const shapes = new Set<string>();
    const seen: number[] = [];
    const ring = open({
      onBatch: (batch) => {
        seen.push(...numbersIn(batch));
        for (const sample of batch) shapes.add(`${sample.length} ${sample.byteOffset % 8}`);
      },
    });
    await target.run('3');
    await ring.close();
    expect([...shapes]).toEqual(['1001 0']);
    expect(seen).toEqual(upTo(1000));
    await end();
  });

  test('a record larger than a batch comes whole, in a batch of its own', async () => {
    const { target, open, end } = emitter('emit_large');
    const batches: [number, number][] = [];
    const ring = open({ batchBytes: 4096, onBatch: (batch) => void batches.push([batch.records, batch.bytes.length]) });
    await target.run('1');
    await ring.close();
    expect(batches).toEqual(Array(10).fill([1, 70_008]));
    await end();
  });

  test('full batches are lent memory that stays valid after the callback and across later batches', async () => {
    const { target, open, end } = emitter('emit_large', 1 << 24);
    const kept: Batch[] = [];
    const ring = open({ onBatch: (batch) => void kept.push(batch), pollMs: 200 });
    await target.run('2');
    await ring.close();
    expect(kept.flatMap(numbersIn)).toEqual(upTo(100));
    expect(kept.some((batch) => batch.bytes.length > 256 * 1024)).toBe(true);
    await end();
  });

  test('a released batch and all views of it are empty, and releasing again does nothing', async () => {
    const { target, open, end } = emitter('emit_large', 1 << 24);
    const views: Uint8Array[] = [];
    const seen: number[] = [];
    const ring = open({
      onBatch: (batch) => {
        seen.push(...numbersIn(batch));
        views.push(...batch);
        batch.release();
        batch.release();
        expect([...batch]).toEqual([]);
      },
    });
    await target.run('2');
    await target.run('2');
    await ring.close();
    expect(seen).toEqual(upTo(200));
    expect(new Set(views.map((view) => view.length))).toEqual(new Set([0]));
    await end();
  });

  test('discarded records are counted, not delivered', async () => {
    const { target, open, end } = emitter('emit_discard');
    const seen: number[] = [];
    const ring = open({ onBatch: (batch) => void seen.push(...numbersIn(batch)) });
    await target.run('3');
    await ring.close();
    expect(seen).toEqual(upTo(1000).filter((number) => number % 2 === 0));
    expect(ring.stats().discarded).toBe(500);
    await end();
  });

  test('records arrive by themselves within the poll interval', async () => {
    const { target, open, end } = emitter('emit_small');
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const ring = open({ onBatch: () => arrive() });
    await target.run('0');
    await arrived;
    await ring.close();
    await end();
  });

  test('a wake-up by the program ends the wait at once', async () => {
    const { target, open, end } = emitter('emit_discard');
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const start = performance.now();
    const ring = open({ pollMs: 10_000, onBatch: () => arrive() });
    await target.run('1');
    await arrived;
    expect(performance.now() - start).toBeLessThan(10_000);
    await ring.close();
    await end();
  });

  test('drain delivers all that was in the ring, and only then resolves', async () => {
    const { target, open, end } = emitter('emit_small');
    let records = 0;
    const ring = open({
      pollMs: 10_000,
      onBatch: (batch) => {
        records += batch.records;
      },
    });
    for (let round = 1; round <= 3; round++) {
      await target.run('3');
      await Promise.all([ring.drain(), ring.drain()]);
      expect(records).toBe(round * 1000);
    }
    await ring.close();
    await ring.drain();
    await end();
  });

  test('a consumer that never finishes stops the reader at the limit; the loss is counted, nothing is reordered', async () => {
    const { target, failed, open, end } = emitter('emit_small', 65_536);
    const seen: number[] = [];
    const releases: (() => void)[] = [];
    let isHolding = true;
    const ring = open({
      batchBytes: 4096,
      maxPendingBatches: 3,
      onBatch: (batch) => {
        seen.push(...numbersIn(batch));
        if (isHolding) return new Promise<void>((resolve) => void releases.push(resolve));
        return undefined;
      },
    });
    await target.run('5');
    // The reader may have its turn only after the program.
    await until(() => releases.length === 3 && ring.stats().stalls === 1);
    expect(ring.stats()).toMatchObject({ batches: 3, stalls: 1 });
    expect(failed()).toBeGreaterThan(90_000);
    isHolding = false;
    for (const release of releases) release();
    await target.run('3');
    await ring.close();
    expect(seen.length + failed()).toBe(101_000);
    expect(seen.every((number, i) => i === 0 || number > seen[i - 1]!)).toBe(true);
    expect(ring.stats().highWaterBytes).toBeGreaterThan(65_536 - 64);
    await end();
  });

  test('what JavaScript cannot follow is read and kept, in order, and its memory is used again', async () => {
    const { target, failed, open, end } = emitter('emit_small', 1 << 22);
    const seen: number[] = [];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const ring = open({
      maxPendingBatches: 1,
      backlogBytes: 1 << 24,
      batchBytes: 4096 * 24,
      onBatch: (batch) => {
        seen.push(...numbersIn(batch));
        return released;
      },
    });
    // Twice 2.4 MB, more than the ring holds; the second only when the reader has taken the first out of it.
    for (const total of [100_000, 200_000]) {
      await target.run('5');
      await until(() => ring.stats().backlogBytes === (total - seen.length) * 24);
    }
    expect(ring.stats()).toMatchObject({ batches: 1, stalls: 0 });
    expect(ring.stats().backlogPeakBytes).toBe(ring.stats().backlogBytes);
    release();
    await until(() => seen.length === 200_000);
    expect(ring.stats()).toMatchObject({ records: 200_000, backlogBytes: 0, stalls: 0 });
    await ring.close();
    expect(seen).toEqual(upTo(200_000));
    expect(failed()).toBe(0);
    await end();
  });

  test('a full backlog stops the reader; what it held and what the program could not reserve is all there was', async () => {
    const { target, failed, open, end } = emitter('emit_small', 65_536);
    const seen: number[] = [];
    const ring = open({
      batchBytes: 4096,
      maxPendingBatches: 1,
      backlogBytes: 32_768,
      onBatch: (batch) => {
        seen.push(...numbersIn(batch));
        return new Promise<void>(() => {});
      },
    });
    await target.run('5');
    // The reader may have its turn only after the program.
    await until(() => ring.stats().stalls === 1);
    expect(ring.stats()).toMatchObject({ batches: 1, backlogBytes: 32_768, backlogPeakBytes: 32_768 });
    await ring.drain();
    expect(seen.length + failed()).toBe(100_000);
    expect(seen.every((number, i) => i === 0 || number > seen[i - 1]!)).toBe(true);
    await ring.close();
    await end();
  });

  test.skipIf(!mayRaisePriority())(
    'asked for it, the thread runs before ordinary ones, and no other thread does',
    async () => {
      const { open, end } = emitter('emit_small');
      const ordinary = open({ onBatch: () => {} });
      await until(() => policiesOf('ebpf-ring').includes(0));
      expect(policiesOf('ebpf-ring')).not.toContain(2);
      await ordinary.close();
      const ring = open({ realTime: true, onBatch: () => {} });
      await until(() => policiesOf('ebpf-ring').includes(2));
      expect(policiesOf('node').concat(policiesOf('libuv-worker'))).not.toContain(2);
      await ring.close();
      await end();
    },
  );

  test('an event loop that is blocked costs records, never order', async () => {
    const { target, failed, open, end } = emitter('emit_small', 16_384);
    const seen: number[] = [];
    const ring = open({
      batchBytes: 4096,
      maxPendingBatches: 2,
      onBatch: (batch) => {
        seen.push(...numbersIn(batch));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      },
    });
    await target.run('4');
    await ring.close();
    expect(seen.length + failed()).toBe(10_000);
    expect(seen.every((number, i) => i === 0 || number > seen[i - 1]!)).toBe(true);
    await end();
  });

  test('close delivers what is left, also while stalled, and is idempotent', async () => {
    const { target, failed, open, end } = emitter('emit_small', 65_536);
    const seen: number[] = [];
    const ring = open({
      batchBytes: 4096,
      maxPendingBatches: 1,
      onBatch: (batch) => {
        seen.push(...numbersIn(batch));
        return new Promise<void>(() => {});
      },
    });
    await target.run('4');
    await until(() => ring.stats().stalls === 1);
    await Promise.all([ring.close(), ring.close()]);
    await ring.close();
    expect(seen.length + failed()).toBe(10_000);
    expect(ring.stats().records).toBe(seen.length);
    await end();
  });

  test('close and drain may be awaited inside the callback', async () => {
    const { target, open, end } = emitter('emit_small');
    const results: string[] = [];
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const ring: RingBuffer = open({
      maxPendingBatches: 1,
      onBatch: async () => {
        await ring.drain();
        results.push('drained');
        await ring.close();
        results.push('closed');
        finish();
      },
    });
    await target.run('0');
    await finished;
    expect(results).toEqual(['drained', 'closed']);
    await end();
  });

  test('the ring outlives its object', async () => {
    const { object, target, open } = emitter('emit_small');
    const seen: number[] = [];
    const ring = open({ pollMs: 10_000, onBatch: (batch) => void seen.push(...numbersIn(batch)) });
    await target.run('2');
    object.close();
    await ring.close();
    expect(seen).toEqual(upTo(100));
    await target.end();
  });

  test('limits that make no sense and maps that are no rings are refused', () => {
    using object = BpfObject.open(bpfObject('probe')).load();
    const onBatch = (): void => {};
    const ring = object.map('ring');
    expect(() => new RingBuffer(object.map('hash'), { onBatch })).toThrow("map 'hash' is not a ring buffer");
    expect(() => new RingBuffer(ring, { onBatch, pollMs: 0 })).toThrow(
      'pollMs must be an integer from 1 to 10000; it is 0',
    );
    expect(() => new RingBuffer(ring, { onBatch, batchBytes: 1 })).toThrow(RangeError);
    expect(() => new RingBuffer(ring, { onBatch, maxPendingBatches: 0 })).toThrow(RangeError);
    expect(() => new RingBuffer(ring, { onBatch, backlogBytes: -1 })).toThrow(RangeError);
    expect(() => new RingBuffer(ring, {} as RingBufferOptions)).toThrow('onBatch must be a function');
    expect(() => new RingBuffer({} as typeof ring, { onBatch })).toThrow('map must be a BpfMap');
  });
});
