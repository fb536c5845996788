// What frames mean for exchanges (RFC 9113 §5.1, §8): pairs both directions by stream, tells heads from trailers and
// informational responses, ends, resets, pushes. Knows which direction is the client's; nothing of frames or HPACK.
//
// Every exchange begins with a request-head and every side with its head; where a hole or a late join hid it, a head of
// which nothing is known stands in, and is amended if the true one turns up.
//
// LIMITS: those of stream.ts and amendments.ts; MAX_GOAWAYS of each side are followed.

import type { Dir, RequestHead, ResponseHead, Side } from '../../model/index.ts';
import type { ProtoEvent } from '../protocol.ts';
import { Amendments } from './amendments.ts';
import type { FrameFault } from './frame.ts';
import {
  headKind,
  learnFromRequest,
  learnFromResponse,
  mayBeHead,
  requestHead,
  responseHead,
  trailerFields,
  UNKNOWN_REQUEST,
  UNKNOWN_RESPONSE,
} from './head.ts';
import type { HeaderBlock } from './header-blocks.ts';
import { MAX_STREAMS, type Stream, type StreamSide, StreamTable } from './stream.ts';

/** RFC 9113 §7: the request was not processed at all. */
const REFUSED_STREAM = 0x7;
/** A server sends two when it shuts down with care (§6.8). Each costs a look at all open streams. */
const MAX_GOAWAYS = 64;

/** The fewest that a head begins with (RFC 9113 §8.3.1, §8.3.2); a CONNECT has two, but never ends its stream. */
const REQUEST_PSEUDO_FIELDS = 3;
const RESPONSE_PSEUDO_FIELDS = 1;

const otherDir = (dir: Dir): Dir => (dir === 'out' ? 'in' : 'out');

export class Exchanges {
  private readonly streams = new StreamTable();
  private readonly clientDir: Dir;
  private readonly emit: (event: ProtoEvent) => void;
  private readonly amendments: Amendments;
  /** True while no stream can have been opened unseen: both directions whole, no hole so far. */
  private pastKnown: boolean;
  /** Last stream named by each side's GOAWAY: it may only fall (§6.8), so repetitions cost nothing. And how often it fell. */
  private readonly goawayAt: Record<Dir, number> = { out: Number.POSITIVE_INFINITY, in: Number.POSITIVE_INFINITY };
  private readonly goaways: Record<Dir, number> = { out: 0, in: 0 };

  constructor(clientDir: Dir, pastKnown: boolean, emit: (event: ProtoEvent) => void) {
    this.clientDir = clientDir;
    this.pastKnown = pastKnown;
    this.emit = emit;
    this.amendments = new Amendments(clientDir, emit);
  }

  /** RFC 7540 §3.2: the request that switched from HTTP/1 is stream 1, complete. */
  upgraded(): void {
    const { request } = this.open(1);
    request.head = 'seen';
    request.hasEnded = true;
  }

  /** The end of a stream that had more behind a hole was in the hole, or never came: that cannot be told. */
  endOfConnection(): void {
    for (const stream of [...this.streams.all()]) {
      const { request, response } = stream;
      const doubtful = [request, response].some(({ hasEnded, holeBytes }) => !hasEnded && holeBytes !== undefined);
      if (!doubtful) continue;
      if (!request.hasEnded) this.reportHole(stream, 'request');
      if (!response.hasEnded) this.reportHole(stream, 'response');
      this.emit({ type: 'lost', stream: stream.id });
      this.close(stream);
    }
  }

  headers(dir: Dir, block: HeaderBlock): void {
    if (block.promised !== undefined) this.pushed(dir, block, block.promised);
    else if (dir === this.clientDir) this.requestBlock(block);
    else this.responseBlock(block);
  }

