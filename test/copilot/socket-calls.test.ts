import { describe, expect, it } from 'vitest';
import type { EngineEvent, LlmSummary } from '../../src/model/index.ts';
import { completedOf, exchangeEvents, socketMessage, track } from './engine-script.ts';

describe('WebSocket of the Responses wire', () => {
  const handshake = exchangeEvents({
    method: 'GET',
    path: '/responses',
    headers: [
      ['upgrade', 'websocket'],
      ['openai-intent', 'conversation-agent'],
    ],
    status: 101,
    responseHeaders: [],
  });
  const ended = handshake.at(-1)!;
  const create = {
    type: 'response.create',
    model: 'g',
    initiator: 'user',
    input: [{ role: 'user', content: [{ type: 'input_text', text: '<userRequest>x</userRequest>' }] }],
    tools: [{ type: 'function', name: 'read_file' }],
  };
  const answer = (id: string, text: string) => [
    { type: 'response.created', response: { id } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text },
    {
      type: 'response.completed',
      response: { id, model: 'g', usage: { input_tokens: 3, output_tokens: 1 } },
      copilot_quota_snapshots: { chat: {} },
    },
  ];

  it('keeps the messages of each call as its bodies for one who asks, also on a wire that is not known', () => {
    const options = { keepBodies: true };
    const known = [
      socketMessage('request', create, 10n),
      ...answer('r1', 'one').map((event, at) => socketMessage('response', event, 11n + BigInt(at))),
    ];
    const [call] = completedOf(track([...handshake.slice(0, -1), ...known, ended], undefined, options));
    expect(call?.bodies?.request).toEqual({ text: JSON.stringify(create), whole: true });
    expect(call?.bodies?.response.text).toContain('"delta":"one"');
    const foreign = exchangeEvents({ method: 'GET', host: 'x.example', path: '/ws', status: 101, responseHeaders: [] });
    const messages = [socketMessage('request', 'hello', 10n), socketMessage('response', 'world', 11n)];
    const [other] = completedOf(track([...foreign.slice(0, -1), ...messages, foreign.at(-1)!], undefined, options));
    expect(other).toMatchObject({
      class: 'http.other',
      bodies: { request: { text: 'hello\n' }, response: { text: 'world\n' } },
    });
  });

  it('makes one call of each request and its answer', () => {
    const messages = [
      socketMessage('request', create, 10n),
      ...answer('r1', 'one').map((event, at) => socketMessage('response', event, 11n + BigInt(at))),
      socketMessage(
        'request',
        { ...create, previous_response_id: 'r1', input: [{ type: 'function_call_output', call_id: 'k', output: 'o' }] },
        20n,
      ),
      ...answer('r2', 'two').map((event, at) => socketMessage('response', event, 21n + BigInt(at))),
    ];
    const calls = completedOf(track([...handshake.slice(0, -1), ...messages, ended]));
    expect(calls.map((call) => [call.id.message, call.class, call.kind, call.llm?.text, call.end])).toEqual([
      [1, 'chat.responses.ws', 'agent.turn', 'one', 'complete'],
      [2, 'chat.responses.ws', 'agent.round', 'two', 'complete'],
    ]);
    expect(calls[0]).toMatchObject({
      startNs: 10n,
      firstByteNs: 11n,
      firstTokenNs: 12n,
      tsNs: 13n,
      llm: { usage: { input: 3, output: 1 } },
    });
    expect(calls[1]?.llm?.request?.previousResponseId).toBe('r1');
    expect(calls[0]?.llm?.other).toContainEqual({ type: 'copilot_quota_snapshots', json: { chat: {} } });
  });

  it('reads nested errors and ends the call with them', () => {
    const messages = [
      socketMessage('request', create, 10n),
      socketMessage('response', { type: 'error', error: { code: 'rate_limited', message: 'wait' } }, 11n),
    ];
    const [call] = completedOf(track([...handshake.slice(0, -1), ...messages, ended]));
    expect(call?.llm?.error).toEqual({ code: 'rate_limited', message: 'wait' });
  });

  it('cuts a call that has no end when the socket closes, or when the next answer begins', () => {
    const partial = answer('r1', 'par').slice(0, 2);
    const messages = [
      socketMessage('request', create, 10n),
      ...partial.map((event) => socketMessage('response', event, 11n)),
      socketMessage('request', create, 12n),
      ...answer('r2', 'whole').map((event) => socketMessage('response', event, 13n)),
      socketMessage('request', create, 14n),
    ];
    const calls = completedOf(track([...handshake.slice(0, -1), ...messages, ended]));
    const seen = calls.map((call): [string, LlmSummary['text'] | undefined] => [call.end, call.llm?.text]);
    expect(seen).toEqual([
      ['cut', 'par'],
      ['complete', 'whole'],
      ['cut', ''],
    ]);
  });

  it('does not show the upgrade as one more call', () => {
    const messages = [
      socketMessage('request', create, 10n),
      ...answer('r1', 'a').map((event) => socketMessage('response', event, 11n)),
    ];
    const facts = track([...handshake.slice(0, -1), ...messages, ended]);
    expect(facts.map((fact) => [fact.type, fact.id.message])).toEqual([
      ['CallStarted', 1],
      ['CallDelta', 1],
      ['CallCompleted', 1],
    ]);
  });

  it('shows a WebSocket of no known wire at once, and as one call', () => {
    const other = exchangeEvents({
      method: 'GET',
      host: 'example.com',
      path: '/live',
      headers: [['upgrade', 'websocket']],
      status: 101,
      responseHeaders: [],
    });
    const facts = track([...other.slice(0, -1), socketMessage('request', { hello: 1 }, 10n), other.at(-1)!]);
    expect(facts.map((fact) => fact.type)).toEqual(['CallStarted', 'CallCompleted']);
    expect(facts[1]).toMatchObject({ class: 'http.other', status: 101, captured: 'whole' });
  });

  it('shows a WebSocket of the wire in which nothing was asked', () => {
    expect(track(handshake).map((fact) => fact.type)).toEqual(['CallStarted', 'CallCompleted']);
  });

  it('marks the call that was under way when bytes were lost, not the next one', () => {
    const gap: EngineEvent = {
      type: 'GapSeen',
      tsNs: 12n,
      connection: 1,
      dir: 'in',
      lostBytes: 9,
      id: { connection: 1, exchange: 1 },
      side: 'response',
    };
    const whole = (at: bigint) => answer(`r${at}`, 'a').map((event) => socketMessage('response', event, at));
    const messages = [
      socketMessage('request', create, 10n),
      gap,
      ...whole(13n),
      socketMessage('request', create, 14n),
      ...whole(15n),
    ];
    const calls = completedOf(track([...handshake.slice(0, -1), ...messages, ended]));
    expect(calls.map((call) => [call.captured, call.llm?.complete])).toEqual([
      ['partly', false],
      ['whole', true],
    ]);
  });

  it('shows a refused upgrade as a call', () => {
    const [call] = completedOf(
      track(
        exchangeEvents({
          method: 'GET',
          path: '/responses',
          headers: [['upgrade', 'websocket']],
          status: 403,
          json: { error: { code: 'no', message: 'no' } },
        }),
      ),
    );
    expect(call).toMatchObject({ class: 'chat.responses.ws', status: 403, llm: { error: { code: 'no' } } });
  });
});
