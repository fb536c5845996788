// One direction of an HTTP/1 connection: start lines, heads, bodies (RFC 9112 §2 to §7), cut anywhere, with holes. Which
// request a response answers, and so how long it is, is the host's knowledge.
//
// Invariant between calls: `#state` says what the next byte is; only an unfinished line (bounded) is kept.

import { LINE_MORE, LINE_TOO_LONG, LineReader, latin1 } from '../../bytes/index.ts';
import type { HeaderField } from '../../model/index.ts';
import { FieldSection } from './field-section.ts';
import type { Framing } from './framing.ts';
import { CHUNK_LINE_LIMIT_BYTES, LINE_LIMIT_BYTES } from './limits.ts';
import { StartSeeker } from './start-seeker.ts';
import { type Kind, parseChunkSize, parseStartLine, type StartLine } from './syntax.ts';

export interface MessageHead {
  readonly start: StartLine;
  readonly headers: readonly HeaderField[];
  /** How the start line was reached: in sequence, as the first bytes after joining or a hole, or behind unknown bytes. */
  readonly found: 'in-sequence' | 'at-once' | 'sought';
}

export interface ReaderHost {
  /** A head is complete: how does its body go? */
  head(head: MessageHead): Framing;
  body(bytes: Uint8Array): void;
  bodyGap(lostBytes: number): void;
  trailers(headers: readonly HeaderField[]): void;
  /** The message is complete. */
  complete(): void;
  /** Messages may be missing here; `inMessage`: the one whose head was given will not be completed. */
  broken(inMessage: boolean): void;
  problem(code: string, detail: string, spec: string): void;
  /** `demandStart` was not met: what came is not a status line. */
  startMissed(): void;
}

type State =
  | 'seek'
  | 'start'
  | 'fields'
  | 'length'
  | 'chunk-size'
  | 'chunk-data'
  | 'chunk-end'
  | 'trailers'
  | 'until-close'
  | 'switched';

const STATUS_PREFIX = 'HTTP/1.';
const HEAD_STATES: ReadonlySet<State> = new Set(['seek', 'start', 'fields']);

export class MessageReader {
  readonly #host: ReaderHost;
  readonly #lines = new LineReader(LINE_LIMIT_BYTES);
  readonly #seeker: StartSeeker;
  /** What starts in this direction; undefined until the first start line of either direction. */
  kind: Kind | undefined;
  #state: State = 'seek';
  #start: StartLine | undefined;
  #section = new FieldSection();
  #found: MessageHead['found'] = 'in-sequence';
  /** Bytes left of a body of known length or of a chunk. */
  #left = 0;
  /** The next bytes must be a status line, or the host is told. Only while seeking. */
  #isStartDemanded = false;
  /** Set by the host in `complete`: the bytes behind this message may not be HTTP, reading stops until it is unset. */
  isHeld = false;

  /** `isWhole`: the first byte of the direction is seen. */
  constructor(host: ReaderHost, isWhole: boolean) {
    this.#host = host;
    this.#seeker = new StartSeeker(isWhole);
  }

  get isSeeking(): boolean {
    return this.#state === 'seek';
  }

  get isSwitched(): boolean {
    return this.#state === 'switched';
  }

  get soughtBytes(): number {
    return this.#state === 'seek' ? this.#seeker.passedBytes : 0;
  }

  /** A request was sent, nothing else is due: the next bytes must be a status line, whatever was being sought so far. */
  demandStart(): void {
    if (this.#state === 'start' && this.#hasSurplus())
      this.#fail('h1.start-line', 'bytes behind a body', 'RFC 9112 §3');
    if (this.#state !== 'seek') return;
    this.#seeker.begin(true);
    this.#isStartDemanded = true;
  }

  /** Bytes behind a complete message that cannot become a status line. */
  #hasSurplus(): boolean {
    const held = this.#lines.held;
    return held.length > 0 && !STATUS_PREFIX.startsWith(latin1(held.subarray(0, STATUS_PREFIX.length)));
  }

  /** Returns the index of the first byte that was not read: less than the length only when held or switched. */
  data(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length && this.#state !== 'switched' && !this.isHeld) at = this.#step(bytes, at);
    return at;
  }

  gap(lostBytes: number): void {
    if (this.#state === 'until-close') {
      this.#host.bodyGap(lostBytes);
      return;
    }
    const isCounted = this.#state === 'length' || this.#state === 'chunk-data';
    const inBody = isCounted ? Math.min(lostBytes, this.#left) : 0;
    if (inBody > 0) {
      this.#host.bodyGap(inBody);
      this.#consume(inBody);
    }
    if (inBody < lostBytes) this.#break();
  }

  /** The direction has ended in an orderly way: that completes a body that goes until the close. */
  close(): void {
    if (this.#state === 'until-close') this.#complete();
  }

  #step(bytes: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'seek':
        return this.#seek(bytes, at);
      case 'length':
      case 'chunk-data':
        return this.#countedBody(bytes, at);
      case 'until-close':
        this.#host.body(bytes.subarray(at));
        return bytes.length;
      default:
        return this.#line(bytes, at);
    }
  }

  #seek(bytes: Uint8Array, at: number): number {
    if (this.#isStartDemanded && this.#seeker.cannotBeStatus(bytes.subarray(at))) {
      this.#isStartDemanded = false;
      this.#host.startMissed();
    }
    const next = this.#seeker.read(bytes, at, this.kind);
    const { start, isAtOnce } = this.#seeker;
    if (start !== undefined) this.#openHead(start, isAtOnce ? 'at-once' : 'sought');
    return next;
  }

