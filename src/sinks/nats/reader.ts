// Reads events from the bus: live from core NATS (what is sent while nobody listens is gone), or from a JetStream stream,
// in its order and from a chosen place on. A reader that is slow is waited for by a stream; core NATS keeps its messages in
// our memory, and beyond a bound they are left out and counted as missing.

import { type Consumer, DeliverPolicy, jetstream, type OrderedConsumerOptions } from '@nats-io/jetstream';
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { TracerError } from '../../errors.ts';
import type { FleetEvent, Origin } from '../../model/index.ts';
import { connectionOptions, refusalOf } from './dial.ts';
import { Inbound, type InboundCounts, type InboundMessage } from './inbound.ts';
import { backoffMs } from './link.ts';
import { parseServerUrl } from './server-address.ts';
import type { NatsServerSettings } from './settings.ts';
import { escapeToken, SUBJECT_ROOT } from './subjects.ts';

/** Where in a stream to begin. */
export type ReadFrom =
  | { readonly kind: 'new' | 'all' }
  | { readonly kind: 'since'; readonly ageMs: number }
  | { readonly kind: 'after'; readonly streamSeq: number };

export interface ReaderSettings extends NatsServerSettings {
  /** Null: core NATS. */
  readonly stream: { readonly name: string; readonly from: ReadFrom } | null;
  /** Only events of this machine or user. */
  readonly host?: string | undefined;
  readonly user?: string | undefined;
}

/** One event as it comes. `streamSeq` is its place in the stream, null for core NATS. */
export interface Received {
  readonly event: FleetEvent;
  readonly origin: Origin;
  readonly streamSeq: number | null;
}

export interface ReaderHost {
  /** Awaited before the next one. */
  receive(received: Received): void | Promise<void>;
  warn(text: string): void;
}

/** Messages that wait in our memory for a slow reader of core NATS. */
const MAX_PENDING = 50_000;
/** Messages that are fetched ahead from a stream. */
const FETCH_AHEAD = 500;

export class BusReader {
  readonly #settings: ReaderSettings;
  readonly #host: ReaderHost;
  readonly #connection: NatsConnection;
  readonly #inbound = new Inbound();
  #isStopped = false;
  #stopReading: () => void = () => {};
  /** Of one who reads no stream. */
  #subscription: Subscription | null = null;

  private constructor(settings: ReaderSettings, connection: NatsConnection, host: ReaderHost) {
    this.#settings = settings;
    this.#connection = connection;
    this.#host = host;
  }

  /** Connects. Throws E_NATS_UNREACHABLE, E_NATS_REFUSED, E_NATS_FILE, E_NATS_URL. */
  static async open(settings: ReaderSettings, host: ReaderHost): Promise<BusReader> {
    const addresses = settings.urls.map(parseServerUrl);
    const options = connectionOptions(settings, addresses, process.env);
    let attempt = 0;
    const reconnectDelayHandler = (): number => backoffMs(Math.min(8, attempt++));
    const whole = { ...options, name: 'tracer reader', maxReconnectAttempts: -1, reconnectDelayHandler };
    try {
      const connection = await connect(whole as Parameters<typeof connect>[0]);
      const reader = new BusReader(settings, connection, host);
      void reader.#watch(() => {
        attempt = 0;
      });
      if (settings.stream === null) await reader.#subscribe();
      return reader;
    } catch (cause) {
      const server = addresses.map((address) => address.server).join(', ');
      const refusal = refusalOf(cause);
      if (refusal !== null) throw new TracerError('E_NATS_REFUSED', { server, reason: refusal }, { cause });
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TracerError('E_NATS_UNREACHABLE', { reason: `${server}: ${reason}` }, { cause });
    }
  }

  /** The session is known up to `seq`. */
  resume(session: string, seq: number): void {
    this.#inbound.resume(session, seq);
  }

  counts(): InboundCounts {
    return this.#inbound.counts();
  }

  /** Reads until `stop`. Throws E_NATS_STREAM. */
  async run(): Promise<void> {
    if (this.#subscription !== null) await this.#readSubject(this.#subscription);
    else if (this.#settings.stream !== null) await this.#readStream(this.#settings.stream);
    await this.#connection.close();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopReading();
  }

  #subject(): string {
    const { host, user } = this.#settings;
    const [from, by] = [host, user].map((name) => (name === undefined ? '*' : escapeToken(name)));
    return `${SUBJECT_ROOT}.${from}.${by}.*`;
  }

  /** The server has answered: nothing that is published from here on is missed. */
  async #subscribe(): Promise<void> {
    this.#subscription = this.#connection.subscribe(this.#subject());
    await this.#connection.flush();
  }

  async #readSubject(subscription: Subscription): Promise<void> {
    this.#stopReading = () => subscription.unsubscribe();
    if (this.#isStopped) return;
    let left = 0;
    for await (const message of subscription) {
      if (subscription.getPending() > MAX_PENDING) {
        left += 1;
        if (left === 1) this.#host.warn('too slow for what comes: events are left out (JetStream would wait)');
      } else await this.#take(message, null);
      if (this.#isStopped) break;
    }
  }

  async #readStream(stream: { readonly name: string; readonly from: ReadFrom }): Promise<void> {
    const consumer = await this.#consumer(stream);
    const messages = await consumer.consume({ max_messages: FETCH_AHEAD });
    this.#stopReading = () => void messages.close();
    for await (const message of messages) {
      if (this.#isStopped) break;
      await this.#take(message, message.seq);
    }
  }

  async #consumer({ name, from }: { readonly name: string; readonly from: ReadFrom }): Promise<Consumer> {
    try {
      const options = { ...startOf(from), filter_subjects: this.#subject() } as Partial<OrderedConsumerOptions>;
      return await jetstream(this.#connection).consumers.get(name, options);
    } catch (cause) {
      await this.#connection.close();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TracerError('E_NATS_STREAM', { stream: name, reason }, { cause });
    }
  }

  async #take(message: InboundMessage, streamSeq: number | null): Promise<void> {
    const taken = this.#inbound.take(message);
    if (taken !== null) await this.#host.receive({ ...taken, streamSeq });
  }

  async #watch(onReconnect: () => void): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'disconnect') this.#host.warn(`connection to ${status.server} lost, connecting again`);
      if (status.type === 'error') this.#host.warn(status.error.message);
      if (status.type === 'reconnect') onReconnect();
    }
  }
}

function startOf(from: ReadFrom): Partial<OrderedConsumerOptions> {
  switch (from.kind) {
    case 'all':
      return { deliver_policy: DeliverPolicy.All };
    case 'new':
      return { deliver_policy: DeliverPolicy.New };
    case 'since':
      return {
        deliver_policy: DeliverPolicy.StartTime,
        opt_start_time: new Date(Date.now() - from.ageMs).toISOString(),
      };
    case 'after':
      return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from.streamSeq + 1 };
  }
}
