// What tracing adds to one TLS library call: 1 KB messages between two ends in one process, without a tracer, with empty
// probes on SSL_read and SSL_write (the floor of any uprobe tool), and with the tracer. Each measurement has its own bare
// measurement right before it, so that drift of the machine cancels out; medians over the pairs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BpfObject } from '@ebpf-tools/node';
import { makeCertificate } from '../kit/service/certificate.mjs';
import { Child } from './child.mjs';
import { at, compileClient, compileEmpty, scratchDir, TRACER } from './place.mjs';

const MESSAGE_BYTES = 1024;
const CALIBRATION_ROUNDS = 1000;
const PAIRS = 7;

/** @typedef {{ subject: string, bareUs: number, callsPerRound: number, emptyUs: number, tracerUs: number, ratio: number, lostBytes: number }} CallCost */

/** @param {number[]} values */
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return /** @type {number} */ (sorted[sorted.length >> 1]);
};

/** The file that a process runs its TLS library from: libssl.so if mapped, else the program itself. @param {number} pid */
const libraryOf = (pid) =>
  readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/\S*\/libssl\.so\S*/)?.[0] ?? `/proc/${pid}/exe`;

/** @param {Child} subject @param {number} rounds @returns {Promise<number>} µs per round */
const measure = async (subject, rounds) => {
  subject.say(String(rounds));
  return (await subject.next('ns')).ns / rounds / 1000;
};

/** @param {string} object @param {number} pid */
const attachEmpty = (object, pid) => {
  const bpf = BpfObject.open(object).load();
  for (const symbol of ['SSL_read', 'SSL_write']) {
    bpf.program('empty_enter').attachUprobe({ path: libraryOf(pid), symbol, pid });
    bpf.program('empty_exit').attachUprobe({ path: libraryOf(pid), symbol, pid, retprobe: true });
  }
  return bpf;
};

/** @param {Child} subject @param {number} rounds @param {string} empty @returns {Promise<number>} added µs per round */
const emptyPair = async (subject, rounds, empty) => {
  const bare = await measure(subject, rounds);
  const bpf = attachEmpty(empty, subject.pid);
  try {
    return (await measure(subject, rounds)) - bare;
  } finally {
    bpf.close();
  }
};

/** @param {Child} subject @param {number} rounds */
const tracerPair = async (subject, rounds) => {
  const bare = await measure(subject, rounds);
  const tracer = new Child(TRACER, ['attach', '--json', '--pid', String(subject.pid)]);
  await tracer.attached();
  const traced = await measure(subject, rounds);
  const summary = tracer.next('counters');
  tracer.process.kill('SIGINT');
  const { counters, lost } = await summary;
  await tracer.ended;
  return {
    bare,
    addedUs: traced - bare,
    calls: (counters.calls_out + counters.calls_in) / rounds,
    lostBytes: lost.out + lost.in,
  };
};

/** @param {string} name @param {Child} subject @param {string} empty @param {number} seconds @returns {Promise<CallCost>} */
const costOf = async (name, subject, empty, seconds) => {
  await subject.next('ready');
  const calibrated = await measure(subject, CALIBRATION_ROUNDS);
  // Four measurements per pair of pairs; traced ones take about twice as long as bare ones.
  const rounds = Math.max(CALIBRATION_ROUNDS, Math.round((seconds * 1e6) / calibrated / (PAIRS * 6)));
  const empties = [];
  const traced = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    empties.push(await emptyPair(subject, rounds, empty));
    traced.push(await tracerPair(subject, rounds));
  }
  await subject.stop();
  const callsPerRound = median(traced.map((one) => one.calls));
  const emptyUs = median(empties) / callsPerRound;
  const tracerUs = median(traced.map((one) => one.addedUs)) / callsPerRound;
  const bareUs = median(traced.map((one) => one.bare));
  return {
    subject: name,
    bareUs,
    callsPerRound,
    emptyUs,
    tracerUs,
    ratio: tracerUs / emptyUs,
    lostBytes: traced.reduce((sum, one) => sum + one.lostBytes, 0),
  };
};

/** @param {number} seconds per subject @returns {Promise<CallCost[]>} */
export async function callCosts(seconds) {
  const { cert, key } = makeCertificate('Benchmark', ['localhost']);
  const files = [join(scratchDir, 'cert.pem'), join(scratchDir, 'key.pem')];
  writeFileSync(files[0], cert);
  writeFileSync(files[1], key, { mode: 0o600 });
  const empty = compileEmpty();
  const args = [...files, String(MESSAGE_BYTES)];
  return [
    await costOf('libssl, C', new Child(compileClient('ping-pong'), args), empty, seconds),
    await costOf(
      'Node TLS',
      new Child(process.execPath, [at('test/bench/node-ping-pong.mjs'), ...args]),
      empty,
      seconds,
    ),
  ];
}
