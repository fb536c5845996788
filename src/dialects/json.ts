// Reads JSON that may be cut, damaged or hostile: what precedes the damage is kept. Whole text takes the fast way
// (JSON.parse); only damaged text is read by the small reader here (RFC 8259 grammar, no recursion).
//
// LIMITS: values nested deeper than MAX_JSON_DEPTH are replaced by DEEP_MARK, so that no later walk or JSON.stringify
// over the value can exhaust the stack. Length is bounded by the caller.

/** Deepest nesting that is kept. Real bodies stay under 30; V8's stringify fails at some thousands. */
export const MAX_JSON_DEPTH = 128;

export const DEEP_MARK = '[nested deeper than 128 levels]';

export interface JsonRead {
  /** Undefined when not even the beginning of a value was there. */
  readonly value: unknown;
  /** False when the text was cut or damaged: `value` is what precedes that point. */
  readonly whole: boolean;
}

export function readJson(text: string): JsonRead {
  try {
    return { value: prune(JSON.parse(text)), whole: true };
  } catch {
    // Not valid as a whole: the reader below keeps what is decodable, and `whole` says so.
    return { value: new TolerantReader(text).read(), whole: false };
  }
}

/** Cuts what is nested too deeply, in place: the value is fresh from JSON.parse and nobody else holds it. */
function prune(root: unknown): unknown {
  const stack: { node: object; depth: number }[] = [];
  if (typeof root === 'object' && root !== null) stack.push({ node: root, depth: 1 });
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    for (const [key, child] of Object.entries(top.node)) {
      if (typeof child !== 'object' || child === null) continue;
      if (top.depth >= MAX_JSON_DEPTH) put(top.node, key, DEEP_MARK);
      else stack.push({ node: child, depth: top.depth + 1 });
    }
  }
  return root;
}

/** Assigns like JSON.parse does: `__proto__` becomes an ordinary own member. */
function put(node: object, key: string, value: unknown): void {
  Object.defineProperty(node, key, { value, enumerable: true, writable: true, configurable: true });
}

type Container = { readonly node: unknown[] } | { readonly node: Record<string, unknown>; key: string | undefined };

/** The text ended or is damaged at this point. */
const STOP = Symbol('stop');

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What the inside of a string stands for. An escape that is unknown or cut by the end gives nothing. */
function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|u[0-9a-fA-F]{0,3}|([^u]|$))/g, (_, hex?: string, char?: string) =>
    hex === undefined ? (ESCAPES[char ?? ''] ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const SPACE = new Set([' ', '\t', '\n', '\r']);

class TolerantReader {
  readonly #text: string;
  #at = 0;
  /** Open containers, outermost first; never longer than MAX_JSON_DEPTH. */
  readonly #open: Container[] = [];
  #root: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    while (this.#step() !== STOP);
    return this.#root;
  }

  /** Reads one token. */
  #step(): typeof STOP | undefined {
    this.#skipSpace();
    const top = this.#open.at(-1);
    const char = this.#text[this.#at];
    if (char === undefined) return STOP;
    if (top === undefined) return this.#root === undefined ? this.#value() : STOP;
    if (char === ',') return this.#advance();
    if (char === '}' || char === ']') return this.#close(char, top);
    if ('key' in top && top.key === undefined) return this.#key(top);
    return this.#value();
  }

  #advance(): undefined {
    this.#at += 1;
  }

  #close(char: string, top: Container): typeof STOP | undefined {
    if ((char === ']') !== Array.isArray(top.node)) return STOP;
    this.#open.pop();
    this.#at += 1;
    return this.#open.length === 0 ? STOP : undefined;
  }

  #key(top: { key: string | undefined }): typeof STOP | undefined {
    if (this.#text[this.#at] !== '"') return STOP;
    const { text, closed } = this.#string();
    this.#skipSpace();
    if (!closed || this.#text[this.#at] !== ':') return STOP;
    this.#at += 1;
    top.key = text;
    return undefined;
  }

  #value(): typeof STOP | undefined {
    const char = this.#text[this.#at];
    if (char === '{' || char === '[') return this.#container(char);
    if (char === '"') {
      const { text, closed } = this.#string();
      this.#add(text);
      return closed ? undefined : STOP;
    }
    return this.#literal();
  }

  #container(char: string): typeof STOP | undefined {
    if (this.#open.length >= MAX_JSON_DEPTH) {
      this.#add(DEEP_MARK);
      return this.#skipDeep();
    }
    const container: Container = char === '{' ? { node: {}, key: undefined } : { node: [] };
    this.#add(container.node);
    this.#open.push(container);
    this.#at += 1;
    return undefined;
  }

  /** Passes over a container that is too deep, however deep it goes, counting brackets outside strings. */
  #skipDeep(): typeof STOP | undefined {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === '"') {
        if (!this.#string().closed) return STOP;
        continue;
      }
      if (char === '{' || char === '[') depth += 1;
      if (char === '}' || char === ']') depth -= 1;
      this.#at += 1;
      if (depth === 0) return undefined;
    }
    return STOP;
  }

  /** A number, true, false or null. One that the text's end cuts is dropped: `12` may have been `123`. */
  #literal(): typeof STOP | undefined {
    const pattern = /[-+.\w]+/y;
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#text)?.[0];
    if (word === undefined || this.#at + word.length >= this.#text.length) return STOP;
    try {
      this.#add(JSON.parse(word));
    } catch {
      return STOP;
    }
    this.#at += word.length;
    return undefined;
  }

  /** Reads a string from its quote on. `closed` is false when the text ends inside it. */
  #string(): { text: string; closed: boolean } {
    const from = this.#at + 1;
    let at = from;
    for (; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) at += 1;
    }
    const closed = at < this.#text.length;
    this.#at = closed ? at + 1 : this.#text.length;
    return { text: unescaped(this.#text.slice(from, closed ? at : undefined)), closed };
  }

  #add(value: unknown): void {
    const top = this.#open.at(-1);
    if (top === undefined) this.#root = value;
    else if ('key' in top) {
      put(top.node, top.key ?? '', value);
      top.key = undefined;
    } else top.node.push(value);
  }

  #skipSpace(): void {
    while (SPACE.has(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}
