import { expect, it } from 'vitest';
import { createJudge } from '../../../src/app/audit/known-hosts.ts';

it('knows Copilot, the editor and model providers, and gives tokens to the first only', () => {
  const judge = createJudge([]);
  const hosts = [
    'api.business.githubcopilot.com',
    'api.github.com',
    'marketplace.visualstudio.com',
    'api.openai.com',
    'evil.test',
  ];
  expect(hosts.map((host) => judge.isKnown(host))).toEqual([true, true, true, true, false]);
  expect(hosts.map((host) => judge.isTokenHost(host))).toEqual([true, true, false, false, false]);
});

it('takes the user’s own hosts, one by one or all below one', () => {
  const judge = createJudge(['proxy.corp.example', '*.internal.example']);
  const hosts = ['proxy.corp.example', 'a.b.internal.example', 'internal.example', 'xinternal.example'];
  expect(hosts.map((host) => judge.isKnown(host))).toEqual([true, true, false, false]);
});
