// Feeds a dialect's decoder like the tracker does and joins what it reports.

import { type Dialect, dialectByName, readJson } from '../../src/dialects/index.ts';
import type { LlmReply, LlmRequest, ReplyDelta } from '../../src/model/index.ts';

export function dialect(name: string): Dialect {
  const found = dialectByName(name);
  if (found === undefined) throw new Error(`no dialect ${name}`);
  return found;
}

export const requestOf = (name: string, body: unknown, path: string | null = null): LlmRequest =>
  dialect(name).request(readJson(typeof body === 'string' ? body : JSON.stringify(body)).value, path);

export interface Fed {
  readonly reply: LlmReply;
  readonly deltas: readonly ReplyDelta[];
  readonly streamed: string;
}

const joined = (deltas: readonly ReplyDelta[]): string =>
  deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');

/** Messages are JSON values, or text as it is; `[event, data]` names the event. */
export function stream(name: string, messages: readonly unknown[], transportComplete = true): Fed {
  const decoder = dialect(name).reply();
  const deltas = messages.flatMap((entry) => {
    const [event, data] = Array.isArray(entry) ? (entry as [string, unknown]) : ['', entry];
    return decoder.message({ event, data: typeof data === 'string' ? data : JSON.stringify(data) });
  });
  return { reply: decoder.end(transportComplete), deltas, streamed: joined(deltas) };
}

export function body(name: string, json: unknown, transportComplete = true): Fed {
  const decoder = dialect(name).reply();
  const deltas = decoder.json(typeof json === 'string' ? json : JSON.stringify(json));
  return { reply: decoder.end(transportComplete), deltas, streamed: joined(deltas) };
}
