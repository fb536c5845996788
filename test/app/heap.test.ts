import { expect, test } from 'vitest';
import { createTidier } from '../../src/app/heap.ts';

const MIB = 1024 * 1024;

test('a process that has grown is made small again, once enough was read', () => {
  let held: number[][] = Array.from({ length: 60 }, (_, at) => new Array<number>(700_000).fill(at));
  const grown = process.memoryUsage().heapUsed;
  expect(held.length).toBe(60);
  held = [];
  const tidy = createTidier();
  tidy.read(1 * MIB);
  tidy.read(32 * MIB);
  expect(grown - process.memoryUsage().heapUsed).toBeGreaterThan(200 * MIB);
});

test('what the reading left goes at its end, however little was read', () => {
  let held: number[][] = Array.from({ length: 60 }, (_, at) => new Array<number>(700_000).fill(at));
  const grown = process.memoryUsage().heapUsed;
  expect(held.length).toBe(60);
  held = [];
  createTidier().done();
  expect(grown - process.memoryUsage().heapUsed).toBeGreaterThan(200 * MIB);
});
