import { describe, expect, it } from 'vitest';
import { separateCopies, sequenceOf } from '../../../../src/capture/discover/boringssl/sites.ts';
import { constant } from '../../../../src/capture/discover/code/values.ts';
import { callOf, sitedOf, traceOf } from './traces.ts';

const RANGES = [{ low: 1000, high: 1010 }];
const put = (line: number, reason: number, target: number, library = 16) =>
  callOf([library, 0, reason, 1000, line, 0].map(constant), { target });
/** Link-time optimisation dropped the unused parameter. */
const putShort = (line: number, reason: number, target: number) =>
  callOf([16, reason, 1000, line, 0, 0].map(constant), { target });

const lines = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('error sites', () => {
  it('tell two copies of the library apart by the function they call', () => {
    const functions = [
      traceOf(1, { calls: lines(8).map((line) => put(line, 66, 0xa)) }),
      traceOf(2, { calls: lines(9).map((line) => putShort(line, 215, 0xb)) }),
      traceOf(3, { calls: [put(1, 66, 0xc)] }),
    ];
    const copies = separateCopies({ ranges: RANGES, functions }, { ranges: [], functions: [] });
    expect(
      copies.map((c) => [c.errorFunction, c.sslLib.map((f) => f.trace.entry), c.sslLib[0]?.sites[0]]),
    ).toMatchObject([
      [0xa, [1], { line: 1, reason: 66 }],
      [0xb, [2], { line: 1, reason: 215 }],
    ]);
  });

  it('are only those of the TLS part of the library', () => {
    const functions = [traceOf(1, { calls: lines(8).map((line) => put(line, 66, 0xa, 11)) })];
    expect(separateCopies({ ranges: RANGES, functions }, { ranges: [], functions: [] })).toEqual([]);
  });

  it('stand in line order, with every function that holds them', () => {
    const entries = sequenceOf([
      sitedOf(1, [
        [20, 66],
        [10, 215],
      ]),
      sitedOf(2, [[20, 66]]),
    ]);
    expect(entries.map((e) => [e.line, e.reason, [...e.functions].map((f) => f.trace.entry)])).toEqual([
      [10, 215, [1]],
      [20, 66, [1, 2]],
    ]);
  });
});
