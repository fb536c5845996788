// Heads with unknown names, kept while their exchange is open: when a name becomes certain elsewhere on the connection,
// the head is reported again with what is known now.
//
// LIMITS: MAX_PENDING exchanges; the oldest is forgotten (not amended any more) beyond that.

import type { Dir, RequestHead, ResponseHead, Side } from '../../model/index.ts';
import type { ProtoEvent } from '../protocol.ts';
import { requestHead, responseHead } from './head.ts';
import type { Field } from './hpack/index.ts';
import type { Stream } from './stream.ts';

/** More exchanges than are open at a time in practice; each may hold a header block of MAX_BLOCK_BYTES: 16 MiB in all. */
const MAX_PENDING = 64;

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
  keep(stream: Stream, side: Side, head: RequestHead | ResponseHead, fields: readonly Field[]): void {
    const state = stream[side];
    state.nameless = countNameless(head);
    state.pending = state.nameless > 0 ? fields : undefined;
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
      if (request.pending !== undefined) this.amend(stream, 'request', requestHead(request.pending));
      if (response.pending !== undefined) this.amend(stream, 'response', responseHead(response.pending));
    }
  }

  private amend(stream: Stream, side: Side, head: RequestHead | ResponseHead): void {
    const nameless = countNameless(head);
    if (nameless === stream[side].nameless) return;
    stream[side].nameless = nameless;
    const isFromClient = side === 'request' && stream.id % 2 === 1;
    const dir = isFromClient ? this.clientDir : otherDir(this.clientDir);
    const common = { stream: stream.id, dir, joinedLate: true, amends: true };
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

const countNameless = ({ unknown }: RequestHead | ResponseHead): number =>
  unknown.filter(({ name }) => name === undefined).length;
