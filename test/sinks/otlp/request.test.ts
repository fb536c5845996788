import { expect, test } from 'vitest';
import type { Span } from '../../../src/sinks/otlp/model.ts';
import { batchLength, charsOf } from '../../../src/sinks/otlp/request.ts';

const span = (chars: number): Span => ({
  traceId: '0'.repeat(32),
  spanId: '0'.repeat(16),
  name: 'chat',
  kind: 3,
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
  attributes: [{ key: 'a', value: { stringValue: 'x'.repeat(chars) } }],
});

test('a request has at most 256 spans and a million characters, and at least one span', () => {
  expect(batchLength([])).toBe(0);
  expect(batchLength(Array.from({ length: 300 }, () => span(1)))).toBe(256);
  expect(batchLength([span(600_000), span(400_000), span(100_000)])).toBe(2);
  expect(batchLength([span(2_000_000), span(1)])).toBe(1);
  expect(charsOf({ attributes: [{ key: 'n', value: { intValue: '1' } }] })).toBe(8);
});