  /** The block was not readable: its head stays unknown, but the exchange is known to exist. */
  headersLost(dir: Dir, stream: number, promised: number | undefined, endStream: boolean): void {
    if (promised === 0) return;
    const found = this.find(promised ?? stream);
    if (found === undefined) return;
    const isPush = promised !== undefined;
    if (endStream || isPush) this.end(found, isPush ? 'request' : this.sideOf(dir));
  }

  data(dir: Dir, id: number, bytes: Uint8Array): void {
    const stream = this.find(id);
    if (stream === undefined) return;
    const side = this.sideOf(dir);
    if (!this.acceptsBody(dir, stream, side)) return;
    this.emit({ type: 'body', stream: id, side, bytes });
  }

  dataLost(dir: Dir, id: number, lostBytes: number, isAtMost: boolean): void {
    const stream = this.find(id);
    if (stream === undefined) return;
    const side = this.sideOf(dir);
    if (!this.acceptsBody(dir, stream, side)) return;
    this.emit({ type: 'body-gap', stream: id, side, lostBytes, ...(isAtMost && { atMost: true }) });
  }

  private acceptsBody(dir: Dir, stream: Stream, side: Side): boolean {
    const state = stream[side];
    if (state.hasEnded) this.afterEnd(dir, stream.id);
    else if (!state.sawBody || state.holeBytes !== undefined) {
      this.needHead(stream, side);
      state.sawBody = true;
    }
    return !state.hasEnded;
  }

  dataEnd(dir: Dir, id: number): void {
    const stream = this.find(id);
    if (stream !== undefined) this.end(stream, this.sideOf(dir));
  }

  reset(dir: Dir, id: number, errorCode: number | undefined): void {
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    if (errorCode === undefined) this.emit({ type: 'lost', stream: id });
    else this.emit({ type: 'reset', stream: id, by: dir, errorCode });
    this.close(stream);
  }

  /** Streams above `lastStream` that the other side opened were not and will not be processed (§6.8). */
  goaway(dir: Dir, lastStream: number): void {
    if (lastStream >= this.goawayAt[dir]) return;
    this.goawayAt[dir] = lastStream;
    const count = ++this.goaways[dir];
    if (count > MAX_GOAWAYS) {
      if (count === MAX_GOAWAYS + 1) this.tooManyGoaways(dir);
      return;
    }
    const parity = dir === this.clientDir ? 0 : 1;
    for (const { id } of [...this.streams.all()]) {
      if (id > lastStream && id % 2 === parity) this.reset(dir, id, REFUSED_STREAM);
    }
  }

  private tooManyGoaways(dir: Dir): void {
    const detail = `more than ${MAX_GOAWAYS} GOAWAY frames: later ones are not followed`;
    this.emit({ type: 'wire-error', dir, code: 'h2.goaway', detail, spec: 'RFC 9113 §6.8' });
  }

  /** Frames of unknown streams were lost: each open stream of this direction may miss up to `lostBytes` of its body. */
  hole(dir: Dir, lostBytes: number): void {
    this.pastKnown = false;
    const side = this.sideOf(dir);
    for (const stream of this.streams.all()) {
      if (!stream[side].hasEnded) stream[side].holeBytes = (stream[side].holeBytes ?? 0) + lostBytes;
    }
  }

  private sideOf(dir: Dir): Side {
    return dir === this.clientDir ? 'request' : 'response';
  }

  /** The stream of a frame; a new one where its beginning was not seen; undefined when it has ended. */
  private find(id: number): Stream | undefined {
    const known = this.streams.get(id);
    if (known !== undefined) return known;
    return this.streams.isClosed(id, this.pastKnown) ? undefined : this.open(id);
  }

  private open(id: number): Stream {
    const { stream, dropped } = this.streams.open(id);
    if (dropped === undefined) return stream;
    this.amendments.drop(dropped);
    const detail = `more than ${MAX_STREAMS} open streams: the oldest is given up`;
    this.fault(this.clientDir, { code: 'h2.stream-limit', detail, spec: 'RFC 9113 §5.1.2' }, dropped.id);
    this.emit({ type: 'lost', stream: dropped.id });
    return stream;
  }

