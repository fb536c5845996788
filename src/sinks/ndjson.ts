// NDJSON: one JSON object per line, schema in docs/events.md. The same events give the same bytes: top-level keys come in
// the order of KEY_ORDER, nested ones in the order of the schema as their makers set them. Lone surrogates (ECMA-262
// §25.5.2.3) and all control characters are escaped, so a line is valid UTF-8 and holds no raw escape sequence.

import type { FleetEvent } from '../model/index.ts';
import { safeJson } from './safe-json.ts';
import type { OpenSink, Sink, SinkHost } from './sink.ts';

/** What a person scanning a line looks for comes first; keys that are not listed follow in their maker's order. */
const KEY_ORDER = ['type', 'id', 'phase', 'time', 'tsNs', 'pid', 'parentPid', 'role', 'class', 'kind'] as const;

/** How long `close` waits for the last lines. */
const CLOSE_DEADLINE_MS = 1_000;

/** The event as one line, newline included. */
export function toLine(event: FleetEvent): string {
  const fields = new Map<string, unknown>(Object.entries(event));
  const ordered: [string, unknown][] = [];
  for (const key of KEY_ORDER) {
    if (fields.has(key)) ordered.push([key, fields.get(key)]);
    fields.delete(key);
  }
  return `${safeJson(Object.fromEntries([...ordered, ...fields]))}\n`;
}

const open = (host: SinkHost): OpenSink => ({
  accept: (event) => host.write(toLine(event)),
  flush: (deadlineMs) => host.drain(deadlineMs),
  close: () => host.drain(CLOSE_DEADLINE_MS),
});

export const ndjson: Sink = {
  name: 'ndjson',
  flag: 'json',
  description: 'print one JSON object per line (docs/events.md)',
  options: [],
  open: async (_options, host) => open(host),
};
