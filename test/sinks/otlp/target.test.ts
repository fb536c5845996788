import { expect, test } from 'vitest';
import { parseOtlpTarget } from '../../../src/sinks/otlp/target.ts';

test.each([
  ['http://localhost:4318', { isGrpc: false, origin: 'http://localhost:4318', path: '' }],
  ['https://otlp.example.com/in/', { isGrpc: false, origin: 'https://otlp.example.com', path: '/in' }],
  ['grpc://[::1]:4317', { isGrpc: true, origin: 'http://[::1]:4317', path: '' }],
  ['grpcs://host:4317', { isGrpc: true, origin: 'https://host:4317', path: '' }],
])('%s is an address', (text, parts) => {
  expect(parseOtlpTarget(text)).toEqual({ ...parts, shown: text });
});

test.each(['localhost:4318', 'ftp://a', '', '/tmp/file', 'http://', 'http://a:4318/?key=x', 'http://a#b'])(
  '%j is none',
  (text) => expect(() => parseOtlpTarget(text)).toThrow(expect.objectContaining({ code: 'E_OTLP_ADDRESS' })),
);

test('a password in it is refused and not repeated', () => {
  const attempt = () => parseOtlpTarget('https://me:hunter2@example.com');
  expect(attempt).toThrow('OTEL_EXPORTER_OTLP_HEADERS takes credentials');
  expect(attempt).not.toThrow('hunter2');
});
