import { expect, test } from 'vitest';
import { parseServerUrl } from '../../../src/sinks/nats/server-address.ts';

test.each([
  ['nats://bus:4333', 'bus:4333', false],
  ['tls://bus.example', 'bus.example:4222', true],
  ['bus', 'bus:4222', false],
  ['nats://[::1]:4222/', '[::1]:4222', false],
])('%s is %s', (text, server, needsTls) => {
  expect(parseServerUrl(text)).toEqual({ server, needsTls });
});

test.each([
  'nats://ada:secret@bus',
  'nats://token@bus',
  'http://bus',
  'nats://',
  '',
  'nats://bus/path',
  'nats://bus?x=1',
])('%s is refused', (text) => {
  expect(() => parseServerUrl(text)).toThrow(expect.objectContaining({ code: 'E_NATS_URL' }));
});
