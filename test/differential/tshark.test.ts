// The same recorded connections decoded by tshark and by the engine: same header lists, same bodies. The recordings are real
// ones (test/kit/captures/record.mjs made them); tshark shares no code with the engine.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dir } from '../../src/model/index.ts';
import { loadBrotli } from '../kit/brotli.ts';
import { type HeardExchange, hearEngine } from '../kit/heard.ts';
import { type Capture, hasTshark, hearTshark } from '../kit/tshark.ts';

const FOLDER = fileURLToPath(new URL('../vectors/captures/', import.meta.url));

function readCapture(file: string): Capture {
  const rows = JSON.parse(gunzipSync(readFileSync(FOLDER + file)).toString()) as [Dir, string][];
  const segments = rows.map(([dir, base64]) => ({ dir, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) }));
  const first = Buffer.concat(segments.filter(({ dir }) => dir === 'out').map(({ bytes }) => bytes));
  return { name: file.replace('.json.gz', ''), isHttp2: first.toString('latin1').startsWith('PRI *'), segments };
}

const captures = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json.gz'))
  .map(readCapture);

it('has at least fifty captures of both versions', () => {
  expect(captures.filter(({ isHttp2 }) => isHttp2).length).toBeGreaterThanOrEqual(30);
  expect(captures.filter(({ isHttp2 }) => !isHttp2).length).toBeGreaterThanOrEqual(20);
});

/** Where tshark is known to fail, with the reason: there the engine must still agree with all that tshark tells. */
const BEYOND_TSHARK = new Map([
  ['nghttp-table-twice', 'tshark 4.0 takes the last of several table sizes in one SETTINGS frame for the only one'],
]);

/** What tshark could not tell, filled in from the engine. */
const completed = (heard: readonly HeardExchange[], ours: readonly HeardExchange[]): HeardExchange[] =>
  heard.map(({ request, informational, response }, at) => ({
    request: { ...request, head: request.head ?? ours[at]?.request.head ?? null },
    informational,
    response: { ...response, head: response.head ?? ours[at]?.response.head ?? null },
  }));

describe.skipIf(!hasTshark())('tshark and the engine agree on', () => {
  let heard: HeardExchange[][] = [];
  beforeAll(async () => {
    await loadBrotli();
    heard = hearTshark(captures);
  });

  it.each(captures.map(({ name }, at) => [name, at] as const))('%s', (name, at) => {
    const exchanges = hearEngine(captures[at]!.segments);
    expect(exchanges.length).toBeGreaterThan(0);
    const theirs = heard[at]!;
    if (BEYOND_TSHARK.has(name)) expect(exchanges).not.toEqual(theirs);
    expect(exchanges).toEqual(BEYOND_TSHARK.has(name) ? completed(theirs, exchanges) : theirs);
  });
});
