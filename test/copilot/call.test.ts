import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../src/model/index.ts';
import { HANG_MS } from '../kit/hang.ts';
import { bytesOf, callOf, completedOf, exchangeEvents, track } from './engine-script.ts';

const chatChunk = (content: string, more: object = {}) => ({
  id: 'r1',
  model: 'm-2',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...more,
});
const agent = [
  ['openai-intent', 'conversation-agent'],
  ['x-initiator', 'user'],
] as const;
const chatBody = {
  model: 'm',
  stream: true,
  messages: [
    { role: 'system', content: 'rules' },
    { role: 'user', content: '<userRequest>\nsay hi\n</userRequest>' },
  ],
  tools: [{ type: 'function', function: { name: 'read_file', description: 'd', parameters: {} } }],
};

describe('call of one exchange', () => {
  it('names, streams and completes a chat call', () => {
    const facts = track(
      exchangeEvents({
        headers: agent,
        body: chatBody,
        sse: [
          chatChunk('he'),
          chatChunk('llo'),
          { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
          '[DONE]',
        ],
      }),
    );
    expect(facts.map((fact) => fact.type)).toEqual(['CallStarted', 'CallDelta', 'CallDelta', 'CallCompleted']);
    expect(facts[0]).toMatchObject({ class: 'chat.completions', kind: 'agent.turn', model: 'm', tsNs: 1_002_000_000n });
    expect(facts[1]).toMatchObject({ delta: { kind: 'text', text: 'he' }, tsNs: 1_003_000_000n });
    expect(facts[3]).toMatchObject({
      id: { connection: 1, exchange: 1 },
      startNs: 1_000_000_000n,
      tsNs: 1_007_000_000n,
      firstByteNs: 1_002_000_000n,
      firstTokenNs: 1_003_000_000n,
      status: 200,
      httpVersion: '2',
      host: 'api.githubcopilot.com',
      end: 'complete',
      captured: 'whole',
      notes: [],
      llm: { dialect: 'openai-chat', model: 'm', text: 'hello', finishReason: 'stop', complete: true },
    });
  });

  it('starts a call when the announced request body is there, before any answer', () => {
    const body = bytesOf(chatBody);
    const events = exchangeEvents({
      headers: [...agent, ['content-length', String(body.length)]],
      body: chatBody,
      sse: [],
    });
    expect(track(events.slice(0, 3)).map((fact) => fact.type)).toEqual(['CallStarted']);
  });

  it('starts a call without a body at its head', () => {
    const events = exchangeEvents({ method: 'GET', path: '/models', json: { data: [] } });
    const facts = track(events.slice(0, 2));
    expect(facts).toMatchObject([{ type: 'CallStarted', class: 'models.list' }]);
  });

  it('takes the model of ghost text from the path', () => {
    const call = callOf({
      host: 'copilot-proxy.githubusercontent.com',
      path: '/v1/engines/gpt-41-copilot/completions',
      body: { prompt: 'a', suffix: 'b', extra: {} },
      sse: [{ choices: [{ index: 0, text: 'x = ' }] }, { choices: [{ index: 0, text: '1' }] }, '[DONE]'],
    });
    expect(call).toMatchObject({
      class: 'completions.inline',
      llm: { model: 'gpt-41-copilot', text: 'x = 1', request: { prompt: 'a', suffix: 'b' } },
    });
  });

  it('reads an error body of any shape', () => {
    expect(
      callOf({ body: chatBody, status: 429, json: { error: { code: 'rate_limited', message: 'slow' } } }).llm?.error,
    ).toEqual({ code: 'rate_limited', message: 'slow' });
    expect(callOf({ body: chatBody, status: 402, json: 'quota exceeded' }).llm?.error).toEqual({
      code: 'http.402',
      message: 'quota exceeded',
    });
    expect(callOf({ body: chatBody, status: 429, json: { code: 'extension_blocked' } }).llm?.error?.code).toBe(
      'extension_blocked',
    );
  });

  it('takes a refusal for a whole answer, though the wire has an end mark that it lacks', () => {
    expect(callOf({ body: chatBody, status: 466, json: 'client not supported' }).llm?.complete).toBe(true);
  });

  it('decodes an answer that is not streamed', () => {
    const call = callOf({
      body: { ...chatBody, stream: false },
      json: { choices: [{ message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] },
    });
    expect(call.llm).toMatchObject({ text: 'hi', complete: true });
  });

  it('keeps what a client-cancelled stream had said and calls it incomplete', () => {
    const call = callOf({ body: chatBody, sse: [chatChunk('par')], end: 'reset' });
    expect(call).toMatchObject({ end: 'reset', captured: 'whole', llm: { text: 'par', complete: false } });
    expect(call.llm?.error).toBeUndefined();
  });

  it('keeps no body of calls that are neither LLM calls nor marked in the table', () => {
    const call = callOf({ host: 'api.github.com', path: '/graphql', body: { query: 'file' }, json: { data: 'file' } });
    expect(call).toMatchObject({ class: 'github.graphql', request: { bytes: 16 } });
    expect(call).not.toHaveProperty('service');
    expect(call.llm).toBeUndefined();
    expect(JSON.stringify(call, (_k, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain('file');
  });

  it('keeps the facts of a service call that its row in the table asks for', () => {
    const call = callOf({
      host: 'api.github.com',
      path: '/chunks',
      body: { content: 'text', path: 'a.md' },
      json: { chunks: [] },
    });
    expect(call.service).toEqual({
      facts: 'sent',
      items: [{ what: 'file', path: 'a.md', bytes: 4, text: 'text', whole: true }],
    });
  });

  it('keeps both bodies in full only for one who asks', () => {
    const script = { host: 'api.github.com', path: '/graphql', body: { query: 'q' }, json: { data: 1 } };
    expect(callOf(script)).not.toHaveProperty('bodies');
    expect(callOf(script, {}, { keepBodies: true }).bodies).toEqual({
      request: { text: '{"query":"q"}', whole: true },
      response: { text: '{"data":1}', whole: true },
    });
  });

  it('names a late join by its request body', () => {
    const call = callOf({
      host: null,
      path: null,
      method: null,
      joinedLate: true,
      body: chatBody,
      sse: [chatChunk('x')],
    });
    expect(call).toMatchObject({ class: 'chat.completions', captured: 'partly', llm: { text: 'x' } });
    expect(call.evidence).toContain('path not known');
  });

  it('names a late join by its answer alone', () => {
    const call = callOf({
      noRequestHead: true,
      joinedLate: true,
      sse: [
        ['message_start', { type: 'message_start', message: { id: 'a', model: 'c', usage: { input_tokens: 1 } } }],
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'yo' } },
      ],
    });
    expect(call).toMatchObject({ class: 'chat.messages', llm: { model: 'c', text: 'yo' } });
  });

  it('decodes an event stream that came as plain bytes, the content type being lost', () => {
    const text = `data: ${JSON.stringify(chatChunk('he'))}\r\n\r\ndata: ${JSON.stringify(chatChunk('y'))}\n\ndata: [DONE]\n\n`;
    const call = callOf({ noRequestHead: true, joinedLate: true, responseHeaders: [], responseBytes: [bytesOf(text)] });
    expect(call).toMatchObject({ class: 'chat.completions', llm: { text: 'hey', complete: true } });
  });

  it('reads NDJSON as it comes, lines cut anywhere', () => {
    const lines = bytesOf(
      '{"model":"l","message":{"content":"a"},"done":false}\n{"message":{"content":"é"},"done":true}\n',
    );
    const parts = [lines.subarray(0, 30), lines.subarray(30, 83), lines.subarray(83)];
    const facts = track(
      exchangeEvents({
        host: 'localhost:11434',
        path: '/api/chat',
        body: { model: 'l', messages: [] },
        responseHeaders: [['content-type', 'application/x-ndjson']],
        responseBytes: parts,
      }),
    );
    expect(facts.filter((fact) => fact.type === 'CallDelta')).toHaveLength(2);
    expect(completedOf(facts)[0]).toMatchObject({
      class: 'byok.ollama',
      llm: { text: 'aé', complete: true, dialect: 'ollama' },
    });
  });

  it('keeps the beginning of a body that is over the limit, and says how much there was', () => {
    const call = callOf({ body: { ...chatBody, pad: 'x'.repeat(1000) }, sse: [] }, { maxBodyBytes: 500 });
    expect(call.llm?.request?.messages).toHaveLength(2);
    expect(call.notes).toContainEqual(
      expect.stringMatching(/^request body kept to 500 of \d+ bytes: limit of one body$/),
    );
  });

  it('never joins a request across a hole', () => {
    const [started, head, body, ...rest] = exchangeEvents({ body: chatBody, sse: [chatChunk('a'), '[DONE]'] });
    const gap: EngineEvent = {
      type: 'GapSeen',
      tsNs: 1n,
      connection: 1,
      dir: 'out',
      lostBytes: 5,
      id: { connection: 1, exchange: 1 },
      side: 'request',
    };
    const call = completedOf(track([started!, head!, body!, gap, body!, ...rest]))[0];
    expect(call?.captured).toBe('partly');
    expect(call?.llm?.request?.messages).toHaveLength(2);
    expect(call?.notes.join()).toContain('hole at byte');
    expect(call?.llm?.complete).toBe(true);
  });

  it('does not call an answer complete that lacks bytes', () => {
    const call = callOf({ body: chatBody, sse: [chatChunk('a'), '[DONE]'], lostResponseBytes: 7 });
    expect(call).toMatchObject({ captured: 'partly', llm: { complete: false }, notes: ['answer lacks 7 bytes'] });
  });
});

it('probes an answer of unknown kind in linear time', () => {
  const started = performance.now();
  const call = callOf({
    noRequestHead: true,
    joinedLate: true,
    responseHeaders: [],
    responseBytes: [bytesOf(`${'\n'.repeat(500_000)}x`)],
  });
  expect(call).toMatchObject({ class: 'http.other', captured: 'partly' });
  expect(performance.now() - started).toBeLessThan(HANG_MS);
});
