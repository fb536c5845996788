import { describe, expect, it } from 'vitest';
import { LINE_MORE, LINE_TOO_LONG, LineReader } from '../../src/bytes/line-reader.ts';
import { latin1 } from '../../src/bytes/text.ts';
import { bytesOf } from '../kit/records.ts';

describe('LineReader', () => {
  it('ends lines at LF and at CRLF and says where the next begins', () => {
    const lines = new LineReader(100);
    const bytes = bytesOf('one\r\ntwo\n');
    expect(lines.read(bytes, 0)).toBe(5);
    expect(latin1(lines.line)).toBe('one');
    expect(lines.read(bytes, 5)).toBe(9);
    expect(latin1(lines.line)).toBe('two');
  });

  it('joins a line that is cut, also between CR and LF', () => {
    const lines = new LineReader(100);
    expect(lines.read(bytesOf('ab'), 0)).toBe(LINE_MORE);
    expect(lines.read(bytesOf('c\r'), 0)).toBe(LINE_MORE);
    expect(lines.read(bytesOf('\nrest'), 0)).toBe(1);
    expect(latin1(lines.line)).toBe('abc');
  });

  it('refuses a line over its limit, whole or cut', () => {
    expect(new LineReader(4).read(bytesOf('12345\n'), 0)).toBe(LINE_TOO_LONG);
    const lines = new LineReader(4);
    lines.read(bytesOf('123'), 0);
    expect(lines.read(bytesOf('45'), 0)).toBe(LINE_TOO_LONG);
  });
});
