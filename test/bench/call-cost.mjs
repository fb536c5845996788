// What tracing adds to one TLS library call: 1 KB messages between two ends in one process, without a tracer, with empty
// probes at the same places (the floor of any uprobe tool), and with the tracer. Each measurement has its own bare
// measurement right before it, so that drift of the machine cancels out; medians over the pairs. Both kinds of probes count
// how often they fired, and the numbers must agree. Times are CPU time of the subject, which never sleeps for long: on an idle
// machine that is the time that passes, and on a busy one the others are left out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../kit/service/certificate.mjs';
import { Child } from './child.mjs';
import { EmptyProbes } from './empty-probes.mjs';
import { at, compileClient, compileEmpty, scratchDir, TRACER } from './place.mjs';

const MESSAGE_BYTES = 1024;
const CALIBRATION_ROUNDS = 1000;
const PAIRS = 5;
/** A round of Node has a read more or less when a message arrives in two pieces; the C subject's rounds are all alike. */
const HITS_TOLERANCE = 0.001;

/** @typedef {{ subject: string, bareUs: number, callsPerRound: number, emptyHitsPerRound: number, emptyUs: number, tracerUs: number, ratio: number, lostBytes: number }} CallCost */

/** @param {number[]} values */
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return /** @type {number} */ (sorted[sorted.length >> 1]);
};

/** @param {Child} subject @param {number} rounds @returns {Promise<number>} µs of CPU time per round */
const measure = async (subject, rounds) => {
  subject.say(String(rounds));
  return (await subject.next('cpuNs')).cpuNs / rounds / 1000;
};

/** @param {Child} subject @param {number} rounds @param {string} empty */
const emptyPair = async (subject, rounds, empty) => {
  const bare = await measure(subject, rounds);
  const probes = new EmptyProbes(empty, subject.pid);
  try {
    const probed = await measure(subject, rounds);
    return { addedUs: probed - bare, ...probes.hits() };
  } finally {
    probes.close();
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
    calls: counters.calls_out + counters.calls_in,
    lostBytes: lost.out + lost.in,
  };
};

/**
 * Throws unless the floor's probes fired as often as the tracer's: else the two columns would not speak of the same calls.
 * @param {string} name @param {Awaited<ReturnType<typeof emptyPair>>} floor @param {Awaited<ReturnType<typeof tracerPair>>} real
 */
const requireSameHits = (name, floor, real) => {
  const off = Math.abs(floor.entries - real.calls);
  if (floor.entries > 0 && floor.returns === floor.entries && off <= real.calls * HITS_TOLERANCE) return;
  throw new Error(
    `${name}: empty probes fired ${floor.entries} times at entry and ${floor.returns} times at return, the tracer's hooks ${real.calls} times`,
  );
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
    const floor = await emptyPair(subject, rounds, empty);
    const real = await tracerPair(subject, rounds);
    requireSameHits(name, floor, real);
    empties.push(floor);
    traced.push(real);
  }
  await subject.stop();
  const callsPerRound = median(traced.map((one) => one.calls)) / rounds;
  const emptyUs = median(empties.map((one) => one.addedUs)) / callsPerRound;
  const tracerUs = median(traced.map((one) => one.addedUs)) / callsPerRound;
  return {
    subject: name,
    bareUs: median(traced.map((one) => one.bare)),
    callsPerRound,
    emptyHitsPerRound: median(empties.map((one) => one.entries)) / rounds,
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
