// Keeps one connection to one of several servers, for as long as it lives: dial, use, lose, wait, dial the next. Waiting
// grows by doubling and is spread by chance, so that a fleet does not come back in one moment.

import type { NatsConnection } from '@nats-io/transport-node';
import { TracerError } from '../../errors.ts';
import { dial, refusalOf } from './dial.ts';
import { parseServerUrl, type ServerAddress } from './server-address.ts';
import type { NatsServerSettings } from './settings.ts';

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 10_000;
/** A connection that lived for this long was a good one. */
const SETTLED_MS = 250;
/** How long the start of a session waits for its first connection: probes are in place by then, and the ring fills. */
const FIRST_CONNECTION_MS = 1_000;

/** Between half and all of a time that doubles with each attempt. */
export const backoffMs = (attempt: number, random: () => number = Math.random): number =>
  Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 16)) * (0.5 + random() / 2);

export interface LinkHost {
  /** A connection is there. */
  up(connection: NatsConnection): void;
  /** It was lost. */
  down(why: string): void;
  /** It could not be made; said for each change of the reason. */
  away(why: string): void;
}

/** The message of the innermost cause: what the system said. */
function reasonOf(error: unknown): string {
  let at = error;
  while (at instanceof Error && at.cause instanceof Error) at = at.cause;
  return at instanceof Error ? at.message : String(at ?? 'closed by the server');
}

export class Link {
  readonly #settings: NatsServerSettings;
  readonly #name: string;
  readonly #host: LinkHost;
  readonly #addresses: ServerAddress[];
  #turn = 0;
  #failures = 0;
  #lastReason = '';
  #connection: NatsConnection | null = null;
  #isClosed = false;
  #wake: () => void = () => {};
  #running: Promise<void> | null = null;

  /** `name` is what the server shows for the connection. Throws E_NATS_URL. */
  constructor(settings: NatsServerSettings, name: string, host: LinkHost) {
    this.#settings = settings;
    this.#name = name;
    this.#host = host;
    this.#addresses = settings.urls.map(parseServerUrl);
  }

  get isUp(): boolean {
    return this.#connection !== null;
  }

  /**
   * Connects, and goes on trying in the background when no server answers soon. Throws E_NATS_REFUSED when one answers and
   * does not want us, and E_NATS_FILE.
   */
  async start(): Promise<void> {
    const first = this.#tryEach();
    const refusal = await Promise.race([first, pause(FIRST_CONNECTION_MS).then(() => null)]);
    if (refusal !== null) throw new TracerError('E_NATS_REFUSED', { ...refusal });
    // What comes out of it later was told by then, and is no reason to stop.
    this.#running = first.then(
      () => this.#run(),
      () => this.#run(),
    );
  }

  /** Every server once, until one takes us or refuses us. */
  async #tryEach(): Promise<{ server: string; reason: string } | null> {
    for (const _ of this.#addresses.slice()) {
      const refusal = await this.#tryNext();
      if (this.#connection !== null || refusal !== null) return refusal;
    }
    return null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#connection?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#connection === null) await this.#tryQuietly();
      if (this.#connection !== null) await this.#useUntilClosed(this.#connection);
      else await this.#wait();
    }
  }

  /** Once a session runs, a credential file that has gone is no reason to end it: it may come back. */
  async #tryQuietly(): Promise<void> {
    try {
      await this.#tryNext();
    } catch (error) {
      this.#failures += 1;
      this.#tell(reasonOf(error));
    }
  }

  /** Null when it worked or the server could not be reached. */
  async #tryNext(): Promise<{ server: string; reason: string } | null> {
    const address = this.#addresses[this.#turn % this.#addresses.length];
    this.#turn += 1;
    if (address === undefined) throw new Error('a link has at least one server');
    try {
      const connection = await dial(this.#settings, address, this.#name);
      this.#learnServers(connection, address.needsTls);
      this.#connection = connection;
      this.#host.up(connection);
      return null;
    } catch (error) {
      if (error instanceof TracerError) throw error;
      this.#failures += 1;
      this.#tell(`${address.server}: ${refusalOf(error) ?? reasonOf(error)}`);
      const reason = refusalOf(error);
      return reason === null ? null : { server: address.server, reason };
    }
  }

  #tell(reason: string): void {
    if (reason === this.#lastReason) return;
    this.#lastReason = reason;
    this.#host.away(reason);
  }

  /** Other members of the cluster, by what the server says about them. */
  #learnServers({ info }: NatsConnection, needsTls: boolean): void {
    for (const server of info?.connect_urls ?? []) {
      if (!this.#addresses.some((known) => known.server === server)) this.#addresses.push({ server, needsTls });
    }
  }

  async #useUntilClosed(connection: NatsConnection): Promise<void> {
    const sinceMs = performance.now();
    const why = await connection.closed();
    this.#connection = null;
    if (this.#isClosed) return;
    // A server that lets us in and throws us out at once must not be asked in a tight loop.
    this.#failures = performance.now() - sinceMs > SETTLED_MS ? 0 : this.#failures + 1;
    this.#lastReason = '';
    this.#host.down(reasonOf(why));
    if (this.#failures > 0) await this.#wait();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, backoffMs(Math.max(0, this.#failures - 1)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
