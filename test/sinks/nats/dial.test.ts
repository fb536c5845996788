import type { PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import { identityCheck, refusalOf } from '../../../src/sinks/nats/dial.ts';

const certificate = (subjectaltname: string): PeerCertificate =>
  ({ subject: { CN: 'bus' }, subjectaltname }) as PeerCertificate;
const address = (server: string) => ({ server, needsTls: true });

test('a server that was given by its address is checked for that address', () => {
  const check = identityCheck([address('10.0.0.7:4222'), address('[::1]:4222')]);
  expect(check('localhost', certificate('IP Address:10.0.0.7'))).toBeUndefined();
  expect(check('localhost', certificate('IP Address:10.0.0.8'))).toBeInstanceOf(Error);
  expect(check('localhost', certificate('DNS:localhost'))).toBeInstanceOf(Error);
});

test('a server that was given by its name is checked for that name', () => {
  const check = identityCheck([address('bus.example:4222'), address('localhost:4222')]);
  expect(check('bus.example', certificate('DNS:bus.example'))).toBeUndefined();
  expect(check('bus.example', certificate('DNS:other.example'))).toBeInstanceOf(Error);
  expect(check('localhost', certificate('DNS:localhost'))).toBeUndefined();
});

test('only an answer is a refusal: what cannot be reached may come', () => {
  const caused = (code: string): Error =>
    new Error('connection failed', { cause: Object.assign(new Error('why'), { code }) });
  expect(refusalOf(caused('CERT_HAS_EXPIRED'))).toBe('TLS: why');
  expect([refusalOf(caused('ECONNREFUSED')), refusalOf('text'), refusalOf(undefined)]).toEqual([null, null, null]);
});
