// Sample events for the tests of sinks: plausible ones, with what a test changes passed in.

import type { CallEvent, ConnectionEvent, SummaryEvent, TraceEvent } from '../../src/model/index.ts';
import type { SinkHost } from '../../src/sinks/index.ts';

const AT = { time: '2026-03-01T14:05:09.042Z', tsNs: '12345678901234567' };

export const call = (changes: Partial<CallEvent> = {}): CallEvent => ({
  type: 'call',
  id: 'c3.5',
  ...AT,
  pid: 4242,
  role: 'extension-host',
  class: 'chat.completions',
  kind: 'agent.turn',
  evidence: 'path /chat/completions',
  host: 'api.githubcopilot.com',
  method: 'POST',
  path: '/chat/completions',
  status: 200,
  httpVersion: '2',
  request: { bytes: 70_000, decodedBytes: 70_000, headers: [['content-type', 'application/json']] },
  response: { bytes: 9_000, decodedBytes: 9_000, headers: [['content-type', 'text/event-stream']] },
  llm: {
    dialect: 'openai-chat',
    model: 'gpt-4.1-2025-04-14',
    text: 'Rename it.\nThen run the tests.',
    toolCalls: [{ id: 't1', name: 'read_file', argumentsText: '{"path":"a.ts"}' }],
    usage: { input: 15_320, cached: 14_080, output: 212 },
    finishReason: 'tool_calls',
    complete: true,
    request: {
      dialect: 'openai-chat',
      model: 'gpt-4.1',
      stream: true,
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'You are an expert.' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'Rename foo to bar.' }] },
        { role: 'assistant', parts: [{ kind: 'tool-call', id: 't0', name: 'grep', argumentsText: '{}' }] },
        {
          role: 'tool',
          parts: [{ kind: 'tool-result', callId: 't0', parts: [{ kind: 'text', text: 'a.ts:\n 1: foo' }] }],
        },
      ],
      tools: [],
      parameters: {},
    },
  },
  timing: { ttfbMs: 310.4, ttftMs: 845.2, durationMs: 4312.9 },
  end: 'complete',
  captured: 'whole',
  ...changes,
});

/** A call without a model. */
export function plainCall(changes: Partial<CallEvent> = {}): CallEvent {
  const { llm: _llm, kind: _kind, ...rest } = call();
  const other = { class: 'http.other', host: 'example.com', path: '/a?b=1', method: 'GET', status: 404 };
  return { ...rest, ...other, timing: { ttfbMs: 20, ttftMs: null, durationMs: 31 }, ...changes };
}

export const summary = (changes: Partial<SummaryEvent> = {}): SummaryEvent => ({
  type: 'summary',
  ...AT,
  reason: 'interrupted',
  durationMs: 63_000,
  calls: 7,
  callsByClass: { token: 1, 'chat.completions': 2, 'completions.inline': 4 },
  connections: 4,
  processes: 1,
  bytes: { out: 81_234, in: 2_345_678 },
  lost: { out: 0, in: 0, incompleteCalls: 0 },
  counters: { loss_ring_full: 0, calls_seen: 1234 },
  cost: { hookedCalls: 1234, bpfRunMs: 3.2, tracerCpuMs: 412, ringBytes: 16_777_216, ringHighWaterBytes: 1_258_291 },
  complete: true,
  ...changes,
});

export const connectionEvent = (changes: Partial<ConnectionEvent> = {}): ConnectionEvent => ({
  type: 'connection',
  ...AT,
  phase: 'identified',
  id: 'c3',
  pid: 4242,
  role: 'extension-host',
  ...changes,
});

/** One event of every other type. */
export const OTHER_EVENTS: readonly TraceEvent[] = [
  {
    type: 'process',
    ...AT,
    phase: 'found',
    pid: 4242,
    parentPid: 4200,
    comm: 'code',
    exe: '/usr/share/code/code',
    args: ['code', '--type=utility'],
    role: 'extension-host',
    tls: [
      { library: 'boringssl', file: '/usr/share/code/code', hooked: true, reason: 'SSL_read, SSL_write by anchors' },
    ],
  },
  connectionEvent({ protocol: 'http/2', sni: 'a.b' }),
  {
    type: 'call.started',
    ...AT,
    id: 'c3.5',
    pid: 4242,
    role: 'extension-host',
    class: 'chat.completions',
    host: null,
    method: 'POST',
    path: '/chat/completions',
  },
  { type: 'call.delta', ...AT, id: 'c3.5', kind: 'text', text: 'Ren' },
  { type: 'loss', ...AT, connection: 'c3', dir: 'in', bytes: 16_384, cause: 'ring full' },
  {
    type: 'finding',
    ...AT,
    rule: 'github-token',
    severity: 'high',
    call: 'c3.5',
    where: 'message 2',
    fingerprint: '3fa9c1d2',
  },
];

/** A host that keeps what is written. */
export function memoryHost(columns: number | null = null, colour = false): SinkHost & { text: () => string } {
  const written: string[] = [];
  return {
    write: (text) => {
      written.push(text);
    },
    drain: async () => undefined,
    columns: () => columns,
    colour,
    text: () => written.join(''),
  };
}
