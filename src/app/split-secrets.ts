// Secrets that run across the pieces of a stream: an answer comes in events of a few letters each, so that no event has the
// whole secret and a search of the text finds none. Joined by the place in their JSON, the pieces are text again.

/** Whether a text is the same after redaction. */
export type Redact = (text: string) => string;

/** Places that are joined; an answer has a handful, and a hostile one must not cost more. */
const MAX_PLACES = 1000;
const MAX_DEPTH = 64;

type Places = Map<string, string[]>;

function add(places: Places, place: string, text: string): void {
  const pieces = places.get(place);
  if (pieces !== undefined) pieces.push(text);
  else if (places.size < MAX_PLACES) places.set(place, [text]);
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
export const eventData = (stream: string): string[] =>
  stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
    return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')];
  });
