// Capture records in, engine events out: everything is a function of the record sequence. It knows neither where records
// come from nor where events go.

import type { CaptureRecord, ConnectionKey, Dir, EndReason, EngineEvent } from '../model/index.ts';
import { Connection } from './connection.ts';
import { ConnectionTable } from './connection-table.ts';
import { ENGINE_LIMITS, type EngineLimits, EVICTED_MEMORY, EVICTED_SHARE } from './limits.ts';
import type { BodyHash, EngineOutput } from './output.ts';

export interface EngineOptions {
  /** Gets each event at once. Byte arrays in it are views: valid until it returns. */
  readonly emit: (event: EngineEvent) => void;
  readonly limits?: Partial<EngineLimits>;
  /** SHA-256 for bodies that are no text; absent: they are described without one. */
  readonly newHash?: () => BodyHash;
  /** Called once for a connection that will not be decoded: its bytes need no longer be copied. */
  readonly onOpaque?: (key: ConnectionKey) => void;
}

export interface Engine {
  accept(record: CaptureRecord): void;
  /** Capture is over: ends all that is open. */
  end(tsNs: bigint): void;
}

class RecordEngine implements Engine {
  readonly #output: EngineOutput;
  readonly #onOpaque: (key: ConnectionKey) => void;
  readonly #table = new ConnectionTable();
  /** Offsets of connections that were let go: should one speak again, what had been seen is not reported as lost. */
  readonly #letGo = new Map<string, Readonly<Record<Dir, number>>>();
  #lastId = 0;

  constructor(options: EngineOptions) {
    const { emit, newHash } = options;
    this.#output = { emit, newHash, limits: { ...ENGINE_LIMITS, ...options.limits }, openDecoders: 0 };
    this.#onOpaque = options.onOpaque ?? (() => undefined);
  }

  accept(record: CaptureRecord): void {
    switch (record.kind) {
      case 'data':
        this.#connection(record, record.tsNs).data(record);
        break;
      case 'sni':
        this.#connection(record, record.tsNs).sni(record.host, record.tsNs);
        break;
      case 'peer':
        this.#connection(record, record.tsNs).peer(record);
        break;
      case 'facts':
        this.#connection(record, record.tsNs).facts(record);
        break;
      case 'close':
      case 'progress':
        this.#reached(record);
        break;
      case 'exit':
      case 'exec':
        // exec(2) replaces the program and with it every TLS object.
        for (const connection of this.#table.ofProcess(record)) this.#close(connection, 'exit', record.tsNs);
        break;
      default:
        break;
    }
  }

  end(tsNs: bigint): void {
    const open = this.#table.all().sort((a, b) => a.id - b.id);
    for (const connection of open) this.#close(connection, 'capture-end', tsNs);
  }

  /** A connection of which only the offsets are known lost all its bytes; one that never had any is not worth a word. */
  #reached(record: Extract<CaptureRecord, { kind: 'close' | 'progress' }>): void {
    const isEmpty = record.outBytes === 0 && record.inBytes === 0;
    if (isEmpty && this.#table.find(record) === undefined) return;
    const connection = this.#connection(record, record.tsNs);
    connection.reached(record);
    if (record.kind === 'close') this.#close(connection, 'closed', record.tsNs);
  }

  #connection(key: ConnectionKey, tsNs: bigint): Connection {
    return this.#table.find(key) ?? this.#open(key, tsNs);
  }

  #open(key: ConnectionKey, tsNs: bigint): Connection {
    for (const gone of this.#table.displacedBy(key)) this.#close(gone, 'closed', tsNs);
    if (this.#table.size >= this.#output.limits.connections) this.#evict(tsNs);
    const connection = new Connection(this.#output, ++this.#lastId, key, tsNs, this.#onOpaque);
    const offsets = this.#letGo.size === 0 ? undefined : this.#letGo.get(nameOf(key));
    if (offsets !== undefined) connection.resume(offsets);
    this.#table.add(connection);
    return connection;
  }

  #close(connection: Connection, why: EndReason, tsNs: bigint): void {
    this.#table.remove(connection);
    connection.close(why, tsNs);
  }

  /** Lets the idlest connections go. Should one of them speak again, it is met anew, as joined late. */
  #evict(tsNs: bigint): void {
    const byIdle = this.#table
      .all()
      .sort((a, b) => (a.lastTsNs < b.lastTsNs ? -1 : a.lastTsNs > b.lastTsNs ? 1 : a.id - b.id));
    const count = Math.max(1, Math.floor(byIdle.length * EVICTED_SHARE));
    for (const connection of byIdle.slice(0, count)) {
      this.#letGo.set(nameOf(connection.key), connection.offsets);
      this.#close(connection, 'capture-end', tsNs);
    }
    for (const name of this.#letGo.keys()) {
      if (this.#letGo.size <= EVICTED_MEMORY) break;
      this.#letGo.delete(name);
    }
  }
}

/** Only for the rare connections that were let go: the way of a record does not make strings. */
const nameOf = (key: ConnectionKey): string => `${key.pid}/${key.startNs}/${key.ssl}/${key.generation}`;

export function createEngine(options: EngineOptions): Engine {
  return new RecordEngine(options);
}
