// Memory stays bounded whatever a peer sends. Each case feeds far more than its bound and looks at what is still held.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.ts';
import type { CaptureRecord, EngineEvent } from '../../src/model/index.ts';
import { bytesOf, Script } from '../kit/records.ts';

const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collected twice: what the first finds is freed by another thread, for which the second waits. */
function heldBytes(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Feeds `start`, then `count` times the same 16 KiB; returns growth in bytes, and the codes of what was reported. */
function endless(start: string, piece: string, mebibytes: number): { grownBytes: number; codes: string[] } {
  const codes: string[] = [];
  const emit = (event: EngineEvent): void => {
    if (event.type === 'WireErrorSeen' && codes.length < 10) codes.push(event.code);
  };
  const engine = createEngine({ emit });
  const script = new Script();
  const connection = script.connection().out('GET / HTTP/1.1\r\nHost: h\r\n\r\n').in(start);
  for (const record of script.records) engine.accept(record);
  const bytes = bytesOf(piece.repeat(Math.ceil(16_384 / piece.length)).slice(0, 16_384));
  let offset = connection.offset.in;
  const before = heldBytes();
  for (let count = 0; count < mebibytes * 64; count++) {
    const base: CaptureRecord = script.records[0] as CaptureRecord;
    engine.accept({ ...base, kind: 'data', dir: 'in', offset, bytes } as CaptureRecord);
    offset += bytes.length;
  }
  const grownBytes = heldBytes() - before;
  engine.end(2000n);
  return { grownBytes, codes };
}

describe('bounds', () => {
  it('holds at most a line of an endless header line', () => {
    const { grownBytes, codes } = endless('HTTP/1.1 200 OK\r\nX-Endless: ', 'x', 64);
    expect(codes).toEqual(['h1.line-too-long']);
    expect(grownBytes).toBeLessThan(16 * MIB);
  });

  it('holds at most a head of endless header lines', () => {
    const { grownBytes, codes } = endless('HTTP/1.1 200 OK\r\n', 'a: b\r\n', 16);
    expect(codes[0]).toBe('h1.head-too-large');
    expect(grownBytes).toBeLessThan(16 * MIB);
  });

  it('holds at most a line of an endless chunk extension', () => {
    const { grownBytes, codes } = endless('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;', 'e', 64);
    expect(codes).toEqual(['h1.line-too-long']);
    expect(grownBytes).toBeLessThan(16 * MIB);
  });

  it('holds at most a line of an endless SSE line', () => {
    const { grownBytes, codes } = endless('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ', 'x', 64);
    expect(codes).toEqual(['sse.line-too-long']);
    expect(grownBytes).toBeLessThan(48 * MIB);
  });

  it('holds nothing of an endless body', () => {
    expect(endless('HTTP/1.1 200 OK\r\n\r\n', 'x', 64).grownBytes).toBeLessThan(16 * MIB);
  });

  it('lets idle connections and endless exchanges go at their limits', () => {
    let open = 0;
    let started = 0;
    const emit = ({ type }: EngineEvent): void => {
      if (type === 'ConnectionOpened') open++;
      if (type === 'ConnectionClosed') open--;
      if (type === 'ExchangeStarted') started++;
      if (type === 'ExchangeEnded') started--;
    };
    const engine = createEngine({ emit, limits: { connections: 100, exchangesPerConnection: 50 } });
    const script = new Script();
    for (let ssl = 1; ssl <= 1000; ssl++)
      script.connection({ ssl: BigInt(ssl) }).out('GET / HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(60));
    for (const record of script.records) engine.accept(record);
    expect(open).toBeLessThanOrEqual(100);
    expect(started).toBeLessThanOrEqual(100 * 50);
    engine.end(9999n);
    expect([open, started]).toEqual([0, 0]);
  });
});
