import { expect, test } from 'vitest';
import { FactLayouts, packLayout } from '../../../src/capture/live/fact-layouts.ts';
import type { FactChains } from '../../../src/capture/targets/target.ts';

const CHAINS: FactChains = { version: [0x48], cipher: [0x900, 0x2f8, 0x18] };

function layouts() {
  const written: [number, Uint8Array][] = [];
  return { written, layouts: new FactLayouts((index, layout) => written.push([index, layout])) };
}

test('chains are packed as the kernel side reads them: four offsets of 16 bits each, then how many count', () => {
  const alpn = { name: [0x30, 0x1e0], lenBytes: [0x30, 0x1e8] };
  const words = new Uint16Array(packLayout({ version: [0x10], cipher: [0x30, 0x1c8, 0xd0, 0x10], alpn }).buffer);
  expect([...words.subarray(0, 16)]).toEqual([
    0x10, 0, 0, 0, 0x30, 0x1c8, 0xd0, 0x10, 0x30, 0x1e0, 0, 0, 0x30, 0x1e8, 0, 0,
  ]);
  expect([...new Uint8Array(words.buffer, 32)]).toEqual([1, 4, 2, 2, 1, 0, 0, 0]);
});

test('a chain that is not there, or is too long, has no steps', () => {
  expect([...packLayout(CHAINS).subarray(32)]).toEqual([1, 3, 0, 0, 1, 0, 0, 0]);
  expect(packLayout({ ...CHAINS, version: [1, 2, 3, 4, 5] })[32]).toBe(0);
  expect([...packLayout({ cipher: [1, 2] }).subarray(32)]).toEqual([0, 2, 0, 0, 2, 0, 0, 0]);
});

test('equal chains share a number and are written once', () => {
  const { written, layouts: table } = layouts();
  expect(table.indexOf(CHAINS)).toBe(1);
  expect(table.indexOf({ ...CHAINS })).toBe(1);
  expect(table.indexOf({ ...CHAINS, version: [0] })).toBe(2);
  expect(written.map(([index]) => index)).toEqual([1, 2]);
});

test('a library whose facts are not known has number 0, which is never written', () => {
  const { written, layouts: table } = layouts();
  expect(table.indexOf(undefined)).toBe(0);
  expect(written).toEqual([]);
});

test('when the table is full, what is new is not told', () => {
  const { written, layouts: table } = layouts();
  const all = Array.from({ length: 300 }, (_, i) => table.indexOf({ ...CHAINS, version: [i] }));
  expect(all.slice(253)).toEqual([254, 255, ...Array.from({ length: 45 }, () => 0)]);
  expect(written).toHaveLength(255);
  expect(table.indexOf({ ...CHAINS, version: [0] })).toBe(1);
});
