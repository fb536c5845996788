// Peak memory and time of every command that reads a recording, on a big one: `node test/bench/analysis-memory.mjs [MB] [command…]`
// (`show` measures show alone). The promise is 300 MB whatever the size. Peak memory is the kernel's own (VmHWM), read while the
// command runs; the program is build/tracer, with the flags that it gives to node.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBigRecording } from './big-recording.mjs';
import { scratchDir, TRACER } from './place.mjs';

const MB = 1_000_000;
const LIMIT_MB = 300;
const POLL_MS = 50;

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
    const child = spawn(TRACER, args, { stdio: ['ignore', 'ignore', 'inherit'] });
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
const out = join(scratchDir, 'out');
const log = join(scratchDir, 'main.jsonl');
writeFileSync(log, '{"ts":1,"dur":1,"type":"llm_request","name":"chat:gpt-4.1","attrs":{"model":"gpt-4.1"}}\n');

const COMMANDS = [
  ['report', file],
  ['show', file],
  ['show', file, '--list'],
  ['cache', file],
  ['conversations', file],
  ['models', file],
  ['context', file],
  ['context', file, '--by', 'call'],
  ['replay', file],
  ['replay', file, '-v'],
  ['audit', file],
  ['find', file, 'not to be found anywhere'],
  ['compare', file, '--debug-log', log],
  ['info', file],
  ['export', file, '--har', out],
  ['export', file, '--sqlite', out],
  ['export', file, '--raw', '--pcapng', out],
  ['cut', file, out, '--from', '+1s'],
  ['scrub', file, out],
];

const [megabytes = '1000', ...wanted] = process.argv.slice(2);
const calls = makeBigRecording(file, Number(megabytes) * MB);
console.log(`${(statSync(file).size / MB).toFixed(0)} MB, ${calls} calls`);
let isOver = false;
for (const args of COMMANDS.filter(([name = '']) => wanted.length === 0 || wanted.includes(name))) {
  const { code, seconds, peakMb } = await measure(args);
  isOver ||= peakMb > LIMIT_MB;
  const words = args.filter((arg) => !arg.startsWith(scratchDir)).join(' ');
  console.log(`tracer ${words}: ${seconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB at most, exit ${code}`);
  rmSync(out, { force: true });
}
rmSync(scratchDir, { recursive: true });
process.exitCode = isOver ? 1 : 0;
