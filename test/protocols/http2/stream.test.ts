import { expect, test } from 'vitest';
import { MAX_STREAMS, StreamTable } from '../../../src/protocols/http2/stream.ts';

test('a stream is open, then closed; one above all seen is neither', () => {
  const table = new StreamTable();
  const { stream } = table.open(5);
  expect(table.get(5)).toBe(stream);
  expect([table.isClosed(5, true), table.isClosed(7, true)]).toEqual([false, false]);
  table.close(5);
  expect([table.get(5), table.isClosed(5, false), table.isClosed(5, true)]).toEqual([undefined, true, true]);
});

test('a lower stream that was never seen is closed only if none can have been missed', () => {
  const table = new StreamTable();
  table.open(9);
  expect([table.isClosed(3, true), table.isClosed(3, false), table.isClosed(2, true)]).toEqual([true, false, false]);
});

test('a full table gives up the oldest', () => {
  const table = new StreamTable();
  for (let n = 0; n < MAX_STREAMS; n++) expect(table.open(2 * n + 1).dropped).toBeUndefined();
  expect(table.open(2 * MAX_STREAMS + 1).dropped?.id).toBe(1);
  expect(table.size).toBe(MAX_STREAMS);
});
