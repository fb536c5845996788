import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord, recordDecoder } from '../../src/record/index.ts';
import { kernelRecord } from './kernel-record.ts';

const KEY = { pid: 4242, startNs: 4_000_000_000n, ssl: 0x7f00_0000_1000n, generation: 0 };

describe('a kernel record becomes the capture record of its kind', () => {
  it('data: plaintext with its place in the stream', () => {
    const record = kernelRecord({ kind: 1, dir: 1, offset: 5_000_000_000n, aux: 40_000n, flags: 0, payload: 'hello' });
    const expected = { kind: 'data', tsNs: 5_000_000_000n, ...KEY, tid: 4243, hook: 7, dir: 'in' };
    const bytes = new TextEncoder().encode('hello');
    expect(decodeRecord(record)).toEqual({
      ...expected,
      offset: 5_000_000_000,
      callBytes: 40_000,
      callEnd: false,
      bytes,
    });
  });

  it('data: the last chunk of a call is marked', () => {
    expect(decodeRecord(kernelRecord({ kind: 1, flags: 1, payload: 'x' }))).toMatchObject({
      dir: 'out',
      callEnd: true,
    });
  });

  it('close: final offsets of both directions', () => {
    const record = kernelRecord({ kind: 2, offset: 123n, aux: 2n ** 40n, generation: 9 });
    const expected = { kind: 'close', tsNs: 5_000_000_000n, ...KEY, generation: 9, outBytes: 123, inBytes: 2 ** 40 };
    expect(decodeRecord(record)).toEqual(expected);
  });

  it('close: one that stands for a hole of unknown size says so', () => {
    expect(decodeRecord(kernelRecord({ kind: 2, flags: 4 }))).toMatchObject({ kind: 'close', broken: true });
    expect(decodeRecord(kernelRecord({ kind: 2, flags: 0 }))).not.toHaveProperty('broken');
  });

  it('sni: the host name', () => {
    const record = kernelRecord({ kind: 3, payload: 'api.githubcopilot.com' });
    expect(decodeRecord(record)).toEqual({ kind: 'sni', tsNs: 5_000_000_000n, ...KEY, host: 'api.githubcopilot.com' });
  });

  it('peer: both ends and how they were found; one of another size is malformed', () => {
    const payload = new Uint8Array(40);
    payload.set([127, 0, 0, 1], 0);
    payload.set([192, 0, 2, 1], 16);
    new DataView(payload.buffer).setUint16(32, 40_000, true);
    new DataView(payload.buffer).setUint16(34, 443, true);
    new DataView(payload.buffer).setUint32(36, 1, true);
    const ends = { local: '127.0.0.1:40000', remote: '192.0.2.1:443' };
    expect(decodeRecord(kernelRecord({ kind: 7, aux: 2n, payload }))).toEqual({
      kind: 'peer',
      tsNs: 5_000_000_000n,
      ...KEY,
      ...ends,
      evidence: 'after',
    });
    expect(decodeRecord(kernelRecord({ kind: 7, payload: payload.subarray(1) })).kind).toBe('malformed');
  });

  it('facts: what was negotiated, as it was found; one of another size is malformed', () => {
    const payload = Uint8Array.of(0x02, 0x13, 0x00, 0x03, 0x04, 0x03, 2, 0, 0x68, 0x32);
    expect(decodeRecord(kernelRecord({ kind: 8, aux: 1n, payload }))).toEqual({
      kind: 'facts',
      tsNs: 5_000_000_000n,
      ...KEY,
      version: 0x0304,
      cipher: 0x0300_1302,
      alpn: 'h2',
      evidence: 'getters',
    });
    for (const length of [0, 4, 9])
      expect(decodeRecord(kernelRecord({ kind: 8, payload: payload.subarray(0, length) })).kind).toBe('malformed');
  });

  it('fork: parent and child', () => {
    const record = kernelRecord({ kind: 4, aux: 4300n, startNs: 4_900_000_000n });
    const child = { pid: 4300, startNs: 4_900_000_000n };
    expect(decodeRecord(record)).toEqual({ kind: 'fork', tsNs: 5_000_000_000n, parentPid: 4242, child });
  });

  it('exec: the new program', () => {
    const record = kernelRecord({ kind: 5, payload: '/usr/bin/node' });
    const expected = { kind: 'exec', tsNs: 5_000_000_000n, pid: 4242, startNs: 4_000_000_000n, file: '/usr/bin/node' };
    expect(decodeRecord(record)).toEqual(expected);
  });

  it('exit: the wait status', () => {
    const expected = { kind: 'exit', tsNs: 5_000_000_000n, pid: 4242, startNs: 4_000_000_000n, code: 256 };
    expect(decodeRecord(kernelRecord({ kind: 6, aux: 256n }))).toEqual(expected);
  });
});

describe('bytes that are no record', () => {
  const problemOf = (bytes: Uint8Array): unknown => {
    const record = decodeRecord(bytes);
    return record.kind === 'malformed' ? record.problem : record;
  };

  it('are named, each with its reason', () => {
    const data = kernelRecord({ kind: 1, payload: 'abc' });
    expect(problemOf(data.subarray(0, 63))).toBe('shorter than its header');
    expect(problemOf(data.subarray(0, 66))).toBe('payload shorter than announced');
    expect(problemOf(kernelRecord({ kind: 1, payload: new Uint8Array(16_385) }))).toBe('payload longer than a chunk');
    expect(problemOf(kernelRecord({ kind: 99 }))).toBe('unknown kind 99');
    expect(problemOf(kernelRecord({ kind: 1, dir: 2 }))).toBe('unknown direction');
    expect(problemOf(kernelRecord({ kind: 1, offset: 2n ** 53n }))).toBe('offset out of range');
    expect(problemOf(kernelRecord({ kind: 2, aux: 2n ** 64n - 1n }))).toBe('offset out of range');
  });

  it('never make the decoder throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(250), fc.nat(250), (bytes, start, end) => {
        expect(recordDecoder(bytes)(start, end).kind).toBeTypeOf('string');
      }),
    );
  });
});

it('reads each record of a batch by its range, padding included', () => {
  const first = kernelRecord({ kind: 1, payload: 'abc' });
  const second = kernelRecord({ kind: 3, payload: 'host' });
  const batch = new Uint8Array(200);
  batch.set(first, 8);
  batch.set(second, 80);
  const decode = recordDecoder(batch.subarray(8));
  expect(decode(0, 72)).toMatchObject({ kind: 'data', bytes: new TextEncoder().encode('abc') });
  expect(decode(72, 144)).toMatchObject({ kind: 'sni', host: 'host' });
});
