import { expect, it } from 'vitest';
import { collectFiles, collectOffsets } from '../../src/cli/offset-values.ts';

it('offsets are given one by one, for the program or for a file', () => {
  const first = collectOffsets('SSL_read=0x4ba10');
  expect(collectOffsets('/opt/a:b=c/libx.so:SSL_write=1234', first)).toEqual([
    { file: undefined, symbol: 'SSL_read', fileOffset: 0x4ba10 },
    { file: '/opt/a:b=c/libx.so', symbol: 'SSL_write', fileOffset: 1234 },
  ]);
});

it.each([
  ['SSL_read', 'expected [file:]function=offset'],
  ['SSL_read=0x', 'expected [file:]function=offset'],
  ['SSL_read=-4', 'expected [file:]function=offset'],
  ['SSL_read=0xffffffffffffffff', 'expected [file:]function=offset'],
  ['SSL_reed=0x10', 'SSL_reed is none of SSL_read, SSL_write,'],
])('%s is refused: %s', (text, message) => {
  expect(() => collectOffsets(text)).toThrow(message);
});

it('files are collected in order', () => {
  expect(collectFiles('b', collectFiles('a'))).toEqual(['a', 'b']);
});
