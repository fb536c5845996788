// The string values of a JSON text with their places, so that strings which belong together can be searched as one: an
// answer streams in pieces, and a secret in it is cut by them. Tolerant: what is no JSON gives what was read up to there.

/** One character of a string value: where it is written, and in how many characters (an escape takes 2 or 6). */
export interface WrittenCharacter {
  readonly character: string;
  readonly at: number;
  readonly length: number;
}

export interface JsonString extends Place {
  /** Member names and indexes from the root, and the numbers beside it that tell streams apart. */
  readonly path: string;
}

/** Where a string is written, without its quotes. Its characters are made when they are asked for: bodies have millions. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Deeper structures are not followed. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Members that tell one stream of pieces from another within the same path. */
const STREAM_MEMBERS = new Set(['index', 'output_index', 'content_index', 'summary_index', 'item_id', 'type']);

class Scanner {
  readonly #text: string;
  readonly #end: number;
  #at: number;
  readonly found: { path: string[]; scopes: Map<string, string>[]; place: Place }[] = [];

  constructor(text: string, from: number, to: number) {
    this.#text = text;
    this.#at = from;
    this.#end = to;
  }

  /** False at anything that is no JSON. */
  value(path: string[], scopes: Map<string, string>[]): boolean {
    this.#space();
    const first = this.#peek();
    if (path.length > MAX_DEPTH) return false;
    if (first === '{') return this.#object(path, scopes);
    if (first === '[') return this.#array(path, scopes);
    if (first === '"') return this.#stringValue(path, scopes);
    const start = this.#at;
    while (/[\w.+-]/.test(this.#peek())) this.#at++;
    return this.#at > start;
  }

  #peek(): string {
    return this.#at < this.#end ? (this.#text[this.#at] ?? '') : '';
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#peek())) this.#at++;
  }

  #stringValue(path: string[], scopes: Map<string, string>[]): boolean {
    const place = this.#string();
    if (place === null) return false;
    this.found.push({ path, scopes, place });
    return true;
  }

  #string(): Place | null {
    const from = this.#at + 1;
    for (let at = from; at < this.#end; at += lengthAt(this.#text, at)) {
      if (this.#text.charCodeAt(at) !== QUOTE) continue;
      this.#at = at + 1;
      return { from, to: at };
    }
    this.#at = this.#end;
    return null;
  }

  #object(path: string[], scopes: Map<string, string>[]): boolean {
    const scope = new Map<string, string>();
    return this.#members('}', (name) => {
      const start = this.#at;
      if (!this.value([...path, name], [...scopes, scope])) return false;
      if (STREAM_MEMBERS.has(name)) scope.set(name, this.#text.slice(start, this.#at));
      return true;
    });
  }

  #members(close: string, member: (name: string) => boolean): boolean {
    this.#at++;
    for (this.#space(); this.#peek() !== close; this.#space()) {
      if (this.#peek() !== '"') return false;
      const place = this.#string();
      const name = place === null ? '' : textOfCharacters(charactersOf(this.#text, place));
      this.#space();
      if (this.#peek() !== ':') return false;
      this.#at++;
      if (!member(name)) return false;
      this.#space();
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
    return true;
  }

  #array(path: string[], scopes: Map<string, string>[]): boolean {
    this.#at++;
    let index = 0;
    for (this.#space(); this.#peek() !== ']'; this.#space()) {
      if (!this.value([...path, String(index++)], scopes)) return false;
      this.#space();
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
    return true;
  }
}

/** String values of the JSON text at `[from, to)` of `text`. */
export function jsonStrings(text: string, from: number, to: number): JsonString[] {
  const scanner = new Scanner(text, from, to);
  scanner.value([], []);
  // Read at the end: a member that tells streams apart may stand behind the string.
  return scanner.found.map(({ path, scopes, place }) => ({
    path: JSON.stringify([path, scopes.map((scope) => [...scope].sort(([a], [b]) => (a < b ? -1 : 1)))]),
    ...place,
  }));
}

/** The characters of a string of `text`, decoded. */
export function charactersOf(text: string, { from, to }: Place): WrittenCharacter[] {
  const characters: WrittenCharacter[] = [];
  for (let at = from; at < to; ) {
    const length = lengthAt(text, at);
    characters.push({ character: decoded(text.slice(at, at + length)), at, length });
    at += length;
  }
  return characters;
}

export const textOfCharacters = (characters: readonly WrittenCharacter[]): string =>
  characters.map(({ character }) => character).join('');

/** In how many characters the one at `at` is written. */
function lengthAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH) return 1;
  return text[at + 1] === 'u' ? 6 : 2;
}

function decoded(written: string): string {
  if (written.startsWith('\\u')) return String.fromCharCode(Number.parseInt(written.slice(2), 16) || 0xfffd);
  return written.length === 2 ? (ESCAPES[written[1] ?? ''] ?? written[1] ?? '') : written;
}
