// Secrets that run across the pieces of a stream: an answer comes in events of a few letters each, so that no event has the
// whole secret and a search of the text finds none. Joined by the place in their JSON, the pieces are text again.

/** Whether a text is the same after redaction. */
export type Redact = (text: string) => string;

/** Places that are joined one by one; an answer has a handful. What lies at further ones is joined as it comes. */
const MAX_PLACES = 1000;
const ELSEWHERE = 'elsewhere';
const MAX_DEPTH = 64;

type Places = Map<string, string[]>;

function add(places: Places, place: string, text: string): void {
  const known = places.size < MAX_PLACES || places.has(place) ? place : ELSEWHERE;
  const pieces = places.get(known);
  if (pieces !== undefined) pieces.push(text);
  else places.set(known, [text]);
}

/** Every string below `value`, by the path that leads to it. */
function collect(places: Places, value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') add(places, path, value);
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const [name, inner] of Object.entries(value)) collect(places, inner, `${path}/${name}`, depth + 1);
  }
}

function placesOf(messages: readonly string[]): Places {
  const places: Places = new Map();
  for (const message of messages) {
    add(places, 'raw', message);
    try {
      collect(places, JSON.parse(message), 'json', 0);
    } catch {
      // No JSON: it has been added as it stands.
    }
  }
  return places;
}

/** True when joining the messages shows a secret that none of them shows alone. */
export function hasSplitSecret(messages: readonly string[], redact: Redact): boolean {
  if (messages.length < 2) return false;
  for (const pieces of placesOf(messages).values()) {
    const joined = pieces.join('');
    const redacted = redact(joined);
    if (redacted !== joined && redacted !== pieces.map(redact).join('')) return true;
  }
  return false;
}

/** Data of each event in the text of an event stream (WHATWG HTML §9.2.6), joined lines included. */
const eventData = (stream: string): string[] =>
  stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
    return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')];
  });

/** Elements of a JSON array: a stream that some services write as one. None when it is no whole array. */
function elementsOf(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map((element) => JSON.stringify(element) ?? '') : [];
  } catch {
    // Cut, or none at all.
    return [];
  }
}

/** A body as the messages of a stream: an event stream, a line of JSON each, or an array; one message when it is neither. */
export function piecesOf(body: string): string[] {
  if (/^(?:data|event|id|retry|):/m.test(body.slice(0, 4096))) return eventData(body);
  if (/^\s*\[/.test(body)) return elementsOf(body);
  return body.split('\n').filter((line) => line.startsWith('{'));
}
