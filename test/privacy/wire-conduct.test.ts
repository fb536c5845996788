import { expect, it } from 'vitest';
import type { CallEvent } from '../../src/model/index.ts';
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
const rules = (more: Partial<CallEvent>): string[] =>
  [...conductOf(call({ host: 'good.test', response: { bytes: 0, decodedBytes: 0, headers: [] }, ...more }), judge)].map(
    ({ rule, subject }) => `${rule} ${subject}`,
  );
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
