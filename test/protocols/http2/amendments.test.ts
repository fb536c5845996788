import { expect, test } from 'vitest';
import { concat, GET, headers, indexed, literal, run, type Segment } from './kit.ts';

const out = (...parts: readonly Uint8Array[]): Segment => ({ dir: 'out', bytes: concat(...parts) });
const into = (...parts: readonly Uint8Array[]): Segment => ({ dir: 'in', bytes: concat(...parts) });
const LATE = { outWhole: false, inWhole: false };
const END = 0x5;

test('a name that a well-formed head implies amends the open exchanges that showed the same entry', () => {
  const events = run(
    [
      out(headers(1, concat(indexed(2, 7, 66, 67), literal('accept', '*/*')), END)),
      out(headers(3, concat(indexed(2, 7), literal(':authority', 'a'), indexed(67), literal('accept', '*/*')), END)),
    ],
    LATE,
  );
  const amended = events.filter((event) => event.type === 'request-head' && event.amends);
  expect(amended).toHaveLength(1);
  expect(amended[0]).toMatchObject({
    stream: 1,
    head: {
      path: null,
      unknown: [
        { index: 66, position: 2 },
        { index: 67, position: 3, name: ':path' },
      ],
    },
  });
});

test('a response is amended when its first field turns out to be the status entry', () => {
  const events = run(
    [
      out(headers(1, GET, END), headers(3, GET, END)),
      into(headers(1, concat(literal('server', 's'), indexed(62)))),
      into(headers(3, concat(indexed(62), literal('server', 's')))),
    ],
    LATE,
  );
  const amended = events.filter((event) => event.type === 'response-head' && event.amends);
  expect(amended).toMatchObject([{ stream: 1, head: { unknown: [{ index: 62, name: ':status', position: 1 }] } }]);
});

test('an exchange that has ended is not amended', () => {
  const unknownPath = concat(indexed(2, 7), literal(':authority', 'a'), indexed(62));
  const events = run(
    [
      out(headers(1, concat(indexed(2, 7, 62, 63)), END)),
      into(headers(1, indexed(8), END)),
      out(headers(3, unknownPath, END)),
    ],
    LATE,
  );
  expect(events.filter((event) => 'amends' in event && event.amends)).toEqual([]);
});

test('a head of more fields than any client sends is shown once and not amended', () => {
  const learned = (fields: number): number => {
    const long = concat(indexed(2, 7, 66, 67), ...Array.from({ length: fields - 4 }, () => literal('a', 'b')));
    const events = run(
      [
        out(headers(1, long, END)),
        out(headers(3, concat(indexed(2, 7), literal(':authority', 'a'), indexed(67), literal('accept', '*/*')), END)),
      ],
      LATE,
    );
    return events.filter((event) => event.type === 'request-head' && event.amends).length;
  };
  expect([learned(128), learned(129)]).toEqual([1, 0]);
});
