// Inputs that mutation does not find: built to make one step's work grow with the size of what came before. Each takes a decoder
// that does that more than a minute; one that does not is done in a moment.
import { expect, it } from 'vitest';
import { http1 } from '../../src/protocols/http1/index.ts';
import { parseFieldLine, seekStartLine } from '../../src/protocols/http1/syntax.ts';
import { http2 } from '../../src/protocols/http2/index.ts';
import type { Protocol } from '../../src/protocols/protocol.ts';
import { HANG_MS } from '../kit/hang.ts';
import { ascii, concat, headers, indexed, literal } from '../protocols/http2/kit.ts';

/** CPU time, so that other programs do not count. */
function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function read(protocol: Protocol, isWhole: boolean, bytes: Uint8Array): void {
  const parser = protocol.open({ emit: () => undefined, outWhole: isWhole, inWhole: isWhole });
  for (let at = 0; at < bytes.length; at += 16_384) parser.data('out', bytes.subarray(at, at + 16_384), 0n);
}

const many = (count: number, make: (at: number) => Uint8Array): Uint8Array =>
  concat(...Array.from({ length: count }, (_, at) => make(at)));

/** An HPACK reference to an old entry of a connection joined late, two or three octets long. */
const old = (at: number): Uint8Array => Uint8Array.of(0xff, 0x80 | (at & 127), 0x10 + (at >> 7));

/** Heads full of old entries that wait for names, and then request after request that implies one. */
const learning = (): Uint8Array =>
  concat(
    many(64, (at) => headers(1 + 2 * at, concat(indexed(3, 7), many(4000, old)))),
    many(6000, (at) => headers(1001 + 2 * at, concat(indexed(3, 7), old(at % 4000), literal('a', 'b')), 0x5)),
  );

const CASES: readonly (readonly [about: string, work: () => void])[] = [
  ['spaces inside the value of a field', () => parseFieldLine(`a: b${' '.repeat(600_000)}c`)],
  ['spaces behind the value of a field', () => parseFieldLine(`a: b${' '.repeat(600_000)}`)],
  ['request lines one behind the other, none of them whole', () => seekStartLine('GET / '.repeat(160_000), 'request')],
  [
    'status lines in a line with a control character',
    () => seekStartLine(`${'HTTP/1.1 200 '.repeat(80_000)}\x01`, 'response'),
  ],
  [
    'a value folded a hundred thousand times',
    () => read(http1, true, ascii(`GET / HTTP/1.1\r\na: b\r\n${' c\r\n'.repeat(125_000)}\r\n`.repeat(8))),
  ],
  ['names that are learned, and heads that wait for them', () => read(http2, false, learning())],
];

it.each(CASES)('costs no more than its size: %s', { timeout: 600_000 }, (_about, work) => {
  expect(cpuMs(work)).toBeLessThan(HANG_MS);
});
