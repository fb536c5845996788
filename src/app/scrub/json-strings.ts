// The string values of a JSON text with their places, so that strings which belong together can be searched as one: an
// answer streams in pieces, and a secret in it is cut by them. Tolerant: what is no JSON gives what was read up to there.

/** One character of a string value: where it is written, and in how many characters (an escape takes 2 or 6). */
export interface WrittenCharacter {
  readonly character: string;
  readonly at: number;
  readonly length: number;
}

export interface JsonString {
  /** Member names and indexes from the root, and the numbers beside it that tell streams apart. */
  readonly path: string;
  readonly characters: readonly WrittenCharacter[];
}

/** Deeper structures are not followed. */
const MAX_DEPTH = 64;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Members that tell one stream of pieces from another within the same path. */
const STREAM_MEMBERS = new Set(['index', 'output_index', 'content_index', 'summary_index', 'item_id', 'type']);

class Scanner {
  readonly #text: string;
  readonly #end: number;
  #at: number;
  readonly found: { path: string[]; scopes: Map<string, string>[]; characters: WrittenCharacter[] }[] = [];

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
    const characters = this.#string();
    if (characters === null) return false;
    this.found.push({ path, scopes, characters });
    return true;
  }

  #string(): WrittenCharacter[] | null {
    const characters: WrittenCharacter[] = [];
    this.#at++;
    while (this.#at < this.#end) {
      const character = this.#text[this.#at] ?? '';
      if (character === '"') {
        this.#at++;
        return characters;
      }
      const length = character !== '\\' ? 1 : this.#text[this.#at + 1] === 'u' ? 6 : 2;
      characters.push({ character: this.#decoded(length), at: this.#at, length });
      this.#at += length;
    }
    return null;
  }

  #decoded(length: number): string {
    const written = this.#text.slice(this.#at, this.#at + length);
    if (length === 6) return String.fromCharCode(Number.parseInt(written.slice(2), 16) || 0xfffd);
    return length === 2 ? (ESCAPES[written[1] ?? ''] ?? written[1] ?? '') : written;
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
      const name =
        this.#string()
          ?.map(({ character }) => character)
          .join('') ?? '';
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
  return scanner.found.map(({ path, scopes, characters }) => ({
    path: JSON.stringify([path, scopes.map((scope) => [...scope].sort(([a], [b]) => (a < b ? -1 : 1)))]),
    characters,
  }));
}
