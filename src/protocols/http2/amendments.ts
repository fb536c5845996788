// Heads with unknown names, kept while their exchange is open: when a name becomes certain elsewhere on the connection,
// the head is reported again with what is known now.
//
// LIMITS: MAX_PENDING exchanges; the oldest is forgotten (not amended any more) beyond that. Heads of more than MAX_FIELDS are not
// amended, others MAX_AMENDED times: each name that is learned costs a look at all kept heads.

import type { Dir, RequestHead, ResponseHead, Side } from '../../model/index.ts';
import type { ProtoEvent } from '../protocol.ts';
import { requestHead, responseHead } from './head.ts';
import { type Field, UnknownRef } from './hpack/index.ts';
import type { Stream, StreamSide } from './stream.ts';

/** More exchanges than are open at a time in practice. */
const MAX_PENDING = 64;
/** Browsers send 20 to 40 fields, and a cookie in some dozen pieces. */
const MAX_FIELDS = 128;
/** Only names of pseudo-fields are ever learned: a well-formed head has four of them. */
const MAX_AMENDED = 8;

const otherDir = (dir: Dir): Dir => (dir === 'out' ? 'in' : 'out');

export class Amendments {
  private readonly pending = new Set<Stream>();
  private readonly clientDir: Dir;
  private readonly emit: (event: ProtoEvent) => void;

  constructor(clientDir: Dir, emit: (event: ProtoEvent) => void) {
    this.clientDir = clientDir;
    this.emit = emit;
  }

  /** Remembers a head as it was reported, if names in it are unknown. */
  keep(stream: Stream, side: Side, fields: readonly Field[]): void {
    const state = stream[side];
    state.nameless = countNameless(fields);
    state.amended = 0;
    state.pending = state.nameless > 0 && fields.length <= MAX_FIELDS ? fields : undefined;
    if (state.pending === undefined) return;
    this.pending.add(stream);
    if (this.pending.size > MAX_PENDING) this.dropOldest();
  }

  drop(stream: Stream): void {
    this.pending.delete(stream);
  }

  /** A name was learned: reports every kept head that shows it. */
  tell(): void {
    for (const stream of this.pending) {
      const { request, response } = stream;
      if (this.hasLearned(request)) this.report(stream, 'request', requestHead(request.pending ?? []));
      if (this.hasLearned(response)) this.report(stream, 'response', responseHead(response.pending ?? []));
    }
  }

  /** Whether a kept head has fewer unknown names than when it was last reported. */
  private hasLearned(state: StreamSide): boolean {
    if (state.pending === undefined) return false;
    const nameless = countNameless(state.pending);
    if (nameless === state.nameless) return false;
    state.nameless = nameless;
    return ++state.amended <= MAX_AMENDED;
  }

  private report({ id }: Stream, side: Side, head: RequestHead | ResponseHead): void {
    const isFromClient = side === 'request' && id % 2 === 1;
    const dir = isFromClient ? this.clientDir : otherDir(this.clientDir);
    const common = { stream: id, dir, joinedLate: true, amends: true };
    if ('method' in head) this.emit({ type: 'request-head', head, ...common });
    else this.emit({ type: 'response-head', head, ...common });
  }

  private dropOldest(): void {
    for (const stream of this.pending) {
      this.pending.delete(stream);
      stream.request.pending = undefined;
      stream.response.pending = undefined;
      return;
    }
  }
}

function countNameless(fields: readonly Field[]): number {
  let nameless = 0;
  for (const field of fields) if (field instanceof UnknownRef && field.name === null) nameless++;
  return nameless;
}
