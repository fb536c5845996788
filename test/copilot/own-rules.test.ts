import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readOwnRules } from '../../src/copilot/index.ts';
import { callOf } from './engine-script.ts';

const rulesOf = (text: string) => readOwnRules(text, 'rules.yaml').rules;
const problemsOf = (text: string) => readOwnRules(text, 'rules.yaml').problems.map((p) => `${p.line}: ${p.message}`);

const example = /```yaml\n([\s\S]*?)```/.exec(
  readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8'),
)?.[1];

describe('rules of a file', () => {
  it('name a call before the table does, and say their line', () => {
    const script = {
      host: 'llm.acme.example',
      path: '/v2/chat?x=1',
      body: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
      json: { choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] },
    };
    const call = callOf(script, {}, { rules: rulesOf(example ?? '') });
    expect(call).toMatchObject({
      class: 'acme.chat',
      evidence: 'rules.yaml:2: any host, path ^/v2/chat$, host llm.acme.example (own rule)',
      confidence: 'high',
      llm: { text: 'hello' },
    });
  });

  it('ask for host patterns, headers, model and body keys, all of them', () => {
    const rules = rulesOf(example ?? '');
    const script = {
      host: 'api.acme.example',
      path: '/embed',
      headers: [['x-team', 'Search-1']] as const,
      body: { model: 'embed-2', input: ['x'] },
      json: {},
    };
    expect(callOf(script, {}, { rules }).class).toBe('acme.embed');
    expect(callOf({ ...script, headers: [] }, {}, { rules }).class).not.toBe('acme.embed');
    expect(callOf({ ...script, body: { model: 'other', input: [] } }, {}, { rules }).class).not.toBe('acme.embed');
    expect(callOf({ ...script, host: 'acme.example' }, {}, { rules }).class).not.toBe('acme.embed');
  });

  it('may be JSON and may be a bare list', () => {
    expect(rulesOf('[{"class": "a.b", "method": ["get", "POST"], "confidence": "low"}]')).toMatchObject([
      { id: 'rules.yaml:1', class: 'a.b', methods: ['GET', 'POST'], confidence: 'low' },
    ]);
  });

  it('may say what an LLM call is for', () => {
    const script = {
      host: 'llm.acme.example',
      path: '/v2/chat',
      body: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
      json: { choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] },
    };
    const rules = rulesOf('- {class: acme.chat, host: llm.acme.example, dialect: openai-chat, kind: agent.turn}');
    expect(callOf(script, {}, { rules })).toMatchObject({
      class: 'acme.chat',
      kind: 'agent.turn',
      evidence: expect.stringContaining('; kind agent.turn: by the same rule'),
    });
    expect(callOf(script, {}, { rules: rulesOf('- {class: a.b, dialect: openai-chat}') })).not.toHaveProperty('kind');
  });

  it('may have the kind told by the prompt, as for the chat of Copilot itself', () => {
    const content =
      'Please write a brief title for: x. You are an expert in crafting pithy titles for chatbot conversations.';
    const script = {
      host: 'llm.acme.example',
      path: '/v2/chat',
      body: {
        model: 'm',
        messages: [
          { role: 'system', content },
          { role: 'user', content: 'hi' },
        ],
      },
      json: { choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] },
    };
    const rules = rulesOf('- {class: acme.chat, dialect: openai-chat, kind: by-prompt}');
    expect(callOf(script, {}, { rules }).kind).toBe('title');
  });

  it('may keep facts of a call that is no LLM call', () => {
    const rules = rulesOf('- {class: acme.models, path: /models$, keeps: models}');
    const call = callOf(
      { host: 'x.example', path: '/models', method: 'GET', json: { data: [{ id: 'm' }] } },
      {},
      { rules },
    );
    expect(call.service).toEqual({ facts: 'models', models: [{ id: 'm' }] });
  });
});

describe('problems of a file', () => {
  it.each([
    [
      '- class: a\n  hosts: x\n',
      [
        '2: unknown field `hosts`; known are class, about, host, method, path, header, model, body, dialect, kind, keeps, confidence',
      ],
    ],
    ['- class: a\n  kind: title\n', ['2: `kind` is for LLM calls: it needs the field `dialect`']],
    [
      '- class: a\n  dialect: nes\n\n  kind: chatter\n',
      [expect.stringMatching(/^4: expected one of by-prompt, agent\.claude, .*, title, tool_args, virtual_tools$/)],
    ],
    ['- path: ^/a\n', ['1: a rule needs the field `class`']],
    ['- class: a\n\n  path: "("\n', ['3: Invalid regular expression: /(/: Unterminated group']],
    [
      '- class: a\n  dialect: cobol\n',
      [
        '2: expected one of by-body, nes, openai-completions, embeddings, gemini, ollama, openai-responses, anthropic-messages, openai-chat',
      ],
    ],
    [
      '- class: a b\n  method: 7\n  header: x\n',
      [
        '1: expected a name such as acme.chat',
        '2: expected a text or a list of texts',
        '3: expected a map of header names to regular expressions',
      ],
    ],
    ['- just text\n', ['1: a rule is a map of fields']],
    ['rule: []\n', ['1: expected a list of rules, or a map with the field `rules`']],
    ['rules: []\nmore: 1\n', ['2: unknown field `more`; known are rules']],
    [
      '- class: a\n  dialect: nes\n  keeps: models\n',
      ['1: `dialect` is for LLM calls, `keeps` for others: use one of them'],
    ],
  ])('of %j are told with their lines', (text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  it('include broken YAML', () => {
    expect(problemsOf('- class: a\n  path: "^/a\n')[0]).toMatch(/^[23]: /);
    expect(problemsOf('- {class: a\n')[0]).toMatch(/^[12]: /);
  });

  it('leave no rule of the file in force', () => {
    expect(readOwnRules('- class: good\n- bad\n', 'f').rules).toEqual([]);
  });
});