  private requestBlock(block: HeaderBlock): void {
    const stream = this.find(block.stream);
    if (stream === undefined) return;
    if (stream.request.hasEnded) {
      this.afterEnd(this.clientDir, block.stream);
      return;
    }
    if (isTrailers(stream.request, block, REQUEST_PSEUDO_FIELDS)) this.trailers(stream, 'request', block);
    else this.requestHead(stream, this.clientDir, block);
    if (block.endStream) this.end(stream, 'request');
  }

  private requestHead(stream: Stream, dir: Dir, block: HeaderBlock): void {
    const { fields, hasUnknown } = block.block;
    if (hasUnknown && learnFromRequest(fields)) this.amendments.tell();
    const head = requestHead(fields);
    const amends = stream.request.head !== 'none';
    stream.request.head = 'seen';
    stream.request.holeBytes = undefined;
    if (head.method === 'CONNECT') stream.connectTo = head.protocol;
    this.amendments.keep(stream, 'request', fields);
    if (!block.isLate && !isWellFormed(head)) this.malformed(dir, stream.id);
    this.emit({ type: 'request-head', stream: stream.id, dir, head, joinedLate: block.isLate, amends });
  }

  /** PUSH_PROMISE: the request that the server imagines, in the server's direction (§8.4). */
  private pushed(dir: Dir, block: HeaderBlock, promised: number): void {
    if (dir === this.clientDir) {
      const detail = 'PUSH_PROMISE from the client';
      this.fault(dir, { code: 'h2.push', detail, spec: 'RFC 9113 §8.4' }, block.stream);
      return;
    }
    const stream = this.find(promised);
    if (stream === undefined || stream.request.hasEnded) return;
    this.requestHead(stream, dir, block);
    this.end(stream, 'request');
  }

  private responseBlock(block: HeaderBlock): void {
    const stream = this.find(block.stream);
    if (stream === undefined) return;
    if (stream.response.hasEnded) {
      this.afterEnd(otherDir(this.clientDir), block.stream);
      return;
    }
    if (isTrailers(stream.response, block, RESPONSE_PSEUDO_FIELDS)) this.trailers(stream, 'response', block);
    else this.responseHead(stream, block);
    if (block.endStream) this.end(stream, 'response');
  }

  private responseHead(stream: Stream, block: HeaderBlock): void {
    const { fields, hasUnknown } = block.block;
    if (hasUnknown && !block.endStream && learnFromResponse(fields)) this.amendments.tell();
    this.needHead(stream, 'request');
    const head = responseHead(fields);
    if (head.status !== null && head.status < 200 && !block.endStream) {
      this.emit({ type: 'informational', stream: stream.id, head });
      return;
    }
    const amends = stream.response.head !== 'none';
    stream.response.head = 'seen';
    stream.response.holeBytes = undefined;
    this.amendments.keep(stream, 'response', fields);
    const dir = otherDir(this.clientDir);
    if (!block.isLate && head.status === null) this.malformed(dir, stream.id);
    this.emit({ type: 'response-head', stream: stream.id, dir, head, joinedLate: block.isLate, amends });
    this.maybeUpgrade(stream, head);
  }

  /** RFC 8441 §5: a 2xx answer to an extended CONNECT; the stream's DATA belongs to the named protocol. */
  private maybeUpgrade(stream: Stream, { status }: ResponseHead): void {
    const { id, connectTo } = stream;
    if (connectTo === undefined || status === null || status < 200 || status > 299) return;
    stream.connectTo = undefined;
    const none = new Uint8Array(0);
    this.emit({ type: 'upgrade', stream: id, to: connectTo, leftOver: { out: none, in: none } });
  }

  private trailers(stream: Stream, side: Side, { block, endStream }: HeaderBlock): void {
    this.needHead(stream, side);
    if (!endStream) {
      const detail = 'a second header block that does not end the stream';
      this.fault(this.dirOf(side), { code: 'h2.trailers', detail, spec: 'RFC 9113 §8.1' }, stream.id);
    }
    this.emit({ type: 'trailers', stream: stream.id, side, ...trailerFields(block.fields) });
  }

