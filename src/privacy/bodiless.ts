// `--no-bodies`: what is left of an event when nothing that anybody wrote may be shown: heads, sizes, models, usage.

import type { CallEvent, LlmSummary, ServiceFacts, TraceEvent } from '../model/index.ts';

/** Without texts, arguments and messages: names and numbers only. */
export function bodilessLlm(llm: LlmSummary): LlmSummary {
  const { dialect, model, toolCalls, usage, finishReason, error, complete, responseId } = llm;
  return {
    dialect,
    model,
    text: '',
    toolCalls: toolCalls.map(({ id, name }) => ({ id, name, argumentsText: '' })),
    usage,
    finishReason,
    ...(error && { error: { code: error.code, message: '' } }),
    complete,
    ...(responseId !== undefined && { responseId }),
  };
}

/** Facts about models, quotas, rules stay; texts that a call carried away go. */
function bodilessService(service: ServiceFacts): ServiceFacts {
  if (service.facts === 'sent')
    return { ...service, items: service.items.map((item) => ({ ...item, text: '', whole: false })) };
  if (service.facts !== 'router') return service;
  const { prompt: _, ...facts } = service;
  return facts;
}

function bodilessCall(call: CallEvent): CallEvent {
  return {
    ...call,
    ...(call.llm && { llm: bodilessLlm(call.llm) }),
    ...(call.service && { service: bodilessService(call.service) }),
  };
}

/** The event without what bodies said; null when nothing is left of it. */
export function withoutBodies(event: TraceEvent): TraceEvent | null {
  if (event.type === 'call.delta') return null;
  return event.type === 'call' ? bodilessCall(event) : event;
}
