// A call of a model as the facts of a span, by the GenAI semantic conventions of OpenTelemetry, with the attribute names of
// the editor's own exporter where it has some. Content (what was asked and answered) only on request.
//
// A difference from that exporter, on purpose: `gen_ai.conversation.id` is the conversation here, there it is the request.

import type { CallEvent, LlmSummary, Message, Part } from '../../model/index.ts';
import { headerValue } from '../../model/index.ts';
import type { Attributes } from './model.ts';

/** Names of the conventions, by class. */
const OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/^embeddings\./, 'embeddings'],
  [/^(completions\.|nes\b)/, 'text_completion'],
];

export const operationOf = (call: CallEvent): string =>
  OPERATIONS.find(([pattern]) => pattern.test(call.class))?.[1] ?? 'chat';

/** Provider by the host that was asked; Copilot's own is `github`. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)github(copilot|usercontent)?\.com$/, 'github'],
  [/\.openai\.azure\.com$/, 'azure.ai.openai'],
  [/(^|\.)openai\.com$/, 'openai'],
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/(^|\.)googleapis\.com$/, 'gcp.gemini'],
];

export const providerOf = (host: string | null): string | undefined => {
  const name = host?.replace(/:\d+$/, '') ?? '';
  return PROVIDERS.find(([pattern]) => pattern.test(name))?.[1];
};

/** What went wrong, as `error.type` has it: the provider's code, the status, or how the call ended. */
export function errorOf(call: CallEvent): string | undefined {
  if (call.llm?.error !== undefined) return call.llm.error.code || 'error';
  if (call.status !== null && call.status >= 400) return String(call.status);
  return call.end === 'complete' || call.end === 'open' ? undefined : call.end;
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function requestAttributes(llm: LlmSummary): Attributes {
  const parameters = llm.request?.parameters ?? {};
  const { seed, temperature, stop } = parameters;
  return {
    'gen_ai.request.model': llm.request?.model,
    'gen_ai.request.temperature': numberOf(temperature),
    'gen_ai.request.max_tokens': numberOf(parameters['max_tokens'] ?? parameters['max_output_tokens']),
    'gen_ai.request.top_p': numberOf(parameters['top_p']),
    'gen_ai.request.seed': numberOf(seed),
    'gen_ai.request.frequency_penalty': numberOf(parameters['frequency_penalty']),
    'gen_ai.request.presence_penalty': numberOf(parameters['presence_penalty']),
    'gen_ai.request.stop_sequences': Array.isArray(stop) ? stop.map(String) : undefined,
  };
}

const responseAttributes = ({ model, answeredBy, responseId, finishReason, usage }: LlmSummary): Attributes => ({
  'gen_ai.response.model': answeredBy ?? model,
  'gen_ai.response.id': responseId,
  'gen_ai.response.finish_reasons': finishReason === null ? undefined : [finishReason],
  'gen_ai.usage.input_tokens': usage.input,
  'gen_ai.usage.output_tokens': usage.output,
  'gen_ai.usage.cache_read.input_tokens': usage.cached,
  'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
  'gen_ai.usage.reasoning_tokens': usage.reasoning,
});

/** A part of a message as the conventions write it; null for kinds that they do not have. */
function partJson(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return { type: 'text', content: part.text };
    case 'thinking':
      return { type: 'reasoning', content: part.text };
    case 'tool-call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.argumentsText };
    case 'tool-result':
      return { type: 'tool_call_response', id: part.callId, response: part.parts.map(partJson) };
    default:
      return { type: part.kind };
  }
}

const messageJson = ({ role, parts }: Message): unknown => ({ role, parts: parts.map(partJson) });

function contentAttributes({ request, text, thinking, toolCalls, finishReason }: LlmSummary): Attributes {
  const messages = request?.messages ?? [];
  const system = messages.filter(({ role }) => role === 'system').flatMap(({ parts }) => parts.map(partJson));
  const answer = [
    ...(thinking ? [{ type: 'reasoning', content: thinking }] : []),
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...toolCalls.map(({ id, name, argumentsText }) => ({ type: 'tool_call', id, name, arguments: argumentsText })),
  ];
  const rest = messages.filter(({ role }) => role !== 'system').map(messageJson);
  return {
    'gen_ai.system_instructions': system.length === 0 ? undefined : JSON.stringify(system),
    'gen_ai.input.messages': rest.length === 0 ? request?.prompt : JSON.stringify(rest),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: answer, finish_reason: finishReason }]),
  };
}

/** Attributes of a call with a model; `isWithContent`: prompts and answers, too. */
export function chatAttributes(call: CallEvent, llm: LlmSummary, isWithContent: boolean): Attributes {
  return {
    'gen_ai.operation.name': operationOf(call),
    'gen_ai.provider.name': providerOf(call.host),
    ...requestAttributes(llm),
    ...responseAttributes(llm),
    'server.address': call.host,
    'http.response.status_code': call.status,
    'error.type': errorOf(call),
    'copilot_chat.time_to_first_token': call.timing.ttftMs,
    'copilot_chat.server_request_id': headerValue(call.response.headers, 'x-request-id'),
    'tracer.call.id': call.id,
    'tracer.call.class': call.class,
    'tracer.call.kind': call.kind,
    'process.pid': call.pid,
    'tracer.process.role': call.role,
    ...(isWithContent && contentAttributes(llm)),
  };
}
