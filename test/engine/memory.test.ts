// What hostile or merely busy connections may cost: heap and array buffers that stay after a collection, against the bounds
// that docs/limits.md gives users.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.ts';
import type { CaptureRecord, ConnectionKey, Dir, EngineEvent } from '../../src/model/index.ts';
import {
  ascii,
  concat,
  data,
  frame,
  headers,
  indexed,
  literal,
  PREFACE,
  SETTINGS_ACK,
  settings,
} from '../protocols/http2/kit.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MIB = 1 << 20;

/** Freed array buffers are counted off by another thread, a moment later. */
async function usedBytes(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

class Feed {
  readonly codes = new Map<string, number>();
  ended = 0;
  readonly #engine: Engine;
  readonly #offsets = new Map<bigint, Record<Dir, number>>();

  constructor() {
    this.#engine = createEngine({ emit: (event) => this.#see(event) });
  }

  data(ssl: number, dir: Dir, bytes: Uint8Array): void {
    const key: ConnectionKey = { pid: 7, startNs: 5n, ssl: BigInt(ssl), generation: 0 };
    const offsets = this.#offsets.get(key.ssl) ?? { out: 0, in: 0 };
    this.#offsets.set(key.ssl, offsets);
    const offset = offsets[dir];
    offsets[dir] += bytes.length;
    const base = { kind: 'data', ...key, tsNs: 0n, tid: 1, hook: 1, callBytes: bytes.length, callEnd: true } as const;
    this.#engine.accept({ ...base, dir, offset, bytes } satisfies CaptureRecord);
  }

  #see(event: EngineEvent): void {
    if (event.type === 'ExchangeEnded') this.ended++;
    if (event.type === 'WireErrorSeen') this.codes.set(event.code, (this.codes.get(event.code) ?? 0) + 1);
  }
}

/** Bytes that stay in use for what `build` did, while what it returns is alive. */
async function costOf(build: () => Feed): Promise<{ bytes: number; feed: Feed }> {
  const before = await usedBytes();
  const feed = build();
  return { bytes: (await usedBytes()) - before, feed };
}

const post = (stream: number): Uint8Array =>
  headers(
    stream,
    concat(literal(':method', 'POST'), indexed(7), literal(':path', `/chat/${stream}`), literal(':authority', 'h')),
    0x5,
  );
const answer = (stream: number, ...more: readonly Uint8Array[]): Uint8Array =>
  headers(stream, concat(indexed(8), literal('content-type', 'text/event-stream'), ...more));

function openHttp2(feed: Feed, ssl: number): void {
  feed.data(ssl, 'out', concat(PREFACE, settings()));
  feed.data(ssl, 'in', concat(settings(), SETTINGS_ACK));
}

it('10,000 streams of one connection that never finish: 64 MiB', { timeout: 60_000 }, async () => {
  const { bytes, feed } = await costOf(() => {
    const busy = new Feed();
    openHttp2(busy, 1);
    for (let stream = 1; stream < 20_000; stream += 2) {
      busy.data(1, 'out', post(stream));
      busy.data(1, 'in', concat(answer(stream), data(stream, 'data: {"begun": true}\n\ndata: {"never')));
    }
    return busy;
  });
  expect(feed.ended).toBe(0);
  expect(bytes).toBeLessThan(64 * MIB);
});

it('2,000 compressed streams that never finish: as many decoders as are allowed, 96 MiB', {
  timeout: 60_000,
}, async () => {
  const piece = Uint8Array.from(gzipSync('data: {"begun": true}\n\ndata: {"never')).subarray(0, 30);
  const { bytes, feed } = await costOf(() => {
    const busy = new Feed();
    openHttp2(busy, 1);
    for (let stream = 1; stream < 4000; stream += 2) {
      busy.data(1, 'out', post(stream));
      busy.data(1, 'in', concat(answer(stream, literal('content-encoding', 'gzip')), frame(0, 0, stream, piece)));
    }
    return busy;
  });
  expect(feed.codes.get('body.decoder-limit')).toBe(2000 - 512);
  expect(bytes).toBeLessThan(96 * MIB);
});

