// The kernel side on the real kernel, against target.c: functions of every role's shape, driven through the situations
// that a capture must survive. Byte i of a direction is a function of (object, direction, i), so every chunk is checked.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  COOKIE_CHECK_METHOD_SHIFT,
  COOKIE_DONE_SHIFT,
  COOKIE_METHOD_SHIFT,
  RECORD_FLAG,
} from '../../src/record/layout.gen.ts';
import { availableClangs, buildObjects, buildProgram, type Seen, type Trace, trace, whyNotLive } from './kit.ts';

const reason = whyNotLive();
if (reason) console.warn(`kernel side scenarios skipped: ${reason}`);

interface Run extends Trace {
  /** Number of the object in the target, by address. */
  readonly objectOf: (record: { ssl: bigint }) => number;
  /** Bytes that the target says it moved on object n since its last use began. */
  readonly moved: (n: number) => { out: number; in: number };
  readonly pid: number;
}

let object = '';
let loader = '';
let target = '';

/** Return probe first: a call that begins in between must not leave a frame without a return. */
const hook = (role: string, symbol: string, cookie: bigint, tag = ''): string[] =>
  ['exit', 'enter'].map((end) => `tls_${role}_${end}:${target}:${symbol}:${cookie}${tag}`);

/** All hooks; a run attaches those whose symbol it names (taking a probe away costs the kernel 0.1 s). */
function hooks(methodLow12: number): string[] {
  const checked = (1n << BigInt(COOKIE_CHECK_METHOD_SHIFT)) | (BigInt(methodLow12) << BigInt(COOKIE_METHOD_SHIFT));
  return [
    ...hook('read', 't_read', 1n),
    ...hook('write', 't_write', 2n),
    ...hook('read_ex', 't_read_ex', 3n),
    ...hook('write_ex', 't_write_ex', 4n),
    ...hook('write_ex', 't_write_flags', 5n | (4n << BigInt(COOKIE_DONE_SHIFT))),
    ...hook('write_ex', 't_write_tail', 6n),
    ...hook('write', 't_write', 20n, '#twice'),
    ...hook('open', 't_open', 7n | checked),
    ...hook('seal', 't_seal', 8n | checked),
    ...hook('seal_old', 't_seal_old', 9n | checked),
    `tls_free_enter:${target}:t_free:10`,
    `tls_sni_enter:${target}:t_sni:11`,
    `tls_ctrl_enter:${target}:t_ctrl:12`,
    'proc_fork',
    'proc_exec',
    'proc_exit',
  ];
}

async function run(
  scenario: string,
  symbols: string,
  options: { ringBytes?: number; lazy?: boolean } = {},
): Promise<Run> {
  const isWanted = (spec: string): boolean => {
    const [, , symbol = spec, cookie = ''] = spec.split(':');
    return symbols.split(' ').includes(cookie.endsWith('#twice') ? `${symbol}#twice` : symbol);
  };
  const child = spawn(target, [scenario], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const said = new Map<string, string[]>();
  const pid = child.pid ?? 0;
  const result = await new Promise<Trace>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [what = '', name = '', ...rest] = line.split(' ');
      said.set(`${what} ${name}`, rest);
      if (what !== 'table') return;
      trace(
        { object, loader, pid, attach: hooks(Number(name)).filter(isWanted), follow: true, ...options },
        async () => {
          child.stdin.end('go\n');
          await ended;
        },
      ).then(resolve, reject);
    });
  });
  const addresses = Array.from({ length: 16 }, (_, n) => BigInt(said.get(`object ${n}`)?.[0] ?? 0));
  const moved = (n: number) => {
    const [out, into] = said.get(`moved ${n}`) ?? [];
    return { out: Number(out), in: Number(into) };
  };
  return { ...result, pid, moved, objectOf: ({ ssl }) => addresses.indexOf(ssl) };
}

function pattern(n: number, dir: 'out' | 'in', i: number): number {
  return (n * 31 + (dir === 'out' ? 0 : 101) + i * 7 + (i >> 8) * 13 + (i >> 16)) & 0xff;
}

const dataOf = (r: Run, n = 0, dir?: string): Seen[] =>
  r.records.filter((x) => x.kind === 'data' && r.objectOf(x) === n && (dir === undefined || x.dir === dir));
