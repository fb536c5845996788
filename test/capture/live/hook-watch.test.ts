import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { HookWatch, looksLikePlaintext } from '../../../src/capture/live/hook-watch.ts';
import type { DataRecord } from '../../../src/model/index.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Bytes that are neither text nor a frame: the first byte makes any frame too long. */
const noise = (): Uint8Array => Uint8Array.from([0xff, ...randomBytes(200)]);

const data = (generation: number, bytes: Uint8Array, offset = 0): DataRecord => ({
  kind: 'data',
  tsNs: 0n,
  pid: 1,
  startNs: 0n,
  ssl: 1n,
  generation,
  tid: 1,
  hook: 9,
  dir: 'out',
  offset,
  callBytes: bytes.length,
  callEnd: true,
  bytes,
});

test('start lines, prefaces, frames and text look like plaintext; ciphertext does not', () => {
  expect(looksLikePlaintext(text('GET / HTTP/1.1\r\nhost: x\r\n'))).toBe(true);
  expect(looksLikePlaintext(text('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))).toBe(true);
  expect(looksLikePlaintext(Uint8Array.from([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]))).toBe(true);
  expect(looksLikePlaintext(noise())).toBe(false);
  expect(looksLikePlaintext(new Uint8Array(0))).toBe(true);
});

test('a hook that gives nothing but noise is reported once, at the third connection', () => {
  const suspicious: number[] = [];
  const watch = new HookWatch((hook) => suspicious.push(hook));
  for (let generation = 1; generation <= 5; generation++) {
    const record = data(generation, noise());
    watch.data(record);
    watch.undecodable(record);
    if (generation === 2) expect(suspicious).toEqual([]);
  }
  expect(suspicious).toEqual([9]);
});

test('one connection that looks right clears the hook', () => {
  const suspicious: number[] = [];
  const watch = new HookWatch((hook) => suspicious.push(hook));
  watch.data(data(100, text('POST /chat HTTP/1.1\r\n')));
  for (let generation = 1; generation <= 5; generation++) {
    watch.data(data(generation, noise()));
    watch.undecodable(data(generation, noise()));
  }
  expect(suspicious).toEqual([]);
});

test('binary protocols that were decoded, and bytes in mid-stream, speak against nothing', () => {
  const suspicious: number[] = [];
  const watch = new HookWatch((hook) => suspicious.push(hook));
  for (let generation = 1; generation <= 5; generation++) watch.data(data(generation, noise()));
  for (let generation = 6; generation <= 9; generation++) {
    watch.data(data(generation, noise(), 5000));
    watch.undecodable(data(generation, noise()));
  }
  expect(suspicious).toEqual([]);
});
