// `make bench`: what tracing costs on this machine and whether every byte arrives. Needs root and a build.
//   node test/bench/bench.mjs [--seconds N] [--out FILE]
// `--seconds` is the time for each of the two call-cost subjects. Prints tables; writes the same figures as JSON.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { callCosts } from './call-cost.mjs';
import { deliveries } from './delivery.mjs';
import { at, scratchDir, TRACER } from './place.mjs';
import { replaySpeeds } from './replay-speed.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, out: { type: 'string', default: at('build/bench.json') } },
});

const number = (/** @type {number} */ value, digits = 1) => value.toFixed(digits);
const mb = (/** @type {number} */ bytes) => `${number(bytes / 1e6, bytes < 1e6 ? 3 : 0)} MB`;

/** @param {string} title @param {string[]} heads @param {string[][]} rows */
const printTable = (title, heads, rows) => {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => String(row[i]).length)));
  const line = (/** @type {string[]} */ cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  console.log(`\n${title}\n${[heads, ...rows].map(line).join('\n')}`);
};

const run = async () => {
  const machine = {
    kernel: release(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    node: process.version,
  };
  console.log(`kernel ${machine.kernel}, ${machine.cores} × ${machine.cpu}, Node ${machine.node}`);
  const calls = await callCosts(Number(values.seconds));
  printTable(
    'Added time per hooked call, 1 KB messages (µs)',
    ['', 'bare round', 'hooks hit/round', 'empty hit/round', 'empty probes', 'tracer', 'tracer/empty', 'lost bytes'],
    calls.map((one) => [
      one.subject,
      number(one.bareUs),
      number(one.callsPerRound, 2),
      number(one.emptyHitsPerRound, 2),
      number(one.emptyUs, 2),
      number(one.tracerUs, 2),
      `${number(one.ratio, 2)} ×`,
      String(one.lostBytes),
    ]),
  );
  const delivered = await deliveries();
  printTable(
    'Bytes delivered',
    ['', 'sent', 'delivered', 'reported lost', 'bare ms', 'traced ms'],
    delivered.map((one) => [
      one.what,
      mb(one.bytes),
      `${number((100 * one.deliveredBytes) / one.bytes, 3)} %`,
      String(one.lostBytes),
      number(one.bareMs, 0),
      number(one.tracedMs, 0),
    ]),
  );
  const replays = replaySpeeds(delivered);
  printTable(
    'Decoding a recording',
    ['', 'body', 'recording', 'ms', 'MB/s'],
    replays.map((one) => [
      one.what,
      mb(one.bytes),
      mb(one.recordingBytes),
      number(one.ms, 0),
      number(one.mbPerSecond, 0),
    ]),
  );
  mkdirSync(dirname(values.out), { recursive: true });
  const kept = delivered.map(({ recording: _, ...figures }) => figures);
  writeFileSync(values.out, `${JSON.stringify({ machine, calls, delivered: kept, replays }, null, 2)}\n`);
  console.log(`\n${values.out}`);
};

if (process.geteuid?.() !== 0 || !existsSync(TRACER)) {
  console.error('bench: needs root and a build: run `sudo make bench`');
  process.exit(3);
}
try {
  await run();
} finally {
  rmSync(scratchDir, { recursive: true, force: true });
}
