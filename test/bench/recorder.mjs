// The recorder alone at a given rate: `node test/bench/recorder.mjs [MB/s] [seconds] [file]`. Prints what was fed (less than asked
// for when this process is out of breath), what was written and left out, memory and processor time. Plaintext is random,
// so nothing of it compresses: the worst case for the disk. BUILD=… takes another build's output instead of this one's.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { at, scratchDir } from './place.mjs';

const built = process.env.BUILD ?? at('build/js');
const { openRecorder } = await import(`${built}/app/recorder.js`);
const { encodeRecord } = await import(`${built}/record/index.js`);

const MB = 1_000_000;
const CHUNK_BYTES = 16_320;
/** Fed in one go: what a full ring may hand over at once. */
const MAX_BURST_BYTES = 8 * MB;
const NOISE = randomBytes(16 * MB);

const [rate = 200, seconds = 5] = process.argv.slice(2).map(Number);
const path = process.argv[4] ?? join(scratchDir, 'recorder.trc');
const key = { pid: 7, startNs: 5n, ssl: 1n, generation: 0 };

/** @param {number} offset */
const chunk = (offset) => {
  const from = offset % (NOISE.length - CHUNK_BYTES);
  const bytes = NOISE.subarray(from, from + CHUNK_BYTES);
  const tsNs = BigInt(Math.round(performance.now() * 1e6));
  return { kind: 'data', ...key, tsNs, tid: 1, hook: 1, dir: 'in', offset, callBytes: bytes.length, callEnd: true, bytes };
};

const facts = { monoNs: 0n, wallNs: 0n, bootId: 'bench', host: 'bench', toolVersion: '0' };
const recorder = openRecorder(path, 'bench', facts, (/** @type {Error} */ error) => console.error(error.message));
const begin = performance.now();
const cpuBefore = process.cpuUsage();
let fedBytes = 0;
let peakBytes = 0;
while (performance.now() - begin < seconds * 1000) {
  const dueBytes = (rate * MB * (performance.now() - begin)) / 1000;
  for (const end = Math.min(dueBytes, fedBytes + MAX_BURST_BYTES); fedBytes < end; fedBytes += CHUNK_BYTES) {
    const record = chunk(fedBytes);
    recorder.record(record, encodeRecord(record));
  }
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
  await pause(1);
}
const fedMs = performance.now() - begin;
const { bytes, droppedRecords, droppedBytes } = await recorder.close();
const { user, system } = process.cpuUsage(cpuBefore);
const closeMs = performance.now() - begin - fedMs;
rmSync(path);
const rounded = (/** @type {number} */ value) => Math.round(value * 10) / 10;
console.log(
  JSON.stringify({
    fedMB: rounded(fedBytes / MB),
    fedMBPerSecond: rounded(fedBytes / MB / (fedMs / 1000)),
    writtenMB: rounded(bytes / MB),
    leftOutMB: rounded(droppedBytes / MB),
    droppedRecords,
    peakMB: rounded(peakBytes / MB),
    cpuMsPerWrittenMB: rounded((user + system) / 1000 / (bytes / MB)),
    closeMs: rounded(closeMs),
  }),
);