it('1,000 idle connections of each version: 64 MiB', { timeout: 60_000 }, async () => {
  const { bytes, feed } = await costOf(() => {
    const idle = new Feed();
    for (let ssl = 1; ssl <= 1000; ssl++) {
      openHttp2(idle, ssl);
      idle.data(ssl, 'out', post(1));
      idle.data(ssl, 'in', concat(answer(1), data(1, 'data: done\n\n', 1)));
      idle.data(10_000 + ssl, 'out', ascii('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
      idle.data(10_000 + ssl, 'in', ascii('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
    }
    return idle;
  });
  expect(feed.ended).toBe(2000);
  expect(bytes).toBeLessThan(64 * MIB);
});

it('an endless header block: 2 MiB', async () => {
  const part = frame(9, 0, 1, new Uint8Array(16_384).fill(0x82));
  const { bytes, feed } = await costOf(() => {
    const flooded = new Feed();
    openHttp2(flooded, 1);
    flooded.data(1, 'out', headers(1, indexed(2), 0));
    for (let count = 0; count < 4096; count++) flooded.data(1, 'out', part);
    return flooded;
  });
  expect(feed.codes.get('h2.header-block-size')).toBe(1);
  expect(bytes).toBeLessThan(2 * MIB);
});

it.each([
  ['a header line of HTTP/1', 'GET / HTTP/1.1\r\nX: ', 'h1.line-too-long', 2],
  ['a chunk-size line', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'h1.line-too-long', 2],
])('%s that never ends', async (_, start, code, mebibytes) => {
  const part = new Uint8Array(16_384).fill(0x61);
  const { bytes, feed } = await costOf(() => {
    const endless = new Feed();
    endless.data(1, 'out', ascii(start));
    for (let count = 0; count < 1024; count++) endless.data(1, 'out', part);
    return endless;
  });
  expect([...feed.codes.keys()]).toEqual([code]);
  expect(bytes).toBeLessThan(mebibytes * MIB);
});

it('a line of an event stream that never ends: 40 MiB', { timeout: 60_000 }, async () => {
  const part = new Uint8Array(16_000).fill(0x61);
  const { bytes, feed } = await costOf(() => {
    const endless = new Feed();
    endless.data(1, 'out', ascii('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
    endless.data(1, 'in', ascii('HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: '));
    for (let count = 0; count < 4096; count++) endless.data(1, 'in', part);
    return endless;
  });
  expect(feed.codes.get('sse.line-too-long')).toBe(1);
  expect(bytes).toBeLessThan(40 * MIB);
});

it('an event of millions of short lines that does not end: 40 MiB', { timeout: 60_000 }, async () => {
  const part = ascii('data:ab\n'.repeat(2000));
  const { bytes, feed } = await costOf(() => {
    const endless = new Feed();
    endless.data(1, 'out', ascii('GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
    endless.data(1, 'in', ascii('HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'));
    // Just under the limit of characters, where all of them are held.
    for (let count = 0; count < 2700; count++) endless.data(1, 'in', part);
    return endless;
  });
  expect(feed.codes.size).toBe(0);
  expect(bytes).toBeLessThan(40 * MIB);
});

it('1,000 connections that say nothing one could know yet: 16 MiB', { timeout: 60_000 }, async () => {
  const part = Uint8Array.from({ length: 1024 }, (_, at) => (at * 197) & 0xff);
  const { bytes } = await costOf(() => {
    const dark = new Feed();
    for (let ssl = 1; ssl <= 1000; ssl++) dark.data(ssl, 'out', part);
    for (let count = 0; count < 2000; count++) dark.data(1, 'out', part);
    return dark;
  });
  expect(bytes).toBeLessThan(16 * MIB);
});
