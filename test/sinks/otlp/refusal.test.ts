import { expect, test } from 'vitest';
import { refusalOfError, refusalOfGrpc, refusalOfStatus } from '../../../src/sinks/otlp/refusal.ts';

test.each([
  [{ code: 'ECONNREFUSED' }, 'nothing listens there (connection refused)'],
  [{ code: 'ENOTFOUND' }, 'no such host name'],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /^its certificate is not trusted .*NODE_EXTRA_CA_CERTS/],
  [{ code: 'EWHATEVER', message: 'odd\u001b[2J' }, 'odd\u241b[2J'],
])('%j passes, and is told in words', (error, reason) => {
  expect(refusalOfError(Object.assign(new Error(), error))).toMatchObject({
    reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    isPassing: true,
  });
});

test('an answer of HTTP says its status, what to do and, when it is text, what the collector said', () => {
  expect(refusalOfStatus(401, 'text/html', '<p>')).toEqual({
    reason: 'HTTP 401, it wants credentials (OTEL_EXPORTER_OTLP_HEADERS)',
    isPassing: false,
  });
  const busy = refusalOfStatus(503, 'text/plain', `${'full\u0007 '.repeat(100)}`);
  expect(busy.reason).toMatch(/^HTTP 503: full\u2407 full/);
  expect(busy.reason.length).toBeLessThan(220);
  expect(busy.isPassing).toBe(true);
});

test('an answer of gRPC says its status by name, and its message', () => {
  expect(refusalOfGrpc('14', 'try%20later')).toEqual({
    reason: 'gRPC status 14 UNAVAILABLE: try later',
    isPassing: true,
  });
  expect(refusalOfGrpc('8', '%zz')).toMatchObject({
    reason: 'gRPC status 8 RESOURCE_EXHAUSTED: %zz',
    isPassing: false,
  });
  expect(refusalOfGrpc('missing', '')).toEqual({ reason: 'gRPC status missing', isPassing: false });
});
