// Whether a connection speaks HTTP/2 (RFC 9113 §3.4): by the preface and the server's first SETTINGS, or, joined late, by
// a provable chain of frames in either direction. Pure.

import type { Peek } from '../protocol.ts';
import { BoundarySearch, matchPreface, SEARCH_BYTES, type Verdict } from './boundary.ts';
import { FRAME, HEADER_BYTES, isConforming, newFrameHeader, readFrameHeader } from './frame.ts';

export function peek(seen: Peek): Verdict {
  const out = peekDirection(seen.out, seen.outWhole);
  const into = peekDirection(seen.in, seen.inWhole);
  if (out === 'no' || into === 'no') return 'no';
  return out === 'yes' || into === 'yes' ? 'yes' : 'more';
}

function peekDirection(bytes: Uint8Array, isWhole: boolean): Verdict {
  if (bytes.length === 0) return 'more';
  return isWhole ? peekStart(bytes) : peekMiddle(bytes);
}

/** The first bytes of a direction: the client's preface, or SETTINGS, which every server sends first. */
function peekStart(bytes: Uint8Array): Verdict {
  const preface = matchPreface(bytes, 0);
  return preface === 'no' ? peekSettings(bytes) : preface;
}

function peekSettings(bytes: Uint8Array): Verdict {
  const start = new Uint8Array(HEADER_BYTES);
  start.set(bytes.subarray(0, HEADER_BYTES));
  if (bytes.length < HEADER_BYTES)
    return start[0] === 0 && (bytes.length < 4 || start[3] === FRAME.settings) ? 'more' : 'no';
  const header = newFrameHeader();
  readFrameHeader(start, 0, header);
  return header.type === FRAME.settings && header.flags === 0 && isConforming(header) ? 'yes' : 'no';
}

/** A chain from the first byte or from anywhere; bulk that holds none in a whole search window is something else. */
function peekMiddle(bytes: Uint8Array): Verdict {
  if (new BoundarySearch().push(bytes) !== undefined) return 'yes';
  return bytes.length >= SEARCH_BYTES ? 'no' : 'more';
}
