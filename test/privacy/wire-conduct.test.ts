import { expect, it } from 'vitest';
import type { CallEvent, Negotiated } from '../../src/model/index.ts';
import { conductOf, hostOf } from '../../src/privacy/wire-conduct.ts';
import { call } from '../sinks/events.ts';

it.each([
  ['api.githubcopilot.com', 'api.githubcopilot.com'],
  ['api.githubcopilot.com:443', 'api.githubcopilot.com'],
  ['https://user:pw@A.test:8443/x?y#z', 'a.test'],
  ['//a.test/x', 'a.test'],
  ['[::1]:80', '[::1]'],
  ['a.test.', 'a.test'],
  ['', null],
])('the host of %s is %s', (text, host) => {
  expect(hostOf(text)).toBe(host);
});

const judge = { isKnown: (host: string) => host === 'good.test', isTokenHost: (host: string) => host === 'good.test' };
const rules = (more: Partial<CallEvent>, negotiated?: Negotiated): string[] => {
  const made = call({ host: 'good.test', response: { bytes: 0, decodedBytes: 0, headers: [] }, ...more });
  return [...conductOf(made, judge, negotiated)].map(({ rule, subject }) => `${rule} ${subject}`);
};
const headers = (...fields: [string, string][]) => ({ bytes: 0, decodedBytes: 0, headers: fields });

it('has nothing to say about a good call', () => {
  expect(rules({})).toEqual([]);
});

it('sees a token at a foreign host, whatever field it is in', () => {
  const request = headers(['x-note', 'gho_abc'], ['authorization', 'Bearer other']);
  expect(rules({ host: 'evil.test:443', request })).toEqual([
    'foreign-host evil.test',
    'token-foreign-host evil.test x-note',
  ]);
  expect(rules({ host: 'evil.test', request, served: true })).toEqual([]);
});

it.each([
  ['1.0', 'TLS_RSA_WITH_AES_128_CBC_SHA', true],
  ['1.1', 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', true],
  ['1.2', 'TLS_RSA_WITH_RC4_128_SHA', true],
  ['1.2', 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA', true],
  ['1.2', 'TLS_RSA_WITH_NULL_SHA256', true],
  ['1.2', 'TLS_DH_anon_WITH_AES_256_GCM_SHA384', true],
  ['1.2', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', false],
  ['1.2', 'TLS_RSA_WITH_AES_128_CBC_SHA', false],
  ['1.3', 'TLS_AES_128_CCM_8_SHA256', false],
])('judges a handshake that agreed on TLS %s with %s: weak is %s', (version, cipher, isWeak) => {
  expect(rules({}, { version, cipher })).toEqual(isWeak ? [`weak-tls TLS ${version} ${cipher} to good.test`] : []);
  expect(rules({ served: true }, { version, cipher })).toEqual([]);
});

it('tells redirects to another host from others', () => {
  const to = (location: string) => rules({ status: 302, response: headers(['location', location]) });
  expect(to('/here')).toEqual([]);
  expect(to('https://good.test/x')).toEqual([]);
  expect(to('https://evil.test/x')).toEqual(['redirect-foreign good.test to evil.test']);
});

it('knows files that hold secrets, but not their templates', () => {
  const completion = (file: string, language = 'x') =>
    rules({
      class: 'completions.inline',
      llm: {
        ...call().llm!,
        request: { ...call().llm!.request!, parameters: { extra: { language, context: [`Path: ${file}`] } } },
      },
    });
  for (const file of ['.env', 'a/.env.local', 'keys/id_rsa', 'x.pem', 'prod.tfvars'])
    expect(completion(file)).toEqual([`secrets-file ${file}`]);
  for (const file of ['.env.example', 'environment.ts', 'keys.ts']) expect(completion(file)).toEqual([]);
  expect(completion('x', 'dotenv')).toEqual(['secrets-file x']);
});
