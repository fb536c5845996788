// Makes completed calls for the tests of grouping: a small conversation model in, what the copilot room would say out.

import type { CallCompleted, HeaderField, LlmSummary, Message, ToolCall } from '../../src/model/index.ts';

export interface Made {
  readonly kind?: string;
  readonly class?: string;
  readonly messages: readonly Message[];
  readonly requestId?: string;
  readonly interactionId?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly error?: string;
  readonly previousResponseId?: string;
  readonly responseId?: string;
  /** Number of the call inside a WebSocket. */
  readonly message?: number;
  readonly startMs: number;
  readonly endMs: number;
}

let exchange = 0;

export function made(call: Made): CallCompleted {
  exchange += 1;
  const headers: HeaderField[] = [
    ...(call.requestId ? [['x-request-id', call.requestId] as const] : []),
    ...(call.interactionId ? [['x-interaction-id', call.interactionId] as const] : []),
  ];
  const llm: LlmSummary = {
    dialect: 'openai-chat',
    model: 'm',
    text: call.text ?? '',
    toolCalls: call.toolCalls ?? [],
    usage: {},
    finishReason: 'stop',
    complete: call.error === undefined,
    ...(call.error ? { error: { code: call.error, message: '' } } : {}),
    ...(call.responseId ? { responseId: call.responseId } : {}),
    request: {
      dialect: 'openai-chat',
      model: 'm',
      stream: true,
      messages: call.messages,
      tools: [],
      parameters: {},
      ...(call.previousResponseId ? { previousResponseId: call.previousResponseId } : {}),
    },
  };
  return {
    type: 'CallCompleted',
    id: { connection: 1, exchange, ...(call.message === undefined ? {} : { message: call.message }) },
    startNs: BigInt(call.startMs) * 1_000_000n,
    tsNs: BigInt(call.endMs) * 1_000_000n,
    class: call.class ?? 'chat.completions',
    ...(call.kind === undefined ? {} : { kind: call.kind }),
    evidence: '',
    confidence: 'high',
    host: 'api.githubcopilot.com',
    method: 'POST',
    path: '/chat/completions',
    joinedLate: false,
    served: false,
    firstByteNs: null,
    firstTokenNs: null,
    status: call.error ? 500 : 200,
    httpVersion: '2',
    request: { bytes: 0, decodedBytes: 0, headers },
    response: { bytes: 0, decodedBytes: 0, headers: [] },
    llm,
    end: 'complete',
    captured: 'whole',
    notes: [],
  };
}

export const system = (text: string): Message => ({ role: 'system', parts: [{ kind: 'text', text }] });
export const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }] });
export const asks = (text: string): Message => user(`<context>\nx\n</context>\n<userRequest>\n${text}\n</userRequest>`);
export const says = (text: string, ...calls: readonly ToolCall[]): Message => ({
  role: 'assistant',
  parts: [{ kind: 'text', text }, ...calls.map((call) => ({ kind: 'tool-call' as const, ...call }))],
});
export const gives = (callId: string, text: string, isError = false): Message => ({
  role: 'tool',
  parts: [{ kind: 'tool-result', callId, parts: [{ kind: 'text', text }], ...(isError ? { isError } : {}) }],
});
export const tool = (id: string, name: string, json: unknown = {}): ToolCall => ({
  id,
  name,
  argumentsText: JSON.stringify(json),
});
