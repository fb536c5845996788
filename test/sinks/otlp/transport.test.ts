import { expect, test } from 'vitest';
import { headersOf, openTransport } from '../../../src/sinks/otlp/transport.ts';

test('headers come from the environment, percent-encoded', () => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YQ%3D%3D, x-scope=a=b,broken' };
  expect(headersOf(env)).toEqual({ authorization: 'Basic YQ==', 'x-scope': 'a=b' });
  expect(headersOf({})).toEqual({});
});

test.each(['localhost:4318', 'ftp://a', '', '/tmp/file'])('%j is no address', (target) => {
  expect(() => openTransport(target, {})).toThrow(expect.objectContaining({ code: 'E_EXPORT_REFUSED' }));
});
