// Messages that wait on disk for their server, oldest first, in numbered segments of a directory that only their owner can
// read. What is in here has been redacted like everything that leaves the tracer.
//
// Policy when it is full, or its disk is: the oldest segment goes, its messages are counted. What the disk does not take
// even then is given up, and counted. A segment is deleted when all its messages
// were confirmed; one that was read and not yet confirmed stays, so that a tracer that is killed sends it again (with the
// same ids). Nothing here blocks: writes are queued and run one after the other.

import { constants, readdirSync, statSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outgoing } from './message.ts';
import { decodeSegment, encodeWaiting, SEGMENT_MAGIC } from './spool-segment.ts';

/** Small enough to be read whole, large enough that a full spool has few files. */
export const SEGMENT_BYTES = 1024 * 1024;
/** First segment of an empty spool: there is room below it for what comes back. */
const FIRST_SEGMENT = 1_000_000_000;
/** What comes back is written here before it takes its place. */
const FRONT = 'front.tmp';
/** What `write` says when there is no room. */
const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const NAME = /^(\d{12})\.seg$/;

const nameOf = (segment: number): string => `${String(segment).padStart(12, '0')}.seg`;

/** Numbers of the segments in a spool directory, oldest first. */
export const segmentsIn = (dir: string): number[] =>
  readdirSync(dir)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

export interface SpoolHost {
  /** Messages that were given up because the spool was full or its disk was. */
  onDropped(messages: number, bytes: number, why: string): void;
  /** A file whose end could not be read. */
  onDamaged(file: string, bytes: number): void;
}

interface SegmentFile {
  readonly number: number;
  bytes: number;
}

export class Spool {
  readonly #dir: string;
  readonly #maxBytes: number;
  readonly #host: SpoolHost;
  /** Written and not read, oldest first; the last one may be open. */
  readonly #unread: SegmentFile[];
  /** Read and not confirmed, oldest first: older than all of `#unread`. */
  #taken: SegmentFile[] = [];
  /** Frames that no write has begun for. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #file: FileHandle | null = null;
  #isFlushQueued = false;
  /** End of the queue of operations. */
  #tail: Promise<void> = Promise.resolve();
  #nextNumber: number;

