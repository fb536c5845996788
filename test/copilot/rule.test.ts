import { describe, expect, it } from 'vitest';
import { type ClassRule, matchRule, test } from '../../src/copilot/rule.ts';
import { viewOf } from '../../src/copilot/view.ts';
import type { HeaderField } from '../../src/model/index.ts';

const rule: ClassRule = {
  id: 'r',
  class: 'r',
  about: '',
  hosts: ['capi'],
  methods: ['POST'],
  path: /^\/x$/,
  source: 'S',
  confidence: 'high',
};
const view = (authority: string, method: string | null = 'POST', headers: readonly HeaderField[] = []) =>
  viewOf({
    head: { httpVersion: '2', scheme: null, unknown: [], method, authority, path: '/x', headers },
    sni: undefined,
  });

describe('matchRule', () => {
  it('says why it fits', () => {
    const more = { ...rule, tests: [test('always', () => true)] };
    expect(matchRule(more, view('api.githubcopilot.com'))).toBe('host capi, path ^/x$, always');
  });

  it('needs host, method, path and every test', () => {
    expect(matchRule(rule, view('example.com'))).toBeUndefined();
    expect(matchRule(rule, view('api.githubcopilot.com', 'GET'))).toBeUndefined();
    expect(matchRule({ ...rule, path: /^\/y/ }, view('api.githubcopilot.com'))).toBeUndefined();
    expect(matchRule({ ...rule, tests: [test('never', () => false)] }, view('api.githubcopilot.com'))).toBeUndefined();
  });

  it('lets a method that is not known pass', () => {
    expect(matchRule(rule, view('api.githubcopilot.com', null))).toBeDefined();
  });

  it('takes a host that is marked by headers for Copilot, unless the rule wants a named one', () => {
    const marked = view('example.com', 'POST', [['openai-intent', 'x']]);
    expect(matchRule(rule, marked)).toBe('unknown host with Copilot headers, path ^/x$');
    expect(matchRule({ ...rule, namedHostOnly: true }, marked)).toBeUndefined();
    expect(matchRule({ ...rule, hosts: ['login'] }, marked)).toBeUndefined();
  });

  it('takes any host for an unmistakable path', () => {
    expect(matchRule({ ...rule, hosts: ['any'] }, view('example.com'))).toBe('any host, path ^/x$');
  });
});
