// Events in number, published through the real sink, and what a stream holds of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { CallDeltaEvent, SessionEvent } from '../../src/model/index.ts';
import { type NatsSink, openNats } from '../../src/sinks/nats/nats.ts';
import type { NatsSinkSettings } from '../../src/sinks/nats/settings.ts';

export const AT = { time: '2026-03-01T14:05:09.042Z', tsNs: '12345678901234567' };

export const SESSION: SessionEvent = {
  type: 'session',
  ...AT,
  session: '00112233445566aa',
  host: 'build-7.example',
  user: 'ada',
  toolVersion: '0.1.0',
};

/** The n-th event of a run. */
export const delta = (n: number, text = `piece ${n}`): CallDeltaEvent => ({
  type: 'call.delta',
  ...AT,
  id: `c1.${n}`,
  kind: 'text',
  text,
});

export const STREAM = { name: 'TRACER', maxAgeMs: 3_600_000, maxBytes: -1 };

export interface TestSink extends AsyncDisposable {
  readonly sink: NatsSink;
  readonly spoolDir: string;
  readonly warnings: string[];
  readonly messages: string[];
}

/** A sink with a spool of its own, begun unless `session` is null. */
export async function testSink(
  settings: Partial<NatsSinkSettings> & Pick<NatsSinkSettings, 'urls'>,
  session: SessionEvent | null = SESSION,
): Promise<TestSink> {
  const scratch = mkdtempSync(join(tmpdir(), 'tracer-spool-'));
  const spoolDir = settings.spoolDir ?? join(scratch, 'spool');
  const [warnings, messages]: [string[], string[]] = [[], []];
  const log = { warn: (text: string) => void warnings.push(text), info: (text: string) => void messages.push(text) };
  const defaults = { encoding: 'protobuf', stream: STREAM, spoolBytes: 64 * 1024 * 1024 } as const;
  const sink = await openNats({ ...defaults, ...settings, spoolDir }, { log });
  if (session !== null) sink.begin(session);
  return {
    sink,
    spoolDir,
    warnings,
    messages,
    [Symbol.asyncDispose]: async () => rmSync(scratch, { recursive: true, force: true }),
  };
}

export interface Stored {
  readonly subject: string;
  readonly id: string;
  readonly part: string;
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** Everything that a stream holds, in its order. Heartbeats are left out: they are not part of the order. */
export async function storedIn(url: string, name = 'TRACER', login = {}): Promise<Stored[]> {
  const connection = await connect({ servers: url, ...login });
  try {
    const { state } = await (await jetstreamManager(connection)).streams.info(name);
    const stored: Stored[] = [];
    if (state.messages === 0) return stored;
    const consumer = await jetstream(connection).consumers.get(name);
    const messages = await consumer.consume();
    for await (const message of messages) {
      const header = (key: string): string => message.headers?.get(key) ?? '';
      if (!message.subject.endsWith('.heartbeat')) {
        const id = header('Nats-Msg-Id');
        const [part, contentType] = [header('Tracer-Part'), header('Content-Type')];
        stored.push({ subject: message.subject, id, part, contentType, data: message.data.slice() });
      }
      if (message.seq >= state.last_seq) break;
    }
    return stored;
  } finally {
    await connection.close();
  }
}
