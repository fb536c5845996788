// Telemetry: names of the events, counted. Bodies are Application Insights envelopes, one JSON value per line or one array;
// events whose names say that they carry prompts, answers or repository data are pointed out. Contents are not kept.

import { isObject, type JsonObject, objectOf, readJson } from '../../dialects/index.ts';
import type { TelemetryFacts } from '../../model/index.ts';
import { type FactsInput, MAX_LIST, nameOf } from './read.ts';

/** Events of the enhanced channel that carry text, by the end of their name. */
const WITH_TEXT =
  /(engine\.(messages|prompt|completion)|messageText|copilot-nes\/provideInlineEdit|request\.repoInfo)$/;

/** Lines that are read of one body. */
const MAX_LINES = 5000;

export function telemetryFacts({ request }: FactsInput): TelemetryFacts | undefined {
  const counts = new Map<string, number>();
  for (const envelope of envelopesOf(request)) {
    const name = eventName(envelope);
    if (name === undefined || (!counts.has(name) && counts.size >= MAX_LIST)) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const withText = [...counts.keys()].filter((name) => WITH_TEXT.test(name));
  return { facts: 'telemetry', events: Object.fromEntries(counts), ...(withText.length > 0 ? { withText } : {}) };
}

/** The event's own name; the envelope's is only the kind of envelope. */
const eventName = (envelope: JsonObject): string | undefined =>
  nameOf(objectOf(objectOf(envelope['data'])['baseData'])['name']) ?? nameOf(envelope['name']);

function* envelopesOf(text: string): Generator<JsonObject> {
  const { value, whole } = readJson(text);
  if (whole || Array.isArray(value)) {
    for (const item of Array.isArray(value) ? value : [value]) if (isObject(item)) yield item;
    return;
  }
  for (const line of text.split('\n', MAX_LINES)) if (line.trim() !== '') yield objectOf(readJson(line).value);
}
