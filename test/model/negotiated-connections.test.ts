import { expect, test } from 'vitest';
import { NegotiatedConnections } from '../../src/model/index.ts';
import { connectionEvent } from '../sinks/events.ts';

const MODERN = { tlsVersion: '1.3', tlsCipher: 'TLS_AES_128_GCM_SHA256', alpn: 'h2' };
const KNOWN = { version: '1.3', cipher: 'TLS_AES_128_GCM_SHA256', alpn: 'h2' };

test('a call has what its own connection negotiated, whatever is told of it later, until that is closed', () => {
  const connections = new NegotiatedConnections();
  expect(connections.learn(connectionEvent({ id: 'c1', sni: 'h.example' }))).toBeUndefined();
  expect(connections.learn(connectionEvent({ id: 'c1', ...MODERN }))).toEqual(KNOWN);
  expect(connections.learn(connectionEvent({ id: 'c1', protocol: 'http/2' }))).toEqual(KNOWN);
  expect(connections.ofCall('c1.7')).toEqual(KNOWN);
  expect(connections.ofCall('c1.7.2')).toEqual(KNOWN);
  expect(connections.ofCall('c11.7')).toBeUndefined();
  expect(connections.learn(connectionEvent({ id: 'c1', phase: 'closed' }))).toEqual(KNOWN);
  expect(connections.ofCall('c1.8')).toBeUndefined();
});

test('connections of two sessions with one number are two', () => {
  const connections = new NegotiatedConnections();
  connections.learn(connectionEvent({ id: 'c1', ...MODERN }), 'a');
  expect([connections.ofCall('c1.1', 'a'), connections.ofCall('c1.1', 'b')]).toEqual([KNOWN, undefined]);
});

test('forgets the oldest of connections that never end', () => {
  const connections = new NegotiatedConnections();
  for (let n = 1; n <= 16_385; n++) connections.learn(connectionEvent({ id: `c${n}`, ...MODERN }));
  expect([connections.ofCall('c1.1'), connections.ofCall('c2.1')]).toEqual([undefined, KNOWN]);
});
