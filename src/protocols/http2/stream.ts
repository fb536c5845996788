// The streams of a connection that are still open, bounded, and the ids of those closed lately (RFC 9113 §5.1). Plain
// state; what frames mean is decided in exchanges.ts.
//
// LIMITS: MAX_STREAMS open streams (about 300 octets each); the oldest is given up beyond that.

import type { Field } from './hpack/index.ts';

/** Endpoints allow 100 to a few thousand concurrent streams; more are leftovers whose end was never seen. */
export const MAX_STREAMS = 16_384;
/** Frames of a stream that was reset may still be in flight (§5.1, closed): one round trip's worth of ids. */
const MAX_CLOSED = 4096;

/** One side of an exchange. */
export interface StreamSide {
  /** `assumed`: a head of which nothing was known has been reported, because something followed it. */
  head: 'none' | 'assumed' | 'seen';
  hasEnded: boolean;
  sawBody: boolean;
  /** Upper bound of what a hole may have taken from this side since its last frame; undefined: no hole. */
  holeBytes: number | undefined;
  /** Fields of the head while some are unknown, to report it again when a name is learned. */
  pending: readonly Field[] | undefined;
  /** Fields of the head, as last reported, whose name is unknown. */
  nameless: number;
  /** How often the head was reported again. */
  amended: number;
}

export interface Stream {
  readonly id: number;
  readonly request: StreamSide;
  readonly response: StreamSide;
  /** `:protocol` of an extended CONNECT that waits for its answer. */
  connectTo: string | undefined;
}

const newSide = (): StreamSide => ({
  head: 'none',
  hasEnded: false,
  sawBody: false,
  holeBytes: undefined,
  pending: undefined,
  nameless: 0,
  amended: 0,
});

export class StreamTable {
  private readonly streams = new Map<number, Stream>();
  private readonly closed = new Set<number>();
  /** Highest id seen, even and odd. */
  private readonly highest = [0, 0];
  private last: Stream | undefined;

  get size(): number {
    return this.streams.size;
  }

  get(id: number): Stream | undefined {
    if (this.last?.id === id) return this.last;
    this.last = this.streams.get(id);
    return this.last;
  }

  all(): Iterable<Stream> {
    return this.streams.values();
  }

  /** True for a stream that ended; `pastKnown`: no stream can have been opened unseen. */
  isClosed(id: number, pastKnown: boolean): boolean {
    return this.closed.has(id) || (pastKnown && id <= (this.highest[id & 1] as number) && !this.streams.has(id));
  }

  /** Opens a stream; returns the one that was given up for it, if the table was full. */
  open(id: number): { stream: Stream; dropped: Stream | undefined } {
    const stream: Stream = { id, request: newSide(), response: newSide(), connectTo: undefined };
    const dropped = this.streams.size >= MAX_STREAMS ? this.oldest() : undefined;
    if (dropped !== undefined) this.close(dropped.id);
    this.streams.set(id, stream);
    this.highest[id & 1] = Math.max(this.highest[id & 1] as number, id);
    return { stream, dropped };
  }

  close(id: number): void {
    this.streams.delete(id);
    if (this.last?.id === id) this.last = undefined;
    this.closed.add(id);
    if (this.closed.size <= MAX_CLOSED) return;
    for (const oldest of this.closed) {
      this.closed.delete(oldest);
      return;
    }
  }

  private oldest(): Stream | undefined {
    for (const stream of this.streams.values()) return stream;
    return undefined;
  }
}
