// Lines of HTTP/1 heads (RFC 9112 §3, §4, §5) as values. Tolerant where RFC 9112 lets a recipient be, silent where a line
// is not what it should be: the caller knows the context and reports.

import type { HeaderField } from '../../model/index.ts';

export interface RequestLine {
  readonly kind: 'request';
  readonly method: string;
  readonly target: string;
  readonly version: '1.0' | '1.1';
}

export interface StatusLine {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
  readonly version: '1.0' | '1.1';
}

export type StartLine = RequestLine | StatusLine;
export type Kind = StartLine['kind'];

// RFC 9112 §3: one space between the parts; §3.2 lets a recipient take more white space. Method: token (RFC 9110 §5.6.2).
const REQUEST = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32})[ \t]+(\S+)[ \t]+HTTP\/1\.([01])[ \t]*$/;
const STATUS = /^HTTP\/1\.([01])[ \t]+([1-5]\d\d)(?:[ \t](.*))?$/s;

export function parseRequestLine(line: string): RequestLine | undefined {
  const [, method, target, minor] = REQUEST.exec(line) ?? [];
  if (method === undefined || target === undefined) return undefined;
  return { kind: 'request', method, target, version: minor === '0' ? '1.0' : '1.1' };
}

export function parseStatusLine(line: string): StatusLine | undefined {
  const [, minor, status, reason] = STATUS.exec(line) ?? [];
  if (status === undefined) return undefined;
  return { kind: 'response', status: Number(status), reason: reason ?? '', version: minor === '0' ? '1.0' : '1.1' };
}

/** Parses a start line of the given kind, or of either when the kind is not known yet. */
export function parseStartLine(line: string, kind: Kind | undefined): StartLine | undefined {
  if (kind === 'request') return parseRequestLine(line);
  if (kind === 'response') return parseStatusLine(line);
  return parseStatusLine(line) ?? parseRequestLine(line);
}

/**
 * Methods that a request line found behind unknown bytes may have: there, any token would be too weak a proof, and `ET` what
 * a hole has left of `GET`. None is the end of another.
 */
const KNOWN_METHODS = 'GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE|PROPFIND|REPORT|QUERY';
const SOUGHT_REQUEST = new RegExp(`(?:${KNOWN_METHODS}) (?:/\\S*|https?://\\S+|\\*|[\\w.-]+:\\d+) HTTP/1\\.[01]$`);
const REQUEST_START = new RegExp(`^[\\r\\n]*(?:${KNOWN_METHODS}) \\S+ HTTP/1\\.[01]\\r?\\n`);
const ANY_REQUEST_START = /^[\r\n]*[A-Z]{1,20} \S+ HTTP\/1\.[01]\r?\n/;

/** Whether the first bytes of a direction are a request line; `isAligned`: they are known to be the first, so any method will do. */
export const beginsWithRequest = (head: string, isAligned: boolean): boolean =>
  (isAligned ? ANY_REQUEST_START : REQUEST_START).test(head);
/** A status line up to its reason phrase, which goes to the end of the line (RFC 9112 §4). */
const SOUGHT_STATUS = /HTTP\/1\.[01] [1-5]\d\d(?: |$)/;
const DEL = 0x7f;

/** Index behind the last character that no reason phrase has. Found first: a pattern would read on to it from every `HTTP/1.`. */
function reasonStart(line: string): number {
  for (let at = line.length; at > 0; at--) {
    const code = line.charCodeAt(at - 1);
    if (code < 0x20 || code === DEL) return at;
  }
  return 0;
}

/**
 * Finds a start line that ends where `line` ends, whatever stands before it (the end of a body whose start was missed has
 * no line end of its own). `before` is the number of bytes in front of it.
 */
export function seekStartLine(line: string, kind: Kind | undefined): { start: StartLine; before: number } | undefined {
  if (!line.includes('HTTP/1.')) return undefined;
  if (kind !== 'request') {
    const from = reasonStart(line);
    const found = SOUGHT_STATUS.exec(line.slice(from));
    const at = from + (found?.index ?? 0);
    const start = found === null ? undefined : parseStatusLine(line.slice(at));
    if (start !== undefined) return { start, before: at };
  }
  if (kind === 'response') return undefined;
  const at = SOUGHT_REQUEST.exec(line)?.index ?? -1;
  const start = at < 0 ? undefined : parseRequestLine(line.slice(at));
  return start && { start, before: at };
}

// Name: token. White space before the colon is forbidden (RFC 9112 §5.1) but seen; it is accepted here and reported there.
const FIELD_NAME = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)([ \t]*):/;
const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\t';

/** Without the white space that RFC 9112 §5 lets stand around a value. A pattern would be quadratic in spaces inside. */
export function withoutSpace(text: string): string {
  let [from, to] = [0, text.length];
  while (isSpace(text[from])) from++;
  while (to > from && isSpace(text[to - 1])) to--;
  return text.slice(from, to);
}

export interface FieldLine {
  readonly field: HeaderField;
  readonly hasSpaceBeforeColon: boolean;
}

export function parseFieldLine(line: string): FieldLine | undefined {
  const [head, name, space] = FIELD_NAME.exec(line) ?? [];
  if (head === undefined || name === undefined) return undefined;
  return { field: [name.toLowerCase(), withoutSpace(line.slice(head.length))], hasSpaceBeforeColon: space !== '' };
}

/** Size in a chunk-size line, extensions and leading zeros ignored (RFC 9112 §7.1); undefined when there is none or it is absurd. */
export function parseChunkSize(line: string): number | undefined {
  const digits = /^[ \t]*0*([0-9a-f]{1,12})[ \t]*(?:;.*)?$/is.exec(line)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
