import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallInput, type ClassRule, classify, viewOf } from '../../src/copilot/index.ts';
import type { HeaderField } from '../../src/model/index.ts';

interface Asked extends Omit<CallInput, 'head' | 'sni'> {
  readonly method?: string | null;
  readonly host?: string | null;
  readonly path?: string | null;
  readonly headers?: readonly HeaderField[];
  readonly sni?: string;
}

const view = ({ method = 'POST', host = null, path = null, headers = [], sni, ...more }: Asked) =>
  viewOf({
    head: { httpVersion: '2', scheme: null, unknown: [], method, authority: host, path, headers },
    sni,
    ...more,
  });
const classOf = (asked: Asked): string => classify(view(asked)).class;

const intent: HeaderField = ['openai-intent', 'conversation-panel'];

describe('classify', () => {
  it('knows an overridden host by Copilot headers, and goes by path there', () => {
    const asked = { host: 'gateway.acme.corp', headers: [intent] };
    expect(classOf({ ...asked, path: '/chat/completions' })).toBe('chat.completions');
    expect(classOf({ ...asked, path: '/models', method: 'GET' })).toBe('models.list');
    expect(classOf({ ...asked, path: '/chat/completions', body: { model: 'copilot-nes-oct' } })).toBe('nes');
    expect(classify(view({ ...asked, path: '/responses' })).evidence).toContain('unknown host with Copilot headers');
  });

  it('makes a new endpoint of a Copilot host visible', () => {
    expect(classify(view({ host: 'api.githubcopilot.com', path: '/v9/tomorrow' }))).toMatchObject({
      class: 'copilot.unknown',
      evidence: 'fallback: host capi, no rule for this path',
    });
    expect(classOf({ host: 'new.githubcopilot.com', path: '/x' })).toBe('copilot.unknown');
    expect(classOf({ host: 'gateway.acme.corp', headers: [intent], path: '/x' })).toBe('copilot.unknown');
    expect(classOf({ host: 'api.github.com', path: '/copilot_internal/v3/new' })).toBe('copilot.unknown');
  });

  it('knows a path that is only Copilot, on any host', () => {
    expect(classOf({ host: 'github.acme.corp', path: '/copilot_internal/user', method: 'GET' })).toBe('auth.user');
  });

  it('calls an LLM call at a host that nobody knows a custom model', () => {
    const asked = { host: 'llm.acme.corp', path: '/v1/chat/completions' };
    expect(classify(view({ ...asked, body: { model: 'm', messages: [] } }))).toMatchObject({
      class: 'byok.custom',
      dialect: 'openai-chat',
      confidence: 'low',
    });
    expect(classOf(asked)).toBe('http.other');
    expect(classOf({ host: 'forum.example', path: '/messages', body: { text: 'hi' } })).toBe('http.other');
  });

  it.each<[string, Asked]>([
    ['http.other', { host: 'example.com', path: '/' }],
    ['http.other', { host: 'notgithubcopilot.com', path: '/models' }],
    ['http.other', { host: 'api.githubcopilot.com.evil.example', path: '/models' }],
    ['http.other', { host: 'github.com', path: '/o/n' }],
  ])('leaves the rest alone: %s', (name, asked) => {
    expect(classOf({ method: 'GET', ...asked })).toBe(name);
  });

  it('names late joins by host and shape, and says how it knew', () => {
    const chat = { messages: [], model: 'm' };
    const late = classify(view({ sni: 'api.githubcopilot.com', method: null, body: chat }));
    expect(late).toMatchObject({ class: 'chat.completions', confidence: 'medium' });
    expect(late.evidence).toBe('shape: path not known, host capi, body or answer is openai-chat');
    expect(classOf({ sni: 'proxy.individual.githubcopilot.com', reply: { choices: [{ delta: {} }] } })).toBe('nes');
    expect(classOf({ sni: 'api.github.com', body: { inputs: [], embedding_model: 'e' } })).toBe('embeddings.dotcom');
    expect(classOf({ socket: true, reply: { type: 'response.created' } })).toBe('chat.responses.ws');
    expect(classOf({ reply: { type: 'message_start' } })).toBe('chat.messages');
    expect(classOf({ sni: 'api.githubcopilot.com' })).toBe('copilot.unknown');
    expect(classOf({})).toBe('http.other');
  });

  it('asks a user rule before the table', () => {
    const mine: ClassRule = {
      id: 'mine',
      class: 'acme.gateway',
      about: '',
      hosts: ['any'],
      path: /^\/chat/,
      dialect: 'openai-chat',
      source: 'user',
      confidence: 'high',
    };
    const found = classify(view({ host: 'gw.acme.corp', path: '/chat/completions' }), [mine]);
    expect(found).toMatchObject({
      class: 'acme.gateway',
      evidence: 'mine: any host, path ^/chat (user)',
      dialect: 'openai-chat',
    });
  });

  it('never throws, whatever the head says', () => {
    const text = fc.option(fc.string({ unit: 'binary' }), { nil: null });
    fc.assert(
      fc.property(text, text, text, fc.jsonValue(), fc.jsonValue(), (host, path, method, body, reply) => {
        expect(classOf({ host, path, method, body, reply })).toMatch(/^[a-z_]+(\.[a-z_]+)*$/);
      }),
    );
  });
});
