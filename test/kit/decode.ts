// Decodes a recording again with the rooms themselves, down to bodies, so that tests can compare them byte for byte with what
// the server saw: the printed events show sizes only.
import { createHash, type Hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';
import { BROTLI_WASM_SPECIFIER, provideBrotli } from '../../src/bytes/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import type { BodySizes, CaptureRecord, EngineEvent, ExchangeEnd, ExchangeId, Side } from '../../src/model/index.ts';
import { createRecordingReader } from '../../src/record/index.ts';

export interface DecodedBody {
  readonly bytes: number;
  readonly decodedBytes: number;
  /** Of the decoded body; of an event stream: of the events' data, joined by newlines. */
  readonly sha256: string;
}

export interface DecodedExchange {
  readonly connection: number;
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly request: DecodedBody;
  readonly response: DecodedBody;
  readonly end: ExchangeEnd;
  readonly lostBytes: number;
}

class SideHash {
  readonly #body: Hash = createHash('sha256');
  readonly #events: Hash = createHash('sha256');
  #eventCount = 0;

  body(bytes: Uint8Array): void {
    this.#body.update(bytes);
  }

  event(data: string): void {
    this.#events.update(this.#eventCount === 0 ? data : `\n${data}`);
    this.#eventCount += 1;
  }

  done({ bytes, decodedBytes }: BodySizes): DecodedBody {
    const hash = this.#eventCount > 0 ? this.#events : this.#body;
    return { bytes, decodedBytes, sha256: hash.digest('hex') };
  }
}

class Exchange {
  method: string | null = null;
  path: string | null = null;
  status: number | null = null;
  readonly sides: Record<Side, SideHash> = { request: new SideHash(), response: new SideHash() };
}

const keyOf = ({ connection, exchange }: ExchangeId): string => `${connection}.${exchange}`;

/** Collects the engine's events into finished exchanges. */
class Collector {
  readonly finished: DecodedExchange[] = [];
  readonly #open = new Map<string, Exchange>();

  accept(event: EngineEvent): void {
    if (event.type === 'ExchangeStarted') this.#open.set(keyOf(event.id), new Exchange());
    else if (event.type === 'HeadReceived') this.#head(this.#of(event.id), event);
    else if (event.type === 'BodyReceived') this.#of(event.id).sides[event.side].body(event.bytes);
    else if (event.type === 'MessageReceived') this.#of(event.id).sides[event.side].event(event.data);
    else if (event.type === 'ExchangeEnded') this.#end(event);
  }

  #of(id: ExchangeId): Exchange {
    const exchange = this.#open.get(keyOf(id));
    if (!exchange) throw new Error(`event of exchange ${keyOf(id)}, which has not started`);
    return exchange;
  }

  #head(exchange: Exchange, event: Extract<EngineEvent, { type: 'HeadReceived' }>): void {
    if (event.side === 'response') exchange.status = event.head.status;
    else {
      exchange.method = event.head.method;
      exchange.path = event.head.path;
    }
  }

  #end({ id, end, request, response }: Extract<EngineEvent, { type: 'ExchangeEnded' }>): void {
    const { method, path, status, sides } = this.#of(id);
    this.#open.delete(keyOf(id));
    this.finished.push({
      connection: id.connection,
      method,
      path,
      status,
      request: sides.request.done(request),
      response: sides.response.done(response),
      end,
      lostBytes: request.lostBytes + response.lostBytes,
    });
  }
}

async function forEachRecord(file: string, take: (record: CaptureRecord) => void): Promise<void> {
  const reader = createRecordingReader(
    {
      onRecord: (record) => {
        if (record.kind === 'malformed') throw new Error(`malformed record in ${file}: ${JSON.stringify(record)}`);
        take(record);
      },
    },
    (packed, maxOutputLength) => brotliDecompressSync(packed, { maxOutputLength }),
  );
  reader.push(await readFile(file));
  const { state, problem } = reader.end();
  if (state !== 'whole') throw new Error(`${file}: ${state}: ${problem}`);
}

const brotliFile = createRequire(import.meta.url).resolve(BROTLI_WASM_SPECIFIER);

/** All exchanges of a whole recording, in the order in which they ended. */
export async function decodeRecording(file: string): Promise<DecodedExchange[]> {
  provideBrotli(await readFile(brotliFile));
  const collector = new Collector();
  const engine = createEngine({ emit: (event) => collector.accept(event), onOpaque: () => {} });
  let lastNs = 0n;
  await forEachRecord(file, (record) => {
    if (record.tsNs > lastNs) lastNs = record.tsNs;
    engine.accept(record);
  });
  engine.end(lastNs);
  return collector.finished;
}

/** Plaintext bytes that a recording holds, by direction. */
export async function capturedBytes(file: string): Promise<{ out: number; in: number }> {
  const bytes = { out: 0, in: 0 };
  await forEachRecord(file, (record) => {
    if (record.kind === 'data') bytes[record.dir] += record.bytes.length;
  });
  return bytes;
}
