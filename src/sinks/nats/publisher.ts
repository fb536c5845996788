// Takes what is in the outbox to the server: in order, a bounded number in flight, each confirmed. Whatever fails (a lost
// connection, a timeout, a full stream) ends in the same place: everything unconfirmed is sent again, oldest first, after a
// wait. An id that the server knows already is not stored twice, so that sending again is safe.

import type { NatsConnection } from '@nats-io/transport-node';
import { errors } from '@nats-io/transport-node';
import { TracerError } from '../../errors.ts';
import { type Courier, coreCourier, jetStreamCourier } from './courier.ts';
import { backoffMs } from './link.ts';
import { type Outgoing, sizeOf } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { StreamSettings } from './settings.ts';
import { ensureStream } from './stream.ts';
import { SUBJECT_ROOT } from './subjects.ts';

/** In flight at a time: enough to keep a connection of 100 ms round trip busy, little enough to send again. */
const MAX_IN_FLIGHT = 512;
/** How long the start of a session waits for the check of its stream. */
const CHECK_MS = 1_000;
const MAX_IN_FLIGHT_BYTES = 8 * 1024 * 1024;

export interface PublisherHost {
  warn(text: string): void;
  /** Something was confirmed, or there is nothing left to send. */
  onProgress(): void;
}

/** One connection's worth of publishing; a new connection starts a new one, late answers to an old one count for nothing. */
interface Round {
  readonly connection: NatsConnection;
  inFlight: number;
  inFlightBytes: number;
  courier: Courier | null;
  /** Set once something failed: no more is sent, the rest of the answers is awaited. */
  hasFailed: boolean;
  denied: Error | null;
}

export class Publisher {
  readonly #outbox: Outbox;
  readonly #stream: StreamSettings | null;
  readonly #host: PublisherHost;
  #round: Round | null = null;
  #failures = 0;
  #published = 0;
  #duplicates = 0;
  #lastWarning = '';
  #isRefilling = false;
  #isStopped = false;

  constructor(outbox: Outbox, stream: StreamSettings | null, host: PublisherHost) {
    this.#outbox = outbox;
    this.#stream = stream;
    this.#host = host;
  }

  get published(): number {
    return this.#published;
  }

  get duplicates(): number {
    return this.#duplicates;
  }

  /** True while messages are on their way to a server that takes them. */
  get isFlowing(): boolean {
    return this.#round?.courier !== null && this.#round !== null && !this.#round.hasFailed;
  }

  /** Checks the stream once, for the start of a session. Throws E_NATS_STREAM; a server that does not answer is no error. */
  async check(connection: NatsConnection): Promise<void> {
    if (this.#stream === null) return;
    try {
      await Promise.race([ensureStream(connection, this.#stream), pause(CHECK_MS)]);
    } catch (error) {
      if (error instanceof TracerError) throw error;
    }
  }

  /** A connection is there. */
  start(connection: NatsConnection): void {
    const round: Round = { connection, inFlight: 0, inFlightBytes: 0, courier: null, hasFailed: false, denied: null };
    this.#round = round;
    this.#outbox.rewind();
    void this.#watch(round);
    void this.#prepare(round);
  }

  /** The connection is gone. */
  pause(): void {
    this.#round = null;
    this.#outbox.rewind();
  }

  /** Ends it: nothing more is sent. */
  stop(): void {
    this.#isStopped = true;
    this.pause();
  }

  /** There may be something to send. Cheap; called for every event. */
  pump(): void {
    const round = this.#round;
    if (round === null || round.courier === null || round.hasFailed || this.#isStopped) return;
    while (round.inFlight < MAX_IN_FLIGHT && round.inFlightBytes < MAX_IN_FLIGHT_BYTES) {
      const message = this.#outbox.takeNext();
      if (message === null) break;
      void this.#send(round, round.courier, message);
    }
    void this.#refill();
  }

  async #refill(): Promise<void> {
    if (this.#isRefilling) return;
    this.#isRefilling = true;
    const hasMore = await this.#outbox.refill();
    this.#isRefilling = false;
    if (hasMore) this.pump();
    else if (this.#outbox.isEmpty()) this.#host.onProgress();
  }

  async #send(round: Round, courier: Courier, message: Outgoing): Promise<void> {
    const bytes = sizeOf(message);
    round.inFlight += 1;
    round.inFlightBytes += bytes;
    try {
      const { isDuplicate } = await courier.deliver(message);
      if (this.#round === round) this.#confirmed(message, isDuplicate);
    } catch (error) {
      round.hasFailed = true;
      if (this.#round === round) this.#complain(error);
    }
    round.inFlight -= 1;
    round.inFlightBytes -= bytes;
    if (this.#round !== round) return;
    if (!round.hasFailed) this.pump();
    else if (round.inFlight === 0) await this.#again(round);
  }

  #confirmed(message: Outgoing, isDuplicate: boolean): void {
    this.#published += 1;
    if (isDuplicate) this.#duplicates += 1;
    this.#failures = 0;
    this.#lastWarning = '';
    this.#outbox.confirm(message);
    this.#host.onProgress();
  }

  /** All answers are in and one was a failure: wait, then send again from the oldest unconfirmed on. */
  async #again(round: Round): Promise<void> {
    this.#failures += 1;
    await pause(backoffMs(this.#failures));
    if (this.#round !== round) return;
    this.#outbox.rewind();
    round.hasFailed = false;
    round.denied = null;
    this.pump();
  }

  /** Makes the stream ready and tries until it is: JetStream answers later than the server accepts connections. */
  async #prepare(round: Round): Promise<void> {
    for (let attempt = 0; this.#round === round; attempt += 1) {
      try {
        round.courier = await this.#courierFor(round);
        if (this.#round === round) this.pump();
        return;
      } catch (error) {
        if (this.#round === round && (attempt >= 3 || error instanceof TracerError)) this.#complain(error);
        await pause(backoffMs(attempt));
      }
    }
  }

  async #courierFor(round: Round): Promise<Courier> {
    if (this.#stream === null) return coreCourier(round.connection, () => round.denied);
    const facts = await ensureStream(round.connection, this.#stream);
    for (const warning of facts.warnings) this.#host.warn(warning);
    return jetStreamCourier(round.connection, facts.maxMessageBytes);
  }

  /** Refused subjects are told beside the answers, by the connection. */
  async #watch(round: Round): Promise<void> {
    for await (const status of round.connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof errors.PermissionViolationError)) continue;
      // Others are about the stream, which need not be looked at.
      if (status.error.operation !== 'publish' || !status.error.subject.startsWith(SUBJECT_ROOT)) continue;
      round.denied = status.error;
      if (this.#round === round) this.#complain(status.error);
    }
  }

  /** Once per reason, until something works again. */
  #complain(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (text === this.#lastWarning) return;
    this.#lastWarning = text;
    this.#host.warn(`events wait: ${text}`);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
