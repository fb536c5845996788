import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallFact, EngineEvent } from '../../src/model/index.ts';
import { callOf, completedOf, exchangeEvents, socketMessage, track } from './engine-script.ts';

const chatChunk = (content: string, more: object = {}) => ({
  id: 'r1',
  model: 'm-2',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...more,
});
const chatBody = {
  model: 'm',
  stream: true,
  messages: [
    { role: 'system', content: 'rules' },
    { role: 'user', content: '<userRequest>\nsay hi\n</userRequest>' },
  ],
  tools: [{ type: 'function', function: { name: 'read_file', description: 'd', parameters: {} } }],
};

describe('call tracker', () => {
  it('takes the host from the TLS server name and says so', () => {
    const call = callOf({ host: null, sni: 'proxy.business.githubcopilot.com', path: '/models', method: 'GET' });
    expect(call).toMatchObject({ class: 'models.proxy', host: 'proxy.business.githubcopilot.com' });
    expect(call.evidence).toContain('TLS server name');
  });

  it('shares one budget among open bodies and gives it back', () => {
    const facts: string[][] = [];
    const events = [1, 2].flatMap((n) => exchangeEvents({ body: chatBody, sse: [] }, n));
    for (const call of completedOf(track(events, { maxOpenBytes: 400 }))) facts.push([...call.notes]);
    expect(facts).toEqual([[], []]);
  });

  it('ends what is still open when its connection closes', () => {
    const events = exchangeEvents({ body: chatBody, sse: [chatChunk('a')] }).slice(0, -1);
    const closed: EngineEvent = {
      type: 'ConnectionClosed',
      tsNs: 9n,
      connection: 1,
      outBytes: 0,
      inBytes: 0,
      lostOutBytes: 0,
      lostInBytes: 0,
      why: 'closed',
    };
    expect(completedOf(track([...events, closed]))).toMatchObject([
      { end: 'cut', llm: { text: 'a', complete: false } },
    ]);
  });

  it('uses a server name that is learned after the head', () => {
    const [started, head, ...rest] = exchangeEvents({ host: null, path: '/models', method: 'GET' });
    const sni: EngineEvent = { type: 'ConnectionIdentified', tsNs: 1n, connection: 1, sni: 'api.githubcopilot.com' };
    const [call] = completedOf(track([started!, head!, sni, ...rest]));
    expect(call).toMatchObject({ class: 'models.list', host: 'api.githubcopilot.com' });
  });

  it('ignores events of exchanges that it does not know', () => {
    expect(track(exchangeEvents({ body: chatBody, sse: ['[DONE]'] }).slice(1))).toEqual([]);
  });

  it('keeps exchanges of one connection apart', () => {
    const [a, b] = [1, 2].map((n) =>
      exchangeEvents({ body: chatBody, sse: [chatChunk(`${n}`), chatChunk(`${n}`)] }, n),
    );
    const mixed = a!.flatMap((event, at) => [event, b![at]!]);
    expect(completedOf(track(mixed)).map((call) => [call.id.exchange, call.llm?.text])).toEqual([
      [1, '11'],
      [2, '22'],
    ]);
  });

  describe('whatever the order of events', () => {
    const events = [
      ...exchangeEvents({ body: chatBody, sse: [chatChunk('a'), '[DONE]'] }, 1),
      ...exchangeEvents({ path: '/responses', method: 'GET', headers: [['upgrade', 'websocket']], status: 101 }, 1),
      ...exchangeEvents({ noRequestHead: true, joinedLate: true, json: { choices: [] } }, 2),
      socketMessage('request', { type: 'response.create', input: [] }, 5n),
      socketMessage('response', { type: 'response.completed', response: {} }, 6n),
    ];
    const order = fc.array(fc.nat({ max: events.length - 1 }), { maxLength: 60 });

    it('never throws, starts a call before its deltas, and completes it at most once', () => {
      fc.assert(
        fc.property(order, (picks) => {
          const facts = track(picks.map((pick) => events[pick]!));
          const open = new Set<string>();
          const key = ({ id }: CallFact) => `${id.connection}.${id.exchange}.${id.message ?? 0}`;
          for (const fact of facts) {
            if (fact.type === 'CallStarted') open.add(key(fact));
            expect(open.has(key(fact))).toBe(true);
            if (fact.type === 'CallCompleted') open.delete(key(fact));
          }
        }),
        { numRuns: 300 },
      );
    });
  });
});
