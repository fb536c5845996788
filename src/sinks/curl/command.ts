// An exchange as a shell command that sends the request again. Secrets have been replaced by then; each becomes a variable of
// the shell, to be set by whoever may: the command itself can be shown. What could steer a terminal is written as octal
// escapes of `printf` (POSIX), so that the same bytes are sent.

import type { ExchangeCopy, HeaderField } from '../../model/index.ts';
import { UNSAFE, visible } from '../terminal/visible.ts';

/** Fields that curl makes itself, or that hold for one connection or for the body as it was sent. */
const LEFT_OUT = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'connection',
  'keep-alive',
  'te',
  'upgrade',
  'accept-encoding',
]);

/** What redaction leaves of a secret: its kind and a fingerprint. */
const SECRET = /<([a-z0-9-]+) #([0-9a-f]+)>/g;

/** Variables by the secret that they stand for. */
class Variables {
  readonly #names = new Map<string, string>();

  nameOf(kind: string, fingerprint: string): string {
    const secret = `${kind} #${fingerprint}`;
    const known = this.#names.get(secret);
    if (known !== undefined) return known;
    const base = kind.toUpperCase().replaceAll('-', '_');
    const taken = new Set(this.#names.values());
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
    this.#names.set(secret, name);
    return name;
  }

  /** Checked by the shell before anything is sent. */
  lines(): string[] {
    return [...this.#names].map(([secret, name]) => `: "\${${name}:?set it to the ${secret}}"`);
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const octal = (bytes: Iterable<number>): string =>
  [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Heads are kept with one character per byte (ISO 8859-1); a character beyond that was never a byte of the wire. */
const headBytes = (text: string): number[] =>
  [...text].flatMap((char) => {
    const code = char.codePointAt(0) ?? 0;
    return code <= 0xff ? [code] : [...utf8(char)];
  });

const NOT_PRINTABLE = /[^\x20-\x7e]+/gu;
/** What no argument of a program can hold (NUL), and what would end the field or the line of the request. */
const NOT_IN_ARGUMENT = /[\0\r\n]/;

/** Text of a head in quotes. `$(…)` drops line ends, but none come here. */
const quotedHead = (text: string): string =>
  partsOf(text, NOT_PRINTABLE, quoted, (run) => `"$(printf '${octal(headBytes(run))}')"`).join('') || quoted('');

/** The text cut at the matches of `pattern`. */
function partsOf(
  text: string,
  pattern: RegExp,
  between: (run: string) => string,
  matching: (run: string) => string,
): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { index, 0: run } of text.matchAll(pattern)) {
    if (index > at) parts.push(between(text.slice(at, index)));
    parts.push(matching(run));
    at = index + run.length;
  }
  if (at < text.length) parts.push(between(text.slice(at)));
  return parts;
}

/** One word of the shell: text in quotes as `quote` gives them, secrets as variables in double quotes. */
function word(text: string, variables: Variables, quote = quotedHead): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(SECRET)) {
    if (match.index > at) parts.push(quote(text.slice(at, match.index)));
    parts.push(`"$${variables.nameOf(match[1] ?? '', match[2] ?? '')}"`);
    at = match.index + match[0].length;
  }
  if (at < text.length || parts.length === 0) parts.push(quote(text.slice(at)));
  return parts.join('');
}

/** Redaction of an address writes `<` and `>` as they are or percent-encoded. */
const plainMarks = (url: string): string =>
  url.replace(/%3C([a-z0-9-]+)%20%23([0-9a-f]+)%3E/gi, (_, kind: string, print: string) => `<${kind} #${print}>`);

/** curl refuses control characters in an address, so such a path is given apart. */
function addressOptions({ request, sni }: ExchangeCopy, variables: Variables): string[] {
  const path = request.head?.path ?? '/';
  const origin = `https://${request.head?.authority ?? sni ?? 'unknown.invalid'}`;
  if (path.search(NOT_PRINTABLE) === -1)
    return [word(plainMarks(path.includes('://') ? path : `${origin}${path}`), variables)];
  return [`--request-target ${word(plainMarks(sendable(path)), variables)}`, word(plainMarks(`${origin}/`), variables)];
}

const sendable = (text: string): string =>
  text.replace(/[\0\r\n]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

const isSendable = (field: HeaderField): boolean => !field.some((text) => NOT_IN_ARGUMENT.test(text));

/** What the command cannot repeat. */
function differences({ request: { head } }: ExchangeCopy): string[] {
  const fields = (head?.headers ?? []).filter((field) => !isSendable(field));
  return [
    ...(NOT_IN_ARGUMENT.test(head?.path ?? '') ? ['the path holds NUL or a line break: percent-encoded here'] : []),
    ...fields.map(([name]) => `header ${name} is left out: it holds NUL or a line break`),
  ];
}

const headerLines = (headers: readonly HeaderField[], variables: Variables): string[] =>
  headers
    .filter((field) => !LEFT_OUT.has(field[0]) && !field[0].startsWith(':') && isSendable(field))
    .map(([name, value]) => `-H ${word(value === '' ? `${name};` : `${name}: ${value}`, variables)}`);

/** Line breaks and tabs stay: they stand in quotes, and are harmless. */
const UNSAFE_IN_BODY = new RegExp(`(?:(?![\\n\\t])${UNSAFE.source})+`, 'gu');

/** What gives the body on standard input: `printf` is the shell's own, so that its length has no limit. */
function bodyCommand({ request }: ExchangeCopy, variables: Variables): string | null {
  const { body } = request;
  if (body === null) return null;
  const commands = partsOf(
    body.text,
    UNSAFE_IN_BODY,
    (run) => `printf %s ${word(run, variables, quoted)}`,
    (run) => `printf '${octal(utf8(run))}'`,
  );
  const text = commands.length > 1 ? `{ ${commands.join('; ')}; }` : (commands[0] ?? `printf %s ''`);
  return body.encoding === 'base64' ? `${text} | base64 -d` : text;
}

/** Lines of a POSIX shell script. */
export function curlCommand(exchange: ExchangeCopy): string[] {
  const variables = new Variables();
  const { head } = exchange.request;
  const body = bodyCommand(exchange, variables);
  const options = [
    head?.httpVersion === '2' ? '--http2' : '--http1.1',
    `-X ${quotedHead(sendable(head?.method ?? 'GET'))}`,
    ...headerLines(head?.headers ?? [], variables),
    '--compressed',
    ...(body === null ? [] : ['--data-binary @-']),
    ...addressOptions(exchange, variables),
  ];
  const told = exchange.notes.filter((note) => note.startsWith('request'));
  const notes = [...told, ...differences(exchange)].map((note) => `# ${visible(note)}`);
  const curl = `curl -sS ${options.join(' \\\n  ')}`;
  return [...notes, ...variables.lines(), body === null ? curl : `${body} |\n${curl}`];
}
