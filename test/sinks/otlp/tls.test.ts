import { expect, test } from 'vitest';
import { TlsFacts } from '../../../src/sinks/otlp/tls.ts';
import { connectionEvent } from '../events.ts';

test('a call has what its own connection negotiated, by the names of the registry', () => {
  const facts = new TlsFacts();
  expect(facts.ofCall('c1.1')).toEqual({});
  facts.learn(connectionEvent({ id: 'c1', tlsVersion: '1.3', tlsCipher: 'TLS_AES_128_GCM_SHA256', alpn: 'h2' }));
  expect(facts.ofCall('c1.7')).toEqual({
    'tls.protocol.name': 'tls',
    'tls.protocol.version': '1.3',
    'tls.cipher': 'TLS_AES_128_GCM_SHA256',
    'tls.next_protocol': 'h2',
  });
});
