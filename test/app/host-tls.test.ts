import { expect, it } from 'vitest';
import { HostTls, tlsText } from '../../src/app/host-tls.ts';
import { connectionEvent } from '../sinks/events.ts';

const MODERN = { tlsVersion: '1.3', tlsCipher: 'TLS_AES_128_GCM_SHA256', alpn: 'h2' };
const OLDER = { tlsVersion: '1.2', tlsCipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' };

it('counts a connection once for its server name and for each host that is called over it', () => {
  const log = new HostTls();
  log.connection(connectionEvent({ id: 'c1', sni: 'a.test' }), 'a.test');
  log.connection(connectionEvent({ id: 'c1', ...MODERN }), null);
  log.call('c1.1', 'a.test');
  log.call('c1.2', 'b.test');
  log.call('c1.3', 'b.test');
  const row = { version: '1.3', cipher: 'TLS_AES_128_GCM_SHA256', alpn: 'h2', connections: 1 };
  expect([log.of('a.test'), log.of('b.test'), log.of('c.test')]).toEqual([[row], [row], []]);
});

it('knows a server name that is told after the handshake, and tells a call what its connection negotiated', () => {
  const log = new HostTls();
  log.connection(connectionEvent({ id: 'c1', ...OLDER }), null);
  log.connection(connectionEvent({ id: 'c1', sni: 'a.test' }), 'a.test');
  expect(log.call('c1.1', null)).toEqual({ version: '1.2', cipher: OLDER.tlsCipher });
  expect(log.call('c2.1', 'a.test')).toBeUndefined();
  expect(log.of('a.test').map(tlsText)).toEqual([`TLS 1.2 ${OLDER.tlsCipher}`]);
});

it('adds up connections that negotiated the same', () => {
  const log = new HostTls();
  for (const [id, facts] of Object.entries({ c1: MODERN, c2: OLDER, c3: MODERN })) {
    log.connection(connectionEvent({ id, ...facts }), null);
    log.call(`${id}.1`, 'a.test');
    log.connection(connectionEvent({ id, phase: 'closed' }), null);
  }
  expect(log.of('a.test').map((row) => `${tlsText(row)} ${row.connections}`)).toEqual([
    'TLS 1.3 TLS_AES_128_GCM_SHA256 h2 2',
    `TLS 1.2 ${OLDER.tlsCipher} 1`,
  ]);
});

it('does not grow with protocols that a client makes up', () => {
  const log = new HostTls();
  for (let n = 0; n < 100; n++) {
    log.connection(connectionEvent({ id: `c${n}`, ...MODERN, alpn: `x${n}` }), null);
    log.call(`c${n}.1`, 'a.test');
  }
  expect(log.of('a.test')).toHaveLength(32);
});
