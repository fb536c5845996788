// How fast a recording is decoded: `tracer replay --json` from process start to end, best of three, minus the time that the
// replay of a recording of a few records takes.
import { spawnSync } from 'node:child_process';
import { at, TRACER } from './place.mjs';

const MB = 1_000_000;
const TRIES = 3;

/** @typedef {import('./delivery.mjs').Delivery} Delivery */

/** @param {string} file */
const replayMs = (file) => {
  const times = Array.from({ length: TRIES }, () => {
    const begin = performance.now();
    const { stderr, signal } = spawnSync(TRACER, ['replay', file, '--json'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (signal) throw new Error(`replay of ${file} was ended by ${signal}: ${stderr}`);
    return performance.now() - begin;
  });
  return Math.min(...times);
};

/** The largest recording of each kind. @param {readonly Delivery[]} deliveries */
export function replaySpeeds(deliveries) {
  const startMs = replayMs(at('test/vectors/recording/v1.rec'));
  const isLargest = (/** @type {Delivery} */ one) =>
    !deliveries.some((other) => other.what === one.what && other.bytes > one.bytes);
  return deliveries.filter(isLargest).map(({ what, bytes, recording, recordingBytes }) => {
    const ms = replayMs(recording);
    return { what, bytes, recordingBytes, ms, startMs, mbPerSecond: recordingBytes / MB / ((ms - startMs) / 1000) };
  });
}
