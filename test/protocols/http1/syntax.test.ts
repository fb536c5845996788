import { describe, expect, it } from 'vitest';
import {
  parseChunkSize,
  parseFieldLine,
  parseRequestLine,
  parseStatusLine,
  seekStartLine,
} from '../../../src/protocols/http1/syntax.ts';

describe('HTTP/1 lines', () => {
  it('reads request lines and refuses what is none', () => {
    expect(parseRequestLine('M-SEARCH * HTTP/1.0')).toEqual({
      kind: 'request',
      method: 'M-SEARCH',
      target: '*',
      version: '1.0',
    });
    for (const line of ['GET /', 'GET / HTTP/2.0', ' GET / HTTP/1.1', '{"a": "b" HTTP/1.1'])
      expect(parseRequestLine(line)).toBeUndefined();
  });

  it('reads status lines with and without a reason', () => {
    expect(parseStatusLine('HTTP/1.1 404 Not Found')).toMatchObject({ status: 404, reason: 'Not Found' });
    expect(parseStatusLine('HTTP/1.0 200')).toMatchObject({ status: 200, reason: '', version: '1.0' });
    for (const line of ['HTTP/1.1 099 x', 'HTTP/1.1 2000', 'HTTP/1.1200 OK'])
      expect(parseStatusLine(line)).toBeUndefined();
  });

  it('finds a start line at the end of unknown text, only of known methods and plain targets', () => {
    expect(seekStartLine('tail"}POST /v1 HTTP/1.1', undefined)).toMatchObject({ before: 6, start: { method: 'POST' } });
    expect(seekStartLine('xHTTP/1.1 200 OK', 'response')).toMatchObject({ before: 1, start: { status: 200 } });
    expect(seekStartLine('x\x01HTTP/1.1 200 \tHTTP/1.1 404 Not HTTP/1.1 200 OK', 'response')).toMatchObject({
      before: 16,
      start: { status: 404, reason: 'Not HTTP/1.1 200 OK' },
    });
    expect(seekStartLine('HTTP/1.1 200 OK\x7f', 'response')).toBeUndefined();
    expect(seekStartLine('say POST words HTTP/1.1', undefined)).toBeUndefined();
    expect(seekStartLine('GET / HTTP/1.1', 'response')).toBeUndefined();
  });

  it('reads field lines: name lower-cased, value trimmed', () => {
    expect(parseFieldLine('Set-Cookie:\t a=b ; c \t')).toEqual({
      field: ['set-cookie', 'a=b ; c'],
      hasSpaceBeforeColon: false,
    });
    expect(parseFieldLine('X :1')).toEqual({ field: ['x', '1'], hasSpaceBeforeColon: true });
    expect(parseFieldLine('X: \u00a0 \t')?.field).toEqual(['x', '\u00a0']);
    expect(parseFieldLine('X:')?.field).toEqual(['x', '']);
    expect(parseFieldLine(': no name')).toBeUndefined();
  });

  it('reads chunk sizes and refuses absurd ones', () => {
    expect(['1a', '0;x', ' 5 ; a="b"', '0000000000000010', '', 'g', '-1', '1234567890abc'].map(parseChunkSize)).toEqual(
      [26, 0, 5, 16, undefined, undefined, undefined, undefined],
    );
  });
});
