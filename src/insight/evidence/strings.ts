// Every string of a body with its place: values of JSON at any depth, JSON inside strings (arguments of tools), lines of
// NDJSON. A body that is no JSON is one text.

import { readJson } from '../../dialects/index.ts';

export interface PlacedText {
  /** Such as `messages[3].content`. */
  readonly place: string;
  readonly text: string;
}

/** JSON inside JSON inside JSON is met; deeper is not. */
const MAX_NESTING = 3;

export function* stringsOf(body: string): Generator<PlacedText> {
  if (/^\s*[{[]/.test(body.slice(0, 64))) {
    const lines = isLines(body) ? body.split('\n').filter((line) => line.trim() !== '') : [body];
    for (const [at, line] of lines.entries()) {
      yield* walk(readJson(line).value, lines.length > 1 ? `line ${at + 1}: ` : '', MAX_NESTING);
    }
  }
  // Last, so that a place inside is found first: the body as it is, what is between its strings included.
  yield { place: 'body', text: body };
}

/** One JSON value per line. */
function isLines(body: string): boolean {
  const end = body.indexOf('\n');
  return end > 0 && /^\s*[{[]/.test(body.slice(end + 1, end + 64)) && readJson(body.slice(0, end)).whole;
}

function* walk(value: unknown, place: string, nesting: number): Generator<PlacedText> {
  if (typeof value === 'string') {
    if (nesting > 0 && /^\s*[{[]/.test(value.slice(0, 64))) {
      const { value: inner, whole } = readJson(value);
      if (whole) yield* walk(inner, `${place} → `, nesting - 1);
    }
    yield { place, text: value };
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) yield* walk(entry, `${place}[${at}]`, nesting);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, entry] of Object.entries(value)) {
    const name = /^\w{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64));
    yield* walk(entry, place === '' || place.endsWith(' ') ? `${place}${name}` : `${place}.${name}`, nesting);
    // Text may also stand in a name.
    if (key.length > 64) yield { place: `${place}, a name`, text: key };
  }
}
