import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEADER_ROOM_BYTES, PartJoiner, splitPayload } from '../../../src/sinks/nats/parts.ts';

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);

test('a payload that fits with its headers is one part, the same bytes', () => {
  const payload = bytes(4096 - HEADER_ROOM_BYTES);
  expect(splitPayload(payload, 4096)).toEqual([payload]);
  expect(splitPayload(bytes(4096 - HEADER_ROOM_BYTES + 1), 4096)).toHaveLength(2);
});

test('parts come together in any order, repeated ones change nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2_000, max: 40_000 }), fc.infiniteStream(fc.nat(1_000)), (length, order) => {
      const payload = bytes(length);
      const parts = splitPayload(payload, 2048);
      const shuffled = parts.map((part, i) => ({ part, i, key: order.next().value })).sort((a, b) => a.key - b.key);
      const joiner = new PartJoiner();
      const whole = shuffled.flatMap(({ part, i }, at) => {
        const label = `${i + 1}/${parts.length}`;
        const first = joiner.add('s:1', label, part);
        const again = at < shuffled.length - 1 ? joiner.add('s:1', label, part) : null;
        return [first, again].filter((joined) => joined !== null);
      });
      expect(whole.map((one) => Buffer.compare(one, payload))).toEqual([0]);
    }),
  );
});

test('parts of two splits of one message do not mix', () => {
  const joiner = new PartJoiner();
  expect(joiner.add('s:1', '1/2', bytes(10))).toBeNull();
  expect(joiner.add('s:1', '2/3', bytes(10))).toBeNull();
  expect(joiner.add('s:1', '2/2', bytes(5))).toHaveLength(15);
});

test.each(['0/2', '3/2', '1/0', 'x', '1/99999', '', '1/2/3'])('%s is no part', (label) => {
  expect(new PartJoiner().add('s:1', label, bytes(3))).toBeNull();
});

test('parts that wait for others take a bounded amount of memory; what is given up is counted', () => {
  const joiner = new PartJoiner();
  for (let i = 0; i < 200; i += 1) joiner.add(`s:${i}`, '1/2', new Uint8Array(1024 * 1024));
  expect(joiner.forgotten).toBe(200 - 128);
  expect(joiner.add('s:0', '2/2', bytes(1))).toBeNull();
  expect(joiner.add('s:199', '2/2', bytes(1))).toHaveLength(1024 * 1024 + 1);
});
