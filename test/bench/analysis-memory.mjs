// Peak memory and time of every command that asks about a recording, on a big one: `node test/bench/analysis-memory.mjs [MB]`.
// The promise is 300 MB whatever the size. Peak memory is the kernel's own (VmHWM), read while the command runs.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeBigRecording } from './big-recording.mjs';
import { at, scratchDir } from './place.mjs';

const MB = 1_000_000;
const LIMIT_MB = 300;
const POLL_MS = 50;
const main = process.env.TRACER_JS ? `${process.env.TRACER_JS}/cli/main.js` : at('build/js/cli/main.js');

/** @param {number} pid */
const peakKb = (pid) => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    // It has ended.
    return 0;
  }
};

/** @param {readonly string[]} args */
const measure = (args) =>
  new Promise((resolve) => {
    const begin = performance.now();
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, peakKb(child.pid ?? 0));
    }, POLL_MS);
    child.on('exit', (code) => {
      clearInterval(timer);
      resolve({ code, seconds: (performance.now() - begin) / 1000, peakMb: (peak * 1024) / MB });
    });
  });

const file = join(scratchDir, 'big.trc');
const calls = makeBigRecording(file, Number(process.argv[2] ?? 1000) * MB);
console.log(`${(statSync(file).size / MB).toFixed(0)} MB, ${calls} calls`);
let isOver = false;
for (const args of [['context', file], ['context', file, '--by', 'call'], ['cache', file], ['find', file, 'not to be found anywhere'], ['report', file]]) {
  const { code, seconds, peakMb } = await measure(args);
  isOver ||= peakMb > LIMIT_MB;
  console.log(`tracer ${args.filter((arg) => arg !== file).join(' ')}: ${seconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB at most, exit ${code}`);
}
rmSync(scratchDir, { recursive: true });
process.exitCode = isOver ? 1 : 0;
