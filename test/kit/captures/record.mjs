// Records the captures of test/vectors/captures anew: `node test/kit/captures/record.mjs [name…]`. Needs curl, nghttp2-client,
// nghttp2-server, nghttp2-proxy, nginx, chromium and python3-websockets. The files are committed, so that the tests need none of these.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CASES } from './cases.mjs';
import {
  makeDocuments,
  SOCKET_MODES,
  startNghttpd,
  startNghttpx,
  startNginx,
  startNodeHttp1,
  startNodeHttp2,
  startSockets,
} from './origins.mjs';
import { startRelay } from './relay.mjs';

const FOLDER = fileURLToPath(new URL('../../vectors/captures/', import.meta.url));
/** Time for the last packets of a connection that the client has left. */
const SETTLE_MS = 150;

/** @param {string} scratch */
const startOrigins = async (scratch) => {
  const htdocs = makeDocuments(scratch);
  const node1 = await startNodeHttp1();
  /** @type {Record<string, import('./origins.mjs').Origin>} */
  const origins = {
    node1,
    node2: await startNodeHttp2(),
    nginx1: await startNginx(scratch, htdocs, node1.port, false),
    nginx2: await startNginx(scratch, htdocs, node1.port, true),
    nghttpd: await startNghttpd(htdocs, ['-p/index.html=/style.css', '--echo-upload']),
    'nghttpd-padded': await startNghttpd(htdocs, ['-b', '255']),
    'nghttpd-trailers': await startNghttpd(htdocs, ['--trailer', 'x-server-sum: 7']),
    nghttpx: await startNghttpx(node1.port),
  };
  for (const mode of SOCKET_MODES) origins[`socket-${mode}`] = await startSockets(mode);
  return origins;
};

/** One gzip file per connection: JSON with the segments in base64. @param {string} name @param {import('./relay.mjs').Segment[]} segments */
const save = (name, segments) => {
  const rows = segments.map(({ dir, bytes }) => [dir, bytes.toString('base64')]);
  writeFileSync(join(FOLDER, `${name}.json.gz`), gzipSync(JSON.stringify(rows), { level: 9 }));
};

/** @param {typeof CASES[number]} row @param {number} originPort @param {string} scratch */
const record = async ({ name, alpn, run }, originPort, scratch) => {
  const relay = await startRelay(originPort, alpn);
  await run(relay.port, scratch);
  await sleep(SETTLE_MS);
  relay.close();
  const spoken = relay.connections.filter((segments) => segments.length > 3);
  spoken.forEach((segments, at) => {
    save(spoken.length === 1 ? name : `${name}-${at + 1}`, segments);
  });
  console.log(`${name}: ${spoken.map((segments) => segments.reduce((sum, { bytes }) => sum + bytes.length, 0)).join(', ')}`);
};

const wanted = process.argv.slice(2);
const isWanted = (/** @type {string} */ name) => wanted.length === 0 || wanted.some((part) => name.includes(part));
const scratch = mkdtempSync(join(tmpdir(), 'captures-'));
if (wanted.length === 0) for (const file of readdirSync(FOLDER)) if (file.endsWith('.gz')) rmSync(join(FOLDER, file));
const origins = await startOrigins(scratch);
try {
  for (const row of CASES.filter(({ name }) => isWanted(name))) {
    const origin = origins[row.origin];
    if (origin === undefined) throw new Error(`no origin ${row.origin}`);
    await record(row, origin.port, scratch);
  }
} finally {
  for (const { close } of Object.values(origins)) close();
  rmSync(scratch, { recursive: true, force: true });
}
process.exit();
