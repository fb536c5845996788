import { describe, expect, it } from 'vitest';
import { beginsConnection, DETECT_LIMIT_BYTES, detect, PROTOCOLS } from '../../src/protocols/index.ts';
import { bytesOf } from '../kit/records.ts';

function answer(out: string | Uint8Array, received: string | Uint8Array = '', isWhole = false): string {
  const peek = { out: bytesOf(out), in: bytesOf(received), outWhole: isWhole, inWhole: isWhole };
  const detection = detect(PROTOCOLS, peek);
  if (detection.kind === 'protocol') return detection.protocol.name;
  return detection.kind === 'opaque' ? detection.detail : 'more';
}

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

describe('detect', () => {
  it.each([
    ['a request', 'GET / HTTP/1.1\r\n', '', 'http/1'],
    ['a response', '', 'HTTP/1.1 200 OK\r\n', 'http/1'],
    ['a request with a method nobody knows', 'PURGE /x HTTP/1.1\r\n', '', 'http/1'],
    ['a request behind the tail of a body', 'tail"}POST /v1 HTTP/1.1\r\n', '', 'http/1'],
    ['a part of a request line', 'GET /ind', '', 'more'],
    ['nothing', '', '', 'more'],
    ['the HTTP/2 preface and SETTINGS', latin('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'), '', 'http/2'],
    ['Redis', '*2\r\n$3\r\nGET\r\n$1\r\nk\r\n', '', 'redis'],
    ['MQTT', latin('\x10\x10\0\x04MQTT\x04\x02\0\x3c\0\x04abcd'), '', 'mqtt'],
    ['PostgreSQL', latin('\0\0\0\x21\0\x03\0\0user\0me\0database\0db\0\0'), '', 'postgres'],
    ['TLS inside TLS', latin('\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'), '', 'tls'],
  ])('recognises %s', (_, out, received, expected) => {
    expect(answer(out, received)).toBe(expected);
  });

  it('gives a joined connection without a mark to HTTP/1, which waits for a start line', () => {
    const bulk = new Uint8Array(DETECT_LIMIT_BYTES).fill(0x61);
    expect(answer('', bulk.subarray(1))).toBe('more');
    expect(answer('', bulk)).toBe('http/1');
  });

  it('calls a connection opaque that was seen from its first byte and shows nothing known', () => {
    const bulk = new Uint8Array(DETECT_LIMIT_BYTES).fill(0x61);
    expect(answer(bulk, '', true)).toBe('unknown');
  });
});

it('takes a connection for fresh only by a method that nothing can have been bitten off of', () => {
  expect([beginsConnection('GET / HTTP/1.1\r\n', false), beginsConnection('PRI * HTTP/2.0\r\n', false)]).toEqual([
    true,
    true,
  ]);
  expect([beginsConnection('BREW / HTTP/1.1\r\n', false), beginsConnection('BREW / HTTP/1.1\r\n', true)]).toEqual([
    false,
    true,
  ]);
  expect(beginsConnection('ET / HTTP/1.1\r\n', false)).toBe(false);
});
