// Capture records for engine tests: a scripted TLS connection that keeps its own offsets and clock, so that a test reads
// as traffic. `lose` moves an offset without a record, as a full ring does.

import { createEngine, type EngineOptions } from '../../src/engine/index.ts';
import type { CaptureRecord, ConnectionKey, Dir, EngineEvent } from '../../src/model/index.ts';

const encoder = new TextEncoder();
export const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? encoder.encode(data) : data;

export class Script {
  readonly records: CaptureRecord[] = [];
  nowNs = 1000n;

  connection(key: Partial<ConnectionKey> = {}): ScriptedConnection {
    return new ScriptedConnection(this, { pid: 7, startNs: 5n, ssl: 0xa0n, generation: 0, ...key });
  }

  add(record: CaptureRecord): void {
    this.records.push(record);
  }

  tick(): bigint {
    this.nowNs += 10n;
    return this.nowNs;
  }
}

export class ScriptedConnection {
  readonly #script: Script;
  readonly key: ConnectionKey;
  readonly offset: Record<Dir, number> = { out: 0, in: 0 };

  constructor(script: Script, key: ConnectionKey) {
    this.#script = script;
    this.key = key;
  }

  out(data: string | Uint8Array): this {
    return this.data('out', bytesOf(data));
  }

  in(data: string | Uint8Array): this {
    return this.data('in', bytesOf(data));
  }

  data(dir: Dir, bytes: Uint8Array): this {
    const offset = this.offset[dir];
    this.#script.add({
      kind: 'data',
      ...this.key,
      tsNs: this.#script.tick(),
      tid: 1,
      hook: 1,
      dir,
      offset,
      callBytes: bytes.length,
      callEnd: true,
      bytes,
    });
    this.offset[dir] += bytes.length;
    return this;
  }

  lose(dir: Dir, count: number): this {
    this.offset[dir] += count;
    return this;
  }

  sni(host: string): this {
    this.#script.add({ kind: 'sni', ...this.key, tsNs: this.#script.tick(), host });
    return this;
  }

  /** TLS 1.3 with TLS_AES_128_GCM_SHA256, unless told otherwise. */
  facts(facts: { readonly version?: number; readonly cipher?: number; readonly alpn?: string } = {}): this {
    const tsNs = this.#script.tick();
    const found = { version: 0x0304, cipher: 0x0300_1301, evidence: 'getters', ...facts } as const;
    this.#script.add({ kind: 'facts', ...this.key, tsNs, ...found });
    return this;
  }

  close(kind: 'close' | 'progress' = 'close'): this {
    const tsNs = this.#script.tick();
    this.#script.add({ kind, ...this.key, tsNs, outBytes: this.offset.out, inBytes: this.offset.in });
    return this;
  }
}

/** Runs records through an engine; byte views in events are copied, as a consumer that keeps them must. */
export function runEngine(records: readonly CaptureRecord[], options: Omit<EngineOptions, 'emit'> = {}): EngineEvent[] {
  const events: EngineEvent[] = [];
  const engine = createEngine({ ...options, emit: (event) => events.push(keep(event)) });
  let last = 0n;
  for (const record of records) {
    engine.accept(record);
    last = record.tsNs;
  }
  engine.end(last + 1n);
  return events;
}

const keep = (event: EngineEvent): EngineEvent =>
  'bytes' in event && event.bytes !== undefined ? ({ ...event, bytes: event.bytes.slice() } as EngineEvent) : event;

/** Decoded body text of one side of one exchange. */
export function bodyText(
  events: readonly EngineEvent[],
  side: 'request' | 'response',
  exchange = 1,
  connection = 1,
): string {
  return Buffer.from(bodyBytes(events, side, exchange, connection)).toString('utf8');
}

export function bodyBytes(
  events: readonly EngineEvent[],
  side: 'request' | 'response',
  exchange = 1,
  connection = 1,
): Uint8Array {
  const parts = events.flatMap((event) =>
    event.type === 'BodyReceived' &&
    event.side === side &&
    event.id.exchange === exchange &&
    event.id.connection === connection
      ? [event.bytes]
      : [],
  );
  return Buffer.concat(parts);
}

export const ofType = <T extends EngineEvent['type']>(
  events: readonly EngineEvent[],
  type: T,
): Extract<EngineEvent, { type: T }>[] =>
  events.filter((event): event is Extract<EngineEvent, { type: T }> => event.type === type);
