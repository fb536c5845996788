import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeUser, encodeUser, fromFixed64, toFixed64, type UserRecord } from '../../src/record/entries.ts';
import { tracer } from '../../src/record/recording.gen.js';

const again = (record: UserRecord) => decodeUser(tracer.recording.Entry.decode(encodeUser(record)));

it('keeps every 64-bit value', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
      expect(fromFixed64(toFixed64(value))).toBe(value);
    }),
  );
});

it('keeps counters in their order, with names that mean something to JavaScript', () => {
  const counters = JSON.parse('{"z": 1, "a": 0.5, "__proto__": 3, "constructor": 4}');
  const record = again({ kind: 'counters', tsNs: 1n, counters });
  expect(JSON.stringify(record?.kind === 'counters' && record.counters)).toBe(JSON.stringify(counters));
});

it('keeps empty and absent values apart from nothing: a process without arguments or libraries', () => {
  const record: UserRecord = {
    kind: 'process',
    tsNs: 0n,
    pid: 0,
    startNs: 0n,
    parentPid: 0,
    comm: '',
    exe: '',
    args: ['', ''],
    role: '',
    tls: [],
  };
  expect(again(record)).toEqual(record);
  expect(again({ ...record, stale: true })).toEqual({ ...record, stale: true });
});

it('passes over an entry of a kind that it does not know', () => {
  expect(decodeUser(tracer.recording.Entry.decode(new Uint8Array([0x52, 0x01, 0x00])))).toBeNull();
});

it('keeps facts of a call, of the first message apart from those of none', () => {
  const plain: UserRecord = {
    kind: 'call-facts',
    tsNs: 2n ** 63n,
    pid: 7,
    startNs: 5n,
    ssl: 0xa0n,
    generation: 2,
    ageNs: 1_000_000n,
    exchange: 3,
    json: '{"llm":{"model":"é"}}',
  };
  expect(again(plain)).toEqual(plain);
  expect(again({ ...plain, message: 0 })).toEqual({ ...plain, message: 0 });
});
