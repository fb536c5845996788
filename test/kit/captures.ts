// The recorded connections of test/vectors/captures.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Dir } from '../../src/model/index.ts';
import type { Segment } from './pcap.ts';

export interface Capture {
  readonly name: string;
  /** From its first byte; one that is upgraded is not. */
  readonly isHttp2: boolean;
  readonly segments: readonly Segment[];
}

const FOLDER = fileURLToPath(new URL('../vectors/captures/', import.meta.url));

function readCapture(file: string): Capture {
  const rows = JSON.parse(gunzipSync(readFileSync(FOLDER + file)).toString()) as [Dir, string][];
  const segments = rows.map(([dir, base64]) => ({ dir, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) }));
  const first = Buffer.concat(segments.filter(({ dir }) => dir === 'out').map(({ bytes }) => bytes));
  return { name: file.replace('.json.gz', ''), isHttp2: first.toString('latin1').startsWith('PRI *'), segments };
}

export const readCaptures = (): Capture[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json.gz'))
    .map(readCapture);
