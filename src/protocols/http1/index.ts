// HTTP/1.0 and HTTP/1.1 (RFC 9112) as a protocol row: recognised by a start line in either direction.

import { latin1 } from '../../bytes/index.ts';
import type { Peek, Protocol } from '../protocol.ts';
import { Http1Connection } from './connection.ts';
import { parseStartLine, seekStartLine } from './syntax.ts';

export { beginsWithRequest } from './syntax.ts';

const LF = 0x0a;
/** Start of a request line or of a status line that is not complete yet. */
const PARTIAL =
  /^[\r\n]*(?:[A-Z]{1,20}|[A-Z]{1,20} \S*|[A-Z]{1,20} \S+ H?T?T?P?\/?1?\.?[01]?\r?|H(?:T(?:T(?:P(?:\/(?:1(?:\..*)?)?)?)?)?)?)$/;

function peekDirection(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const lines = latin1(bytes).split('\n');
  const last = lines.pop() ?? '';
  for (const line of lines) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (parseStartLine(text, undefined) !== undefined || seekStartLine(text, undefined) !== undefined) return 'yes';
  }
  if (bytes.length === 0) return 'more';
  return bytes.indexOf(LF) < 0 && PARTIAL.test(last) ? 'more' : 'no';
}

function peek({ out, in: received }: Peek): 'yes' | 'no' | 'more' {
  const outAnswer = peekDirection(out);
  if (outAnswer === 'yes') return 'yes';
  const inAnswer = peekDirection(received);
  if (inAnswer === 'yes') return 'yes';
  return outAnswer === 'more' || inAnswer === 'more' ? 'more' : 'no';
}

export const http1: Protocol = { name: 'http/1', peek, open: (info) => new Http1Connection(info) };
