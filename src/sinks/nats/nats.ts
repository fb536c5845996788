// The NATS sink: events become messages, messages go through the outbox to a server. `accept` is synchronous and cheap
// whatever the server does: what cannot be sent waits on disk (spool.ts says with which bound and policy).

import type { NatsConnection } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import type { HeartbeatEvent, SessionEvent, TraceEvent } from '../../model/index.ts';
import type { OpenSink } from '../sink.ts';
import { counted, bytes as sizeText } from '../terminal/quantity.ts';
import { type Sender, toMessage } from './encoder.ts';
import { Link } from './link.ts';
import { HEADERS, type Outgoing, SCHEMA_VERSION } from './message.ts';
import { Outbox } from './outbox.ts';
import { Publisher } from './publisher.ts';
import type { NatsSinkSettings } from './settings.ts';
import { Spool } from './spool.ts';
import { openSpoolSlot, type SpoolSlot } from './spool-dir.ts';

/** Each is a few hundred bytes; a reader takes a tracer for dead after three that did not come. */
export const HEARTBEAT_MS = 30_000;
/** A source that can wait does so while more than this is unsent. */
const BEHIND_BYTES = 8 * 1024 * 1024;
/** What is still unsent when the server is away at the end stays in the spool; no use waiting longer for it. */
const AWAY_FLUSH_MS = 1_000;

export interface NatsSinkHost {
  readonly log: { info(text: string): void; warn(text: string): void };
}

export interface NatsCounts {
  /** Events handed over. */
  readonly accepted: number;
  /** Messages that the server confirmed; of these, it knew `duplicates` already. */
  readonly published: number;
  readonly duplicates: number;
  readonly trimmed: number;
  readonly dropped: number;
  readonly spooledBytes: number;
}

export interface NatsSink extends OpenSink {
  /** Before the first event. */
  begin(session: SessionEvent): void;
  /** Bytes in memory. */
  backlogBytes(): number;
  /** True when a source that can wait should. */
  isBehind(): boolean;
  /** Resolves when it is not behind any more. */
  drained(): Promise<void>;
  counts(): NatsCounts;
}

class Sink implements NatsSink {
  readonly #settings: NatsSinkSettings;
  readonly #host: NatsSinkHost;
  readonly #slot: SpoolSlot;
  readonly #outbox: Outbox;
  readonly #publisher: Publisher;
  readonly #link: Link;
  readonly #startMs = performance.now();
  #connection: NatsConnection | null = null;
  #sender: Sender | null = null;
  #timer: NodeJS.Timeout | undefined;
  #accepted = 0;
  #trimmed = 0;
  #dropped = 0;
  #heartbeats = 0;
  /** Given up since the last event that said so. */
  #untold = { messages: 0, bytes: 0, why: '' };
  /** The last event's time: when a loss of our own happened. */
  #lastStamp = { time: '', tsNs: '0' };
  #waiters: (() => void)[] = [];