  /** Reports what must stand before anything else of this side: the request's head, this side's head, a hole. */
  private needHead(stream: Stream, side: Side): void {
    const { request, response, id } = stream;
    if (request.head === 'none') {
      request.head = 'assumed';
      const dir = id % 2 === 1 ? this.clientDir : otherDir(this.clientDir);
      this.emit({ type: 'request-head', stream: id, dir, head: UNKNOWN_REQUEST, joinedLate: true, amends: false });
    }
    if (side === 'response' && response.head === 'none') {
      response.head = 'assumed';
      const dir = otherDir(this.clientDir);
      this.emit({ type: 'response-head', stream: id, dir, head: UNKNOWN_RESPONSE, joinedLate: true, amends: false });
    }
    this.reportHole(stream, side);
  }

  private reportHole(stream: Stream, side: Side): void {
    const { holeBytes: lostBytes } = stream[side];
    if (lostBytes === undefined) return;
    stream[side].holeBytes = undefined;
    if (lostBytes > 0) this.emit({ type: 'body-gap', stream: stream.id, side, lostBytes, atMost: true });
  }

  private end(stream: Stream, side: Side): void {
    const state = stream[side];
    if (state.hasEnded) {
      this.afterEnd(this.dirOf(side), stream.id);
      return;
    }
    this.needHead(stream, side);
    if (side === 'response') this.endUnseenRequest(stream);
    state.hasEnded = true;
    this.emit({ type: 'side-end', stream: stream.id, side });
    if (stream.request.hasEnded && stream.response.hasEnded) this.close(stream);
  }

  /** A complete response to a request whose end lies before joining or in a hole: the request is over, too. */
  private endUnseenRequest(stream: Stream): void {
    if (this.pastKnown) return;
    const { id, request } = stream;
    if (request.hasEnded || (request.head === 'seen' && request.holeBytes === undefined)) return;
    this.reportHole(stream, 'request');
    request.hasEnded = true;
    this.emit({ type: 'side-end', stream: id, side: 'request' });
  }

  private close(stream: Stream): void {
    this.amendments.drop(stream);
    this.streams.close(stream.id);
  }

  private dirOf(side: Side): Dir {
    return side === 'request' ? this.clientDir : otherDir(this.clientDir);
  }

  private afterEnd(dir: Dir, id: number): void {
    const detail = `frame on stream ${id} after END_STREAM`;
    this.fault(dir, { code: 'h2.closed-stream', detail, spec: 'RFC 9113 §5.1' }, id);
  }

  private malformed(dir: Dir, id: number): void {
    const detail = 'a required pseudo-field is missing or invalid';
    this.fault(dir, { code: 'h2.malformed-head', detail, spec: 'RFC 9113 §8.3' }, id);
  }

  private fault(dir: Dir, { code, detail, spec }: FrameFault, stream: number): void {
    this.emit({ type: 'wire-error', stream, dir, code, detail, spec });
  }
}

/** §8.3.1, without what only an endpoint can know. */
function isWellFormed({ method, scheme, path, protocol }: RequestHead): boolean {
  if (method === null) return false;
  return method === 'CONNECT' && protocol === undefined
    ? scheme === null && path === null
    : scheme !== null && path !== null;
}

/**
 * A later block of a side is its trailers. Where the head may have been missed, a block without known pseudo-fields is a
 * head only if it may be one and either does not end the stream or no body came before it.
 */
function isTrailers(side: StreamSide, { block, endStream }: HeaderBlock, pseudoFields: number): boolean {
  if (headKind(block.fields) !== undefined) return false;
  if (!mayBeHead(block.fields, pseudoFields)) return side.head !== 'none' || side.sawBody || endStream;
  return endStream && (side.head === 'seen' || side.sawBody);
}