  /** The directory exists and belongs to this process alone. */
  constructor(dir: string, maxBytes: number, host: SpoolHost) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
    this.#host = host;
    this.#unread = segmentsIn(dir).map((number) => ({ number, bytes: statSync(join(dir, nameOf(number))).size }));
    this.#nextNumber = (this.#unread.at(-1)?.number ?? FIRST_SEGMENT - 1) + 1;
  }

  /** True when nothing waits that was not taken. */
  isEmpty(): boolean {
    return this.#unread.length === 0 && this.#pending.length === 0;
  }

  /** On disk and not confirmed, and what is about to be written. */
  waitingBytes(): number {
    const onDisk = [...this.#taken, ...this.#unread].reduce((sum, { bytes }) => sum + bytes, 0);
    return onDisk + this.#pendingBytes;
  }

  /** Held in memory until the disk has taken it. */
  unwrittenBytes(): number {
    return this.#pendingBytes;
  }

  append(message: Outgoing): void {
    const frame = encodeWaiting(message);
    this.#pending.push(frame);
    this.#pendingBytes += frame.length;
    if (this.#isFlushQueued) return;
    this.#isFlushQueued = true;
    void this.#queue(() => this.#flush());
  }

  /** Messages of the oldest segment, or null when the spool is empty. They stay on disk until `release`. */
  async take(): Promise<readonly Outgoing[] | null> {
    let messages: readonly Outgoing[] | null = null;
    await this.#queue(async () => {
      await this.#flush();
      messages = await this.#takeOldest();
    });
    return messages;
  }

  /** All messages of the oldest taken segment were confirmed. */
  release(): void {
    void this.#queue(async () => {
      const done = this.#taken.shift();
      if (done !== undefined) await this.#remove(done.number);
    });
  }

  /**
   * Writes messages that are older than all that waits into one segment, in the place of those that were taken: to be
   * released once like one of them. Resolves with false when the disk does not take them: then nothing has changed.
   */
  async putBack(unconfirmed: readonly Outgoing[]): Promise<boolean> {
    let isWritten = unconfirmed.length === 0;
    if (isWritten) return true;
    await this.#queue(async () => {
      isWritten = await this.#writeFront(unconfirmed).then(
        () => true,
        () => false,
      );
      if (!isWritten) await rm(join(this.#dir, FRONT), { force: true });
    });
    return isWritten;
  }

  /** Messages that the disk did not take and that nobody will send. */
  giveUp(messages: readonly Outgoing[]): void {
    const bytes = messages.reduce((sum, message) => sum + encodeWaiting(message).length, 0);
    this.#host.onDropped(messages.length, bytes, 'the spool cannot be written');
  }

  /** Ends the spool. What was taken and not released waits for the next process. */
  async close(): Promise<void> {
    await this.#queue(async () => {
      await this.#flush();
      await this.#endSegment();
    });
  }

  #queue(operation: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(operation);
    this.#tail = done.catch((cause: NodeJS.ErrnoException) => this.#failed(cause));
    return this.#tail;
  }

  /** The disk refused: what had to be written is given up and counted, the tracer goes on. */
  #failed(cause: NodeJS.ErrnoException): void {
    const messages = this.#pending.length;
    const bytes = this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isFlushQueued = false;
    // A segment may end in half a message now: nothing more is written behind it.
    void this.#queue(() => this.#endSegment());
    if (messages > 0) this.#host.onDropped(messages, bytes, cause.code ?? cause.message);
  }

  async #flush(): Promise<void> {
    this.#isFlushQueued = false;
    while (this.#pending.length > 0) {
      try {
        await this.#writeSome(this.#file ?? (await this.#startSegment()));
      } catch (cause) {
        await this.#endTorn();
        const { code = '' } = cause as NodeJS.ErrnoException;
        if (!DISK_FULL.has(code) || !(await this.#dropOldest(code))) throw cause;
      }
      await this.#makeRoom();
    }
  }

  async #writeSome(file: FileHandle): Promise<void> {
    const frames = this.#framesThatFit(SEGMENT_BYTES - (this.#unread.at(-1)?.bytes ?? 0));
    await writeAll(file, Buffer.concat(frames));
    if (this.#written(frames.length) >= SEGMENT_BYTES) await this.#endSegment();
  }

  /** The first frames that waited are in the open segment now, which has the size that is given back. */
  #written(count: number): number {
    const bytes = this.#pending.splice(0, count).reduce((sum, frame) => sum + frame.length, 0);
    this.#pendingBytes -= bytes;
    const segment = this.#unread.at(-1);
    if (segment === undefined) return 0;
    segment.bytes += bytes;
    return segment.bytes;
  }

  /** Ends the open segment behind the last message that it has whole: what it holds was not given up, and the reverse. */
  async #endTorn(): Promise<void> {
    const [file, segment] = [this.#file, this.#unread.at(-1)];
    if (file === null || segment === undefined) return;
    const { size } = await file.stat();
    let [count, end] = [0, segment.bytes];
    for (const { length } of this.#pending) {
      if (end + length > size) break;
      count += 1;
      end += length;
    }
    this.#written(count);
    await file.truncate(end);
    await this.#endSegment();
  }

  /** At least one frame: a message may be larger than a segment. */
  #framesThatFit(room: number): readonly Uint8Array[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#pending.length && (count === 0 || bytes < room)) bytes += this.#pending[count++]?.length ?? 0;
    return this.#pending.slice(0, count);
  }

  async #startSegment(): Promise<FileHandle> {
    const number = this.#nextNumber;
    const file = await openNew(join(this.#dir, nameOf(number)));
    this.#nextNumber += 1;
    try {
      await writeAll(file, SEGMENT_MAGIC);
    } catch (cause) {
      await file.close();
      await this.#remove(number);
      throw cause;
    }
    this.#file = file;
    this.#unread.push({ number, bytes: SEGMENT_MAGIC.length });
    return file;
  }

  async #endSegment(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  /** Oldest first, but never what is being sent and never the segment that is being written. */
  async #makeRoom(): Promise<void> {
    while (this.waitingBytes() - this.#pendingBytes > this.#maxBytes && this.#unread.length > 1)
      await this.#dropOldest('spool full');
  }

  /** False when there is none. */
  async #dropOldest(why: string): Promise<boolean> {
    const oldest = this.#unread.shift();
    if (oldest === undefined) return false;
    const { messages } = decodeSegment(await readFile(join(this.#dir, nameOf(oldest.number))));
    await this.#remove(oldest.number);
    this.#host.onDropped(messages.length, oldest.bytes, why);
    return true;
  }

  async #takeOldest(): Promise<readonly Outgoing[] | null> {
    const oldest = this.#unread.shift();
    if (oldest === undefined) return null;
    if (this.#unread.length === 0) await this.#endSegment();
    this.#taken.push(oldest);
    const path = join(this.#dir, nameOf(oldest.number));
    const bytes = await readFile(path).catch(() => new Uint8Array());
    const { messages, damagedBytes } = decodeSegment(bytes);
    if (damagedBytes > 0 || bytes.length === 0)
      this.#host.onDamaged(path, Math.max(damagedBytes, oldest.bytes - bytes.length));
    return messages;
  }

  async #writeFront(messages: readonly Outgoing[]): Promise<void> {
    const front = this.#taken[0]?.number ?? this.#numberBeforeUnread();
    const scratch = join(this.#dir, FRONT);
    await rm(scratch, { force: true });
    const file = await openNew(scratch);
    const content = Buffer.concat([SEGMENT_MAGIC, ...messages.map(encodeWaiting)]);
    await writeAll(file, content).finally(() => file.close());
    await rename(scratch, join(this.#dir, nameOf(front)));
    for (const { number } of this.#taken.slice(1)) await this.#remove(number);
    this.#taken = [{ number: front, bytes: content.length }];
  }

  #numberBeforeUnread(): number {
    const first = this.#unread[0];
    if (first !== undefined) return first.number - 1;
    this.#nextNumber += 1;
    return this.#nextNumber - 1;
  }

  #remove(segment: number): Promise<void> {
    return rm(join(this.#dir, nameOf(segment)), { force: true });
  }
}

const openNew = (path: string): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let at = 0;
  while (at < bytes.length) at += (await file.write(bytes, at)).bytesWritten;
}