  #openHead(start: StartLine, found: MessageHead['found']): void {
    this.#start = start;
    this.#found = found;
    this.#section = new FieldSection();
    this.#state = 'fields';
  }

  #line(bytes: Uint8Array, at: number): number {
    const isTooLong = this.#state === 'chunk-size' && this.#lines.held.length > CHUNK_LINE_LIMIT_BYTES;
    const next = isTooLong ? LINE_TOO_LONG : this.#lines.read(bytes, at);
    if (next === LINE_MORE) return bytes.length;
    if (next === LINE_TOO_LONG) {
      this.#fail('h1.line-too-long', `a line of more than ${LINE_LIMIT_BYTES} bytes`, 'RFC 9112 §3');
      return at;
    }
    this.#takeLine(latin1(this.#lines.line));
    return next;
  }

  #takeLine(line: string): void {
    if (this.#state === 'start') this.#startLine(line);
    else if (this.#state === 'fields' || this.#state === 'trailers') this.#fieldLine(line);
    else if (this.#state === 'chunk-size') this.#chunkSize(line);
    else if (line === '') this.#state = 'chunk-size';
    else this.#fail('h1.chunk-end', 'a chunk is not followed by a line end', 'RFC 9112 §7.1');
  }

  /** Empty lines before a start line are ignored (RFC 9112 §2.2). */
  #startLine(line: string): void {
    if (line === '') return;
    const start = parseStartLine(line, this.kind);
    if (start !== undefined) this.#openHead(start, 'in-sequence');
    else this.#fail('h1.start-line', `not a start line: ${JSON.stringify(line.slice(0, 60))}`, 'RFC 9112 §3');
  }

  #fieldLine(line: string): void {
    if (line === '') {
      if (this.#state === 'trailers') this.#endTrailers();
      else this.#endHead();
      return;
    }
    const problem = this.#section.add(line);
    if (problem === undefined) return;
    // A start line behind unknown bytes is proved by its field lines: one that is none says it was text in a body.
    if (this.#state === 'fields' && this.#found === 'sought') this.#beginSeek();
    else if (problem.code === 'h1.head-too-large') this.#fail(problem.code, problem.detail, problem.spec);
    else this.#host.problem(problem.code, problem.detail, problem.spec);
  }

  #endHead(): void {
    const start = this.#start;
    if (start === undefined) return;
    this.kind = start.kind;
    this.#isStartDemanded = false;
    this.#state = 'start';
    const framing = this.#host.head({ start, headers: this.#section.fields, found: this.#found });
    this.#openBody(framing);
  }

  #openBody(framing: Framing): void {
    if (framing.kind === 'none') this.#complete();
    else if (framing.kind === 'chunked') this.#state = 'chunk-size';
    else if (framing.kind === 'until-close') this.#state = 'until-close';
    else if (framing.kind === 'switch') this.#state = 'switched';
    else if (framing.kind === 'unknown') this.#breakOff(true);
    else {
      this.#left = framing.lenBytes;
      this.#state = 'length';
    }
  }

  #countedBody(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#host.body(bytes.subarray(at, end));
    this.#consume(end - at);
    return end;
  }

  #consume(count: number): void {
    this.#left -= count;
    if (this.#left > 0) return;
    if (this.#state === 'length') this.#complete();
    else this.#state = 'chunk-end';
  }

  #chunkSize(line: string): void {
    const size = parseChunkSize(line);
    if (size === undefined) {
      this.#fail('h1.chunk-size', `not a chunk size: ${JSON.stringify(line.slice(0, 40))}`, 'RFC 9112 §7.1');
      return;
    }
    this.#left = size;
    this.#state = size === 0 ? 'trailers' : 'chunk-data';
    if (size === 0) this.#section = new FieldSection();
  }

  #endTrailers(): void {
    if (this.#section.fields.length > 0) this.#host.trailers(this.#section.fields);
    this.#complete();
  }

  #complete(): void {
    this.#state = 'start';
    this.#host.complete();
  }

  #fail(code: string, detail: string, spec: string): void {
    this.#host.problem(code, detail, spec);
    this.#break();
  }

  #break(): void {
    if (this.#state === 'switched') return;
    this.#breakOff(!HEAD_STATES.has(this.#state));
  }

  #breakOff(inMessage: boolean): void {
    this.#beginSeek();
    this.#host.broken(inMessage);
  }

  #beginSeek(): void {
    this.#lines.clear();
    this.#seeker.begin(false);
    this.#isStartDemanded = false;
    this.#state = 'seek';
  }
}