  constructor(settings: NatsSinkSettings, slot: SpoolSlot, host: NatsSinkHost) {
    this.#settings = settings;
    this.#host = host;
    this.#slot = slot;
    const spool = new Spool(slot.dir, settings.spoolBytes, {
      onDropped: (messages, bytes, why) => this.#lost(messages, bytes, why),
      onDamaged: (file, bytes) =>
        host.log.warn(`${file}: the last ${counted(bytes, 'byte')} cannot be read and are left out`),
    });
    this.#outbox = new Outbox(spool);
    const progress = (): void => {
      this.#tellLost();
      this.#wake();
    };
    const warn = (text: string): void => host.log.warn(`NATS: ${text}`);
    this.#publisher = new Publisher(this.#outbox, settings.stream, { warn, onProgress: progress });
    this.#link = new Link(settings, 'tracer', {
      up: (connection) => this.#up(connection),
      down: (why) => this.#down(why),
      away: (why) => warn(`cannot connect (${why}); events wait in ${slot.dir}`),
    });
  }

  async start(): Promise<void> {
    await this.#link.start();
    if (this.#connection !== null) await this.#publisher.check(this.#connection);
  }

  begin(session: SessionEvent): void {
    this.#sender = session;
    this.#timer = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#timer.unref();
    this.#enqueue(session);
    this.#beat();
  }

  accept(event: TraceEvent): void {
    this.#enqueue(event);
  }

  backlogBytes(): number {
    return this.#outbox.memoryBytes();
  }

  isBehind(): boolean {
    return this.#publisher.isFlowing && this.#outbox.memoryBytes() + this.#outbox.spooledBytes() > BEHIND_BYTES;
  }

  async drained(): Promise<void> {
    while (this.isBehind()) await this.#progress();
  }

  async flush(deadlineMs: number): Promise<void> {
    const end = performance.now() + (this.#link.isUp ? deadlineMs : Math.min(deadlineMs, AWAY_FLUSH_MS));
    while (!this.#outbox.isEmpty() && performance.now() < end) {
      await Promise.race([this.#progress(), new Promise((resolve) => setTimeout(resolve, 50))]);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#publisher.stop();
    await this.#outbox.close();
    await this.#link.close();
    this.#slot.release();
    this.#report();
  }

  counts(): NatsCounts {
    return {
      accepted: this.#accepted,
      published: this.#publisher.published,
      duplicates: this.#publisher.duplicates,
      trimmed: this.#trimmed,
      dropped: this.#dropped,
      spooledBytes: this.#outbox.spooledBytes(),
    };
  }

  #enqueue(event: TraceEvent | SessionEvent): void {
    const sender = this.#sender;
    if (sender === null) throw new Error('a session begins before its events');
    this.#accepted += 1;
    this.#lastStamp = { time: event.time, tsNs: event.tsNs };
    const { message, isTrimmed } = toMessage(event, sender, String(this.#accepted), this.#settings.encoding);
    if (isTrimmed) this.#trimmed += 1;
    this.#outbox.accept(message);
    this.#publisher.pump();
  }

  #up(connection: NatsConnection): void {
    this.#connection = connection;
    this.#outbox.setAway(false);
    this.#publisher.start(connection);
  }

  #down(why: string): void {
    this.#connection = null;
    this.#outbox.setAway(true);
    this.#publisher.pause();
    this.#host.log.warn(`NATS: connection lost (${why}); events wait in ${this.#slot.dir}`);
    this.#wake();
  }

  #lost(messages: number, bytes: number, why: string): void {
    if (this.#dropped === 0) this.#host.log.warn(`NATS: ${why}: the oldest waiting events are given up`);
    this.#dropped += messages;
    this.#untold = { messages: this.#untold.messages + messages, bytes: this.#untold.bytes + bytes, why };
  }

  /**
   * What the spool gave up is a loss like any other: told to the readers of the bus, once something gets through to them
   * (told at once, it would add to what the spool cannot hold).
   */
  #tellLost(): void {
    const { messages, bytes, why } = this.#untold;
    if (messages === 0 || this.#sender === null) return;
    this.#untold = { messages: 0, bytes: 0, why: '' };
    this.#enqueue({
      type: 'loss',
      ...this.#lastStamp,
      bytes,
      cause: `${counted(messages, 'event')} not published: ${why}`,
    });
  }

  /** Outside the order of events: a heartbeat that cannot be sent now is worth nothing later. */
  #beat(): void {
    const sender = this.#sender;
    if (sender === null || this.#connection === null) return;
    this.#heartbeats += 1;
    const { message } = toMessage(this.#heartbeat(), sender, `h${this.#heartbeats}`, this.#settings.encoding);
    publishOnce(this.#connection, message);
  }

  #heartbeat(): HeartbeatEvent {
    const { accepted, published, spooledBytes, dropped } = this.counts();
    return {
      type: 'heartbeat',
      time: new Date().toISOString(),
      tsNs: process.hrtime.bigint().toString(),
      uptimeMs: Math.round(performance.now() - this.#startMs),
      intervalMs: HEARTBEAT_MS,
      accepted,
      published,
      spooledBytes,
      dropped,
    };
  }

  #progress(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  #report(): void {
    const { accepted, published, duplicates, trimmed, dropped, spooledBytes } = this.counts();
    const parts = [counted(accepted, 'event'), `${counted(published, 'message')} confirmed`];
    if (duplicates > 0) parts.push(`${duplicates} of them known to the server already`);
    if (trimmed > 0) parts.push(`${trimmed} trimmed`);
    if (dropped > 0) parts.push(`${dropped} given up`);
    if (spooledBytes > 0) parts.push(`${sizeText(spooledBytes)} wait in ${this.#slot.dir} for the next run`);
    this.#host.log.info(`NATS: ${parts.join(', ')}`);
  }
}

function publishOnce(connection: NatsConnection, { subject, id, contentType, payload }: Outgoing): void {
  const fields = headers();
  fields.set(HEADERS.id, id);
  fields.set(HEADERS.contentType, contentType);
  fields.set(HEADERS.schema, SCHEMA_VERSION);
  try {
    connection.publish(subject, payload, { headers: fields });
  } catch {
    // Closed in this very moment: the link notices by itself, and the next heartbeat follows.
  }
}

/** What a spool belongs to: the same servers and the same stream. */
const targetOf = ({ urls, stream }: NatsSinkSettings): string => [...urls].sort().join(' ') + (stream?.name ?? '');

/**
 * Opens the sink. A server that cannot be reached is no error: events wait in the spool. Throws E_NATS_URL, E_NATS_FILE,
 * E_NATS_REFUSED, E_NATS_STREAM, E_NATS_SPOOL.
 */
export async function openNats(settings: NatsSinkSettings, host: NatsSinkHost): Promise<NatsSink> {
  const slot = await openSpoolSlot(settings.spoolDir, targetOf(settings));
  const sink = new Sink(settings, slot, host);
  try {
    await sink.start();
  } catch (error) {
    await sink.close();
    throw error;
  }
  return sink;
}
