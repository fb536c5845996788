// An exchange as a shell command that sends the request again. Secrets have been replaced by then; each becomes a variable of
// the shell, to be set by whoever may: the command itself can be shown.

import type { ExchangeCopy, HeaderField } from '../../model/index.ts';

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

/** One word of the shell: text in single quotes, secrets as variables in double quotes. */
function word(text: string, variables: Variables): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(SECRET)) {
    if (match.index > at) parts.push(quoted(text.slice(at, match.index)));
    parts.push(`"$${variables.nameOf(match[1] ?? '', match[2] ?? '')}"`);
    at = match.index + match[0].length;
  }
  if (at < text.length || parts.length === 0) parts.push(quoted(text.slice(at)));
  return parts.join('');
}

/** Redaction of an address writes `<` and `>` as they are or percent-encoded. */
const plainMarks = (url: string): string =>
  url.replace(/%3C([a-z0-9-]+)%20%23([0-9a-f]+)%3E/gi, (_, kind: string, print: string) => `<${kind} #${print}>`);

function urlOf({ request, sni }: ExchangeCopy): string {
  const path = request.head?.path ?? '/';
  if (path.includes('://')) return plainMarks(path);
  return plainMarks(`https://${request.head?.authority ?? sni ?? 'unknown.invalid'}${path}`);
}

const headerLines = (headers: readonly HeaderField[], variables: Variables): string[] =>
  headers
    .filter(([name]) => !LEFT_OUT.has(name) && !name.startsWith(':'))
    .map(([name, value]) => `-H ${word(value === '' ? `${name};` : `${name}: ${value}`, variables)}`);

/** What gives the body on standard input: `printf` is the shell's own, so that its length has no limit. */
function bodyCommand({ request }: ExchangeCopy, variables: Variables): string | null {
  const { body } = request;
  if (body === null) return null;
  const text = `printf %s ${word(body.text, variables)}`;
  return body.encoding === 'base64' ? `${text} | base64 -d` : text;
}

/** Lines of a POSIX shell script. */
export function curlCommand(exchange: ExchangeCopy): string[] {
  const variables = new Variables();
  const { head } = exchange.request;
  const body = bodyCommand(exchange, variables);
  const options = [
    head?.httpVersion === '2' ? '--http2' : '--http1.1',
    `-X ${quoted(head?.method ?? 'GET')}`,
    ...headerLines(head?.headers ?? [], variables),
    '--compressed',
    ...(body === null ? [] : ['--data-binary @-']),
    word(urlOf(exchange), variables),
  ];
  const notes = exchange.notes.filter((note) => note.startsWith('request')).map((note) => `# ${note}`);
  const curl = `curl -sS ${options.join(' \\\n  ')}`;
  return [...notes, ...variables.lines(), body === null ? curl : `${body} |\n${curl}`];
}
