import { expect, test } from 'vitest';
import type { ConnectionEvent } from '../../../src/model/index.ts';
import { TlsFacts } from '../../../src/sinks/otlp/tls.ts';

const connection = (id: string, more: Partial<ConnectionEvent>): ConnectionEvent => ({
  type: 'connection',
  phase: 'identified',
  time: '2026-03-01T14:05:09.042Z',
  tsNs: '1',
  id,
  pid: 1,
  role: 'node',
  ...more,
});

test('a call has what its own connection negotiated, by the names of the registry, until that is closed', () => {
  const facts = new TlsFacts();
  facts.learn(connection('c1', { sni: 'h.example' }));
  expect(facts.ofCall('c1.1')).toEqual({});
  facts.learn(connection('c1', { tlsVersion: '1.3', tlsCipher: 'TLS_AES_128_GCM_SHA256', alpn: 'h2' }));
  facts.learn(connection('c12', { tlsVersion: '1.2', tlsCipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' }));
  expect(facts.ofCall('c1.7')).toEqual({
    'tls.protocol.name': 'tls',
    'tls.protocol.version': '1.3',
    'tls.cipher': 'TLS_AES_128_GCM_SHA256',
    'tls.next_protocol': 'h2',
  });
  expect(facts.ofCall('c12.1.2')['tls.protocol.version']).toBe('1.2');
  expect(facts.ofCall('c2.1')).toEqual({});
  facts.learn(connection('c1', { phase: 'closed' }));
  expect(facts.ofCall('c1.7')).toEqual({});
});
