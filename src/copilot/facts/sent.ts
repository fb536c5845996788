// Text that a service call carried away: whole files to the index, questions to a search, accepted code to the reference
// look-up, memories and session events to GitHub. Of each the beginning is kept, and its size.

import { type JsonObject, objectOf, textOf } from '../../dialects/index.ts';
import type { SentFacts, SentItem } from '../../model/index.ts';
import { utf8Bytes } from '../summary.ts';
import { base64Text } from './base64.ts';
import { type FactsInput, jsonOf, nameOf, present } from './read.ts';

/** Beginning that is kept of each text. */
const MAX_TEXT_CHARS = 4096;
/** Items of one call; a batch of session events has up to 500. */
const MAX_ITEMS = 100;

type Item = SentItem | undefined;

/** What each field of a request body is. */
const FIELDS: readonly (readonly [field: string, what: SentItem['what']])[] = [
  ['content', 'file'],
  ['prompt', 'prompt'],
  ['query', 'prompt'],
  ['source', 'code'],
  ['fact', 'memory'],
];

export function sentFacts({ request }: FactsInput): SentFacts | undefined {
  const json = jsonOf(request);
  const events = json['events'];
  const items = (Array.isArray(events) ? events.map(eventItem) : [bodyItem(json)]).filter((item) => item !== undefined);
  if (items.length === 0) return undefined;
  const left = items.length - MAX_ITEMS;
  return { facts: 'sent', items: items.slice(0, MAX_ITEMS), ...(left > 0 ? { left } : {}) };
}

function bodyItem(json: JsonObject): Item {
  for (const [field, what] of FIELDS) {
    const value = json[field];
    if (typeof value !== 'string' || value === '') continue;
    // A document of an ingest is named by `file_path` and comes in base64.
    const text = what === 'file' && 'file_path' in json ? (base64Text(value) ?? value) : value;
    return item(what, text, nameOf(json['path']) ?? nameOf(json['file_path']), nameOf(json['language_id']));
  }
  return undefined;
}

/** One event of a synchronised session: its data as JSON. */
function eventItem(event: unknown): Item {
  const { type, data } = objectOf(event);
  if (data === undefined) return undefined;
  return item('event', typeof data === 'string' ? data : JSON.stringify(data), textOf(type).slice(0, 100));
}

const item = (what: SentItem['what'], text: string, path?: string, language?: string): SentItem =>
  present({
    what,
    path,
    language,
    bytes: utf8Bytes(text),
    text: text.slice(0, MAX_TEXT_CHARS),
    whole: text.length <= MAX_TEXT_CHARS,
  });