const kindOf = (r: Run, kind: Seen['kind']): Seen[] => r.records.filter((x) => x.kind === kind);
const spans = (records: Seen[]): number[][] => records.map((x) => [x.offset, x.bytes.length]);
const total = (records: Seen[]): number => records.reduce((sum, x) => sum + x.bytes.length, 0);

/** Every byte of every chunk is the byte that the target had at that offset. */
function expectExactBytes(r: Run): void {
  for (const record of r.records.filter((x) => x.kind === 'data')) {
    const n = r.objectOf(record);
    const wrong = record.bytes.findIndex((byte, i) => byte !== pattern(n, record.dir, record.offset + i));
    expect(wrong, `object ${n} ${record.dir} at ${record.offset}`).toBe(-1);
  }
}

function expectNoHoles(records: Seen[]): void {
  let end = 0;
  for (const record of records) {
    expect(record.offset).toBe(end);
    end += record.bytes.length;
  }
}

/** What the library reported is what was copied, skipped or counted as lost: to the byte. */
function expectBalance(r: Run): void {
  const c = (name: string): number => r.counters[name] ?? Number.NaN;
  const lost = ['ring_full', 'fault', 'too_long', 'table_full'].map((cause) => c(`lost_${cause}_bytes`));
  expect(c('copied_bytes') + c('skipped_bytes') + lost.reduce((a, b) => a + b)).toBe(c('bytes_out') + c('bytes_in'));
  expect(total(r.records.filter((x) => x.kind === 'data'))).toBe(c('copied_bytes'));
  expect(r.records.length).toBe(c('records'));
  expect(r.threads).toBe(0);
}

const lossesOf = (r: Run): Record<string, number> =>
  Object.fromEntries(Object.entries(r.counters).filter(([name, n]) => name.startsWith('lost_') && n > 0));

