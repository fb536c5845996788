// What live tests are written with: `live` instead of `test`, a scratch folder, and one traced client from attach to end.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import type { Client } from './clients.ts';
import { type DecodedExchange, decodeRecording } from './decode.ts';
import { removeUsed } from './remove-used.ts';
import { Tracer, type TracerRun, whyNoLiveTests } from './tracer.ts';

const reason = whyNoLiveTests();
if (reason !== null) console.warn(`skipped: ${reason}`);

/** A test that needs root and the built tracer. */
export const live = test.skipIf(reason !== null);

/** A folder that goes away with the test. Everybody may write there: the tracer and what it starts do not stay root. */
export function scratch(): { readonly path: (name: string) => string } & Disposable {
  const dir = mkdtempSync(join(tmpdir(), 'tracer-live-'));
  chmodSync(dir, 0o777);
  return {
    path: (name) => join(dir, name),
    [Symbol.dispose]: () => removeUsed(dir),
  };
}

export interface Traced {
  readonly run: TracerRun;
  /** The recording, decoded again by the rooms themselves. */
  readonly exchanges: readonly DecodedExchange[];
}

/** Attaches to the client, lets it do its work, waits until both have ended. */
export async function traceClient(client: Client, recording: string, ...more: readonly string[]): Promise<Traced> {
  await using tracer = await Tracer.attach(client.pid, '--record', recording, ...more);
  client.go();
  await client.process.json('done');
  const run = await tracer.end();
  return { run, exchanges: await decodeRecording(recording) };
}
