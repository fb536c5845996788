// All items of one call: of an LLM request its tools, messages and parameters; of a service call what it carried away.

import { objectOf, textOf } from '../../dialects/index.ts';
import type { CallCompleted, LlmRequest, ServiceFacts } from '../../model/index.ts';
import { completionItems } from './completion.ts';
import { type ContextItem, withKindFacts } from './item.ts';
import { type FindTool, messageItems, type RequestFacts } from './messages.ts';

export function itemsOfCall(call: CallCompleted, find: FindTool): ContextItem[] {
  const items = [
    ...(call.llm?.request === undefined ? [] : requestItems(call.llm.request, authorOf(call), find)),
    ...(call.service === undefined ? [] : serviceItems(call.service)),
  ];
  return items.filter((item) => item.text !== '' || (item.bytes ?? 0) > 0).map(withKindFacts);
}

/** Kinds of calls whose user messages a person wrote. Without a kind, it is taken so. */
const BY_PERSON =
  /^(agent\.(turn|round|claude|codex|cli)|ask\.turn|edit\.turn|inline\.|notebook$|terminal$|lm_api$|codebase\.agent$|compaction$|summarize\.session$)/;

const authorOf = ({ kind }: CallCompleted): RequestFacts['author'] =>
  kind === undefined || BY_PERSON.test(kind) ? 'person' : 'client';

function requestItems(request: LlmRequest, author: RequestFacts['author'], find: FindTool): ContextItem[] {
  if (request.dialect === 'openai-completions') return completionItems(request);
  const seen = new Map(
    request.messages
      .flatMap((message) => message.parts)
      .flatMap((part) => (part.kind === 'tool-call' ? [[part.id, part] as const] : [])),
  );
  const findHere: FindTool = (id) => seen.get(id) ?? find(id);
  const prediction = textOf(objectOf(request.parameters['prediction'])['content']);
  return [
    ...toolItems(request),
    ...request.messages.flatMap((message) => messageItems(message, { request, author }, findHere)),
    ...(prediction === '' ? [] : [{ kind: 'edit-window', text: prediction, detail: 'prediction' } as const]),
  ];
}

function toolItems({ tools }: LlmRequest): ContextItem[] {
  if (tools.length === 0) return [];
  const deferred = tools.filter((tool) => tool.deferred).length;
  const text = tools.map(({ name, description, schema }) => JSON.stringify({ name, description, schema })).join('\n');
  return [
    {
      kind: 'tool-definitions',
      text,
      detail: `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${deferred > 0 ? `, ${deferred} of them deferred` : ''}`,
    },
  ];
}

function serviceItems(facts: ServiceFacts): ContextItem[] {
  if (facts.facts === 'router') {
    return facts.prompt === undefined ? [] : [{ kind: 'prompt-copy', text: facts.prompt }];
  }
  if (facts.facts !== 'sent') return [];
  return facts.items.map(({ what, path, language, bytes, text }): ContextItem => {
    const named = { ...(path === undefined ? {} : { path }), ...(language === undefined ? {} : { language }) };
    return { kind: what === 'prompt' ? 'search-input' : 'upload', text, bytes, detail: what, ...named };
  });
}
