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
const SOUGHT_STATUS = /HTTP\/1\.[01] [1-5]\d\d(?: [\x20-\x7e\x80-\xff]*)?$/;

/**
 * Finds a start line that ends where `line` ends, whatever stands before it (the end of a body whose start was missed has
 * no line end of its own). `before` is the number of bytes in front of it.
 */
export function seekStartLine(line: string, kind: Kind | undefined): { start: StartLine; before: number } | undefined {
  if (!line.includes('HTTP/1.')) return undefined;
  if (kind !== 'request') {
    const at = SOUGHT_STATUS.exec(line)?.index ?? -1;
    const start = at < 0 ? undefined : parseStatusLine(line.slice(at));
    if (start !== undefined) return { start, before: at };
  }
  if (kind === 'response') return undefined;
  const at = SOUGHT_REQUEST.exec(line)?.index ?? -1;
  const start = at < 0 ? undefined : parseRequestLine(line.slice(at));
  return start && { start, before: at };
}

// Name: token. White space before the colon is forbidden (RFC 9112 §5.1) but seen; it is accepted here and reported there.
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)([ \t]*):[ \t]*(.*?)[ \t]*$/s;

export interface FieldLine {
  readonly field: HeaderField;
  readonly hasSpaceBeforeColon: boolean;
}

export function parseFieldLine(line: string): FieldLine | undefined {
  const [, name, space, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return { field: [name.toLowerCase(), value], hasSpaceBeforeColon: space !== '' };
}

/** Size in a chunk-size line, extensions ignored (RFC 9112 §7.1); undefined when there is none or it is absurd. */
export function parseChunkSize(line: string): number | undefined {
  const digits = /^[ \t]*([0-9a-f]{1,12})[ \t]*(?:;.*)?$/is.exec(line)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
