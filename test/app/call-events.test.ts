import { expect, test } from 'vitest';
import { callIdText, toTraceEvent } from '../../src/app/call-events.ts';
import { createClock } from '../../src/app/clock.ts';
import { Registry } from '../../src/app/registry.ts';
import type { CallCompleted } from '../../src/model/index.ts';

const clock = createClock();
clock.set(0n, 0n);

const completed: CallCompleted = {
  type: 'CallCompleted',
  id: { connection: 3, exchange: 5 },
  startNs: 1_000_000_000n,
  tsNs: 3_500_000_000n,
  class: 'chat.completions',
  evidence: 'path',
  confidence: 'high',
  host: 'api.githubcopilot.com',
  method: 'POST',
  path: '/chat/completions',
  joinedLate: false,
  served: false,
  firstByteNs: 1_250_500_000n,
  firstTokenNs: null,
  status: 200,
  httpVersion: '2',
  request: { bytes: 1, decodedBytes: 1, headers: [] },
  response: { bytes: 2, decodedBytes: 3, headers: [] },
  end: 'complete',
  captured: 'whole',
  notes: [],
};

test('a call’s id names connection, exchange and, within a WebSocket, the message', () => {
  expect(callIdText({ connection: 3, exchange: 5 })).toBe('c3.5');
  expect(callIdText({ connection: 3, exchange: 5, message: 2 })).toBe('c3.5.2');
});

test('times are relative to the request’s first byte, in milliseconds', () => {
  const event = toTraceEvent(completed, clock, new Registry());
  expect(event).toMatchObject({
    type: 'call',
    id: 'c3.5',
    time: '1970-01-01T00:00:01.000Z',
    timing: { ttfbMs: 250.5, ttftMs: null, durationMs: 2500 },
  });
  expect(event).not.toHaveProperty('joinedLate');
  expect(event).not.toHaveProperty('notes');
});

test('notes, kind and late joining appear when there are any', () => {
  const fact: CallCompleted = { ...completed, kind: 'agent.turn', joinedLate: true, served: true, notes: ['cut'] };
  expect(toTraceEvent(fact, clock, new Registry())).toMatchObject({
    kind: 'agent.turn',
    joinedLate: true,
    served: true,
    notes: ['cut'],
  });
});

test('a delta of a tool call carries its arguments', () => {
  const delta = { kind: 'tool-call', id: 't', name: 'read_file', argumentsText: '{"a"' } as const;
  const event = toTraceEvent({ type: 'CallDelta', tsNs: 1n, id: completed.id, delta }, clock, new Registry());
  expect(event).toEqual({
    type: 'call.delta',
    id: 'c3.5',
    time: '1970-01-01T00:00:00.000Z',
    tsNs: '1',
    kind: 'tool-call',
    text: '{"a"',
  });
});
