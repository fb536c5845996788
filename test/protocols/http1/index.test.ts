import { describe, expect, it } from 'vitest';
import { http1 } from '../../../src/protocols/http1/index.ts';
import { bytesOf } from '../../kit/records.ts';

const peek = (out: string, received = ''): string =>
  http1.peek({ out: bytesOf(out), in: bytesOf(received), outWhole: false, inWhole: false });

describe('http1.peek', () => {
  it.each(['G', 'GET', 'GET /path', 'GET /path HTTP/1.', 'HTT', 'HTTP/1.1 20', ''])('wants more of %j', (text) => {
    expect(peek(text)).toBe('more');
  });

  it('says yes to a start line in either direction and no to what is none', () => {
    expect(peek('GET / HTTP/1.1\n')).toBe('yes');
    expect(peek('binary\0\n', 'HTTP/1.1 200 OK\r\n')).toBe('yes');
    expect(peek('{"json": 1}\n', '\0')).toBe('no');
  });
});
