import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { decodeHuffman } from '../../../../src/protocols/http2/hpack/huffman.ts';
import { hex } from '../kit.ts';

const decode = (text: string): string | undefined => decodeHuffman(hex(text), 0, text.length / 2);

test('the strings of RFC 7541 appendix C decode', () => {
  expect(decode('f1e3c2e5f23a6ba0ab90f4ff')).toBe('www.example.com');
  expect(decode('a8eb10649cbf')).toBe('no-cache');
  expect(decode('640eff')).toBe('307');
  expect(decode('')).toBe('');
});

test('the longest codes decode: control octets and octets above 127', () => {
  expect(decode('fffffff3')).toBe('\n');
  expect(decode('ffc7')).toBe('\0');
  expect(decode('fffffbbf')).toBe('\xff');
});

test('padding must be fewer than eight bits, all ones', () => {
  expect(decode('1f')).toBe('a');
  expect(decode('18')).toBeUndefined();
  expect(decode('1fff')).toBeUndefined();
});

test('a part of a larger buffer is decoded in place', () => {
  expect(decodeHuffman(hex('00a8eb10649cbf00'), 1, 7)).toBe('no-cache');
});

test('the generated table is up to date', () => {
  const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
  expect(() => execFileSync(process.execPath, [at('scripts/gen-huffman.mjs'), '--check'])).not.toThrow();
});