describe.skipIf(reason)('the kernel side, live', () => {
  beforeAll(() => {
    object = `${buildObjects(availableClangs()[0] ?? 'clang')}/tracer.bpf.o`;
    loader = buildProgram('loader.c', '-lbpf', '-lelf', '-lz');
    target = buildProgram('target.c');
  }, 60_000);

  it('delivers calls of any size exactly, in chunks of at most 16 KiB', async () => {
    const r = await run('sizes', 't_read t_write');
    for (const dir of ['out', 'in'] as const) {
      expectNoHoles(dataOf(r, 0, dir));
      expect(total(dataOf(r, 0, dir))).toBe(r.moved(0)[dir]);
    }
    expectExactBytes(r);
    const last = dataOf(r, 0, 'out').slice(-5);
    expect(last.map((x) => x.bytes.length)).toEqual([16384, 16384, 16384, 16384, 4464]);
    expect(last.map((x) => x.aux)).toEqual([70000, 70000, 70000, 70000, 70000]);
    expect(last.map((x) => x.flags)).toEqual([0, 0, 0, 0, RECORD_FLAG.callEnd]);
    expect(last.map((x) => x.hook)).toEqual([2, 2, 2, 2, 2]);
    expect(lossesOf(r)).toEqual({});
    expectBalance(r);
  });

  it('emits only what a call reported as transferred, so a retry gives no duplicate', async () => {
    const r = await run('retries', 't_read t_write');
    expect(spans(dataOf(r, 0, 'out'))).toEqual([
      [0, 60],
      [60, 40],
    ]);
    expect(spans(dataOf(r, 0, 'in'))).toEqual([[0, 5]]);
    expect(r.counters['calls_out']).toBe(4);
    expect(r.counters['calls_in']).toBe(3);
    expectExactBytes(r);
    expectBalance(r);
  });

  it('reads the count through the pointer, at the position that the cookie names', async () => {
    const r = await run('counts', 't_read_ex t_write_ex t_write_flags');
    expect(spans(dataOf(r, 0, 'out'))).toEqual([
      [0, 300],
      [300, 50],
    ]);
    expect(spans(dataOf(r, 0, 'in'))).toEqual([[0, 200]]);
    expect(dataOf(r, 0, 'out').map((x) => x.hook)).toEqual([4, 5]);
    expectExactBytes(r);
    expectBalance(r);
  });

  it('captures at record level, and drops objects of another method table', async () => {
    const r = await run('record_level', 't_open t_seal t_seal_old');
    expect(spans(dataOf(r, 0, 'in'))).toEqual([[0, 1000]]);
    expect(spans(dataOf(r, 0, 'out'))).toEqual([
      [0, 400],
      [400, 300],
    ]);
    expect(dataOf(r, 1)).toEqual([]);
    expect(r.counters['other_method_calls']).toBe(3);
    expectExactBytes(r);
    expectBalance(r);
  });

  it('emits a nested call once for the same connection, and both for TLS inside TLS', async () => {
    const r = await run('nesting', 't_read t_read_ex');
    expect(spans(dataOf(r, 0, 'in'))).toEqual([
      [0, 900],
      [900, 800],
    ]);
    expect(dataOf(r, 0, 'in').map((x) => x.hook)).toEqual([1, 1]);
    expect(spans(dataOf(r, 1, 'in'))).toEqual([[0, 700]]);
    expect(r.counters['nested_calls']).toBe(1);
    expectExactBytes(r);
    expectBalance(r);
  });

  it('emits a hooked function that jumps into another hooked one once', async () => {
    const r = await run('tail_call', 't_write_ex t_write_tail');
    expect(spans(dataOf(r, 0, 'out'))).toEqual([
      [0, 100],
      [100, 100],
      [200, 100],
    ]);
    expect(dataOf(r, 0, 'out').map((x) => x.hook)).toEqual([6, 6, 6]);
    expect(r.counters['late_calls']).toBe(0);
    expect(lossesOf(r)).toEqual({});
    expectExactBytes(r);
    expectBalance(r);
  });

  it('emits once where one function was hooked twice', async () => {
    const r = await run('retries', 't_write t_write#twice');
    expect(spans(dataOf(r, 0, 'out'))).toEqual([
      [0, 60],
      [60, 40],
    ]);
    expect(kindOf(r, 'close')).toEqual([]);
    expect(lossesOf(r)).toEqual({});
    expectExactBytes(r);
  });

  it('breaks the connection when a call never returned, and mistakes no other return for it', async () => {
    const r = await run('missed_return', 't_read t_read_ex');
    expect(spans(dataOf(r, 0, 'in'))).toEqual([
      [0, 10],
      [0, 20],
      [0, 40],
    ]);
    expect(new Set(dataOf(r, 0).map((x) => x.generation)).size).toBe(3);
    expect(kindOf(r, 'close').map((x) => [x.flags, x.aux])).toEqual([
      [RECORD_FLAG.broken, 10],
      [RECORD_FLAG.broken, 20],
    ]);
    // The second time an inner call came first: it passed for nested, so its 30 bytes went with the broken connection.
    expect(lossesOf(r)).toEqual({ lost_no_return_calls: 2 });
    expectExactBytes(r);
    expectBalance(r);
  });

  it('counts the uses of one address as generations, each with offsets from 0', async () => {
    const r = await run('reuse', 't_read t_write t_free');
    const generations = [...new Set(dataOf(r, 0).map((x) => x.generation))];
    expect(generations.length).toBe(4);
    expect(generations).toEqual([...generations].sort((a, b) => a - b));
    expect(dataOf(r, 0).every((x) => x.offset === 0)).toBe(true);
    expect(kindOf(r, 'close').map((x) => [x.generation, x.offset, x.aux])).toEqual(
      generations.slice(0, 3).map((g) => [g, 10, 20]),
    );
    expect(r.connections.map((c) => [c.generation, c.outBytes, c.inBytes])).toEqual([[generations[3], 5, 0]]);
    expectBalance(r);
  });

  it('captures the first 8 MiB of one call, marks the cut and counts the rest', async () => {
    const r = await run('huge', 't_write', { ringBytes: 32 << 20 });
    const chunks = dataOf(r, 0, 'out');
    expect(chunks.length).toBe(513);
    expect(total(chunks)).toBe(8 * 1024 * 1024 + 100);
    expect(chunks[511]!.flags).toBe(RECORD_FLAG.callEnd | RECORD_FLAG.cut);
    expect(chunks[512]!.offset).toBe(9 * 1024 * 1024);
    expect(lossesOf(r)).toEqual({ lost_too_long_bytes: 1024 * 1024, lost_too_long_calls: 1 });
    expectExactBytes(r);
    expectBalance(r);
  });

  it('counts buffers that cannot be read and keeps the offsets right', async () => {
    const r = await run('faults', 't_write');
    expect(spans(dataOf(r, 0, 'out'))).toEqual([
      [0, 10],
      [80, 10],
    ]);
    expect(lossesOf(r)).toEqual({ lost_fault_bytes: 70, lost_fault_chunks: 2 });
    expectExactBytes(r);
    expectBalance(r);
  });

  it('does not believe impossible counts: the connection is broken, never spliced', async () => {
    const r = await run('odd', 't_read t_write t_read_ex');
    expect(spans(dataOf(r, 0, 'out'))).toEqual([
      [0, 10],
      [0, 20],
      [0, 30],
      [0, 40],
    ]);
    expect(new Set(dataOf(r, 0, 'out').map((x) => x.generation)).size).toBe(4);
    expect(kindOf(r, 'close').map((x) => x.flags)).toEqual(Array(3).fill(RECORD_FLAG.broken));
    expect(lossesOf(r)).toEqual({ lost_odd_count_calls: 2, lost_count_fault_calls: 1 });
    expectExactBytes(r);
    expectBalance(r);
  });

  it('follows six calls inside one another and counts deeper ones as lost', async () => {
    const r = await run('depth', 't_read');
    expect(r.records.filter((x) => x.kind === 'data').map(r.objectOf)).toEqual([5, 4, 3, 2, 1, 0]);
    expect(lossesOf(r)).toEqual({ lost_too_deep_calls: 3 });
    expect(r.threads).toBe(0);
  });

  it('reports host names from both kinds of call, cut when they cannot be names', async () => {
    const r = await run('names', 't_sni t_ctrl');
    const names = kindOf(r, 'sni').map((x) => x.bytes.toString());
    expect(names).toEqual(['one.example', 'two.example', 'x'.repeat(255), '']);
    expect(kindOf(r, 'sni').map((x) => x.flags)).toEqual([0, 0, RECORD_FLAG.cut, 0]);
    expect(r.counters['name_fault_events']).toBe(1);
  });

  it('keeps both directions of one connection right when two threads use it at once', async () => {
    const r = await run('both_ways', 't_read t_write');
    for (const dir of ['out', 'in'] as const) {
      expectNoHoles(dataOf(r, 0, dir));
      expect(total(dataOf(r, 0, dir))).toBe(r.moved(0)[dir]);
    }
    expect(new Set(dataOf(r, 0).map((x) => x.generation)).size).toBe(1);
    expect(lossesOf(r)).toEqual({});
    expectExactBytes(r);
    expectBalance(r);
  });

  it('accounts for every byte when the ring is too small', async () => {
    const r = await run('burst', 't_write t_free', { ringBytes: 65536, lazy: true });
    const chunks = dataOf(r, 0, 'out');
    const lostBytes = r.counters['lost_ring_full_bytes'] ?? 0;
    expect(total(chunks)).toBeGreaterThan(0);
    const others = total(r.records) - total(chunks);
    expect(total(chunks) + others + lostBytes).toBe(1_001_015);
    const unsaid = r.connections.filter((c) => c.isClosed);
    expect(unsaid.length).toBeGreaterThan(10);
    expect(unsaid.length).toBe(r.counters['lost_ring_full_events']);
    expect(unsaid.length + kindOf(r, 'close').length).toBe(16);
    const finals = [...unsaid.map((c) => c.outBytes), ...kindOf(r, 'close').map((x) => x.offset)];
    expect(finals.reduce((a, b) => a + b)).toBe(1_001_015);
    expect(r.counters['ring_peak_bytes']).toBeLessThanOrEqual(65536);
    expectExactBytes(r);
    expectBalance(r);
  });

  it('sees a child from its first instruction, its exec and its exit', async () => {
    const r = await run('family', 't_write proc_fork proc_exec proc_exit');
    const [fork] = kindOf(r, 'fork');
    const child = fork!.aux;
    expect(fork!.pid).toBe(r.pid);
    expect(dataOf(r, 0).map((x) => [x.pid, x.startNs, x.offset, x.bytes.length])).toEqual([
      [child, fork!.startNs, 0, 50],
    ]);
    expect(kindOf(r, 'exec').map((x) => [x.pid, x.startNs, x.bytes.toString()])).toEqual([
      [child, fork!.startNs, '/bin/sh'],
    ]);
    expect(kindOf(r, 'exit').map((x) => [x.pid, x.aux])).toEqual([
      [child, 3 << 8],
      [r.pid, 0],
    ]);
    expectExactBytes(r);
    expectBalance(r);
  });
});
