// `make test-kernels`: the whole path on other kernels than this machine's, and on arm64, in emulated machines.
//   node test/kernels/kernels-test.mjs [--jobs N] [NAME…]     names of test/kernels/kernels.mjs; all when none is given
// Downloads come from Debian's and Ubuntu's archives and from npm, once, into build/kernels. Needs no root. Ends with a table,
// and with exit code 1 when anything was not as it should be; the logs are in build/kernels/logs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeImage } from './image.mjs';
import { KERNELS } from './kernels.mjs';
import { boot, emulatorOf, kernelImage } from './machine.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'build/kernels');
const { values, positionals } = parseArgs({
  options: { jobs: { type: 'string', default: '1' } },
  allowPositionals: true,
});

const say = (/** @type {string} */ text) => process.stderr.write(`kernels: ${text}\n`);

/** In the order of the command line. */
const chosen = () =>
  positionals.length === 0
    ? KERNELS
    : positionals.map((name) => {
        const kernel = KERNELS.find((row) => row.name === name);
        if (kernel !== undefined) return kernel;
        say(`there is no kernel ${name}; these are known: ${KERNELS.map((row) => row.name).join(' ')}`);
        return process.exit(2);
      });

/** @param {string} command */
const isThere = (command) => {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** @param {readonly import('./kernels.mjs').KernelRow[]} kernels */
const requireTools = (kernels) => {
  const arches = [...new Set(kernels.map(({ arch }) => arch))];
  const needed = [{ command: 'cpio', package: 'cpio' }, ...arches.map(emulatorOf)];
  if (arches.includes('arm64')) needed.push({ command: 'aarch64-linux-gnu-g++', package: 'g++-aarch64-linux-gnu' });
  const missing = needed.filter(({ command }) => !isThere(command));
  if (missing.length === 0) return;
  say(`missing: ${missing.map(({ command }) => command).join(', ')}`);
  say(`apt-get install ${missing.map((tool) => tool.package).join(' ')}`);
  process.exit(3);
};

/**
 * @typedef {object} Outcome
 * @property {import('./kernels.mjs').KernelRow} kernel
 * @property {any} facts
 * @property {any[]} steps
 * @property {string[]} problems
 */

/** @param {import('./kernels.mjs').KernelRow} kernel @param {any[]} results @returns {Outcome} */
const judge = (kernel, results) => {
  const steps = results.filter((result) => 'step' in result);
  const problems = steps.filter((step) => !step.ok).map((step) => `${step.step}: ${step.problems.join('\n  ')}`);
  if (!results.some((result) => result.done)) problems.push('the checks did not come to their end');
  const isRefused = steps.some((step) => step.step === 'refused');
  if (isRefused !== (kernel.expect === 'too-old')) problems.push(isRefused ? 'refused' : 'not refused');
  return { kernel, facts: results.find((result) => result.facts)?.facts, steps, problems };
};

const mark = (/** @type {{ ok: boolean } | undefined} */ feature) => (feature?.ok ? 'yes' : 'no');
const sum = (/** @type {number[]} */ list) => list.reduce((total, value) => total + value, 0);

/** @param {Outcome} outcome */
const rowOf = ({ kernel, facts, steps, problems }) => {
  const objects = steps.flatMap((step) => step.objects ?? []);
  const programs = Math.max(0, ...objects.map((object) => object.programs ?? 0));
  const captured = steps.filter((step) => 'exact' in step);
  const bytes = sum(captured.map(({ bytes: moved }) => (moved ? moved.out + moved.in : 0)));
  const calls =
    captured.length === 0
      ? 'refused, exit code 22'
      : `${sum(captured.map((step) => step.exact))} calls, ${bytes} bytes`;
  const features = [facts?.btf, facts?.bpfCookie, facts?.uprobeMulti].map(mark);
  const verdict = problems.length === 0 ? 'good' : 'BAD';
  return [
    kernel.name,
    facts?.kernelRelease ?? '?',
    facts?.arch ?? kernel.arch,
    ...features,
    String(programs),
    calls,
    verdict,
  ];
};

const HEADS = [
  'name',
  'kernel',
  'processor',
  'BTF',
  'cookies',
  'multi links',
  'programs',
  'captured byte for byte',
  'verdict',
];

/** @param {string[][]} rows */
const table = (rows) => {
  const widths = HEADS.map((head, i) => Math.max(head.length, ...rows.map((row) => String(row[i]).length)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(HEADS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};

/** Runs at most `width` at the same time; results in the order of the items. @template T, R @param {readonly T[]} items @param {number} width @param {(item: T) => Promise<R>} work @returns {Promise<R[]>} */
const inParallel = async (items, width, work) => {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i]);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
};

const kernels = chosen();
requireTools(kernels);
if (!existsSync(join(ROOT, 'build/tracer'))) {
  say('build/tracer is missing: run `make build` first');
  process.exit(3);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
mkdirSync(CACHE, { recursive: true });
/** @type {Record<string, string>} */
const images = {};
for (const { arch } of kernels) {
  if (images[arch] !== undefined) continue;
  say(`packing the file system for ${arch}`);
  images[arch] = makeImage(arch, CACHE);
}
const outcomes = await inParallel(kernels, Number(values.jobs), async (kernel) => {
  const file = kernelImage(kernel, CACHE);
  say(`${kernel.name}: booting ${file.split('/').at(-1)}`);
  const told = (/** @type {any} */ result) => {
    if (result.step) say(`${kernel.name}: ${result.ok ? 'good' : 'BAD '} ${result.step}, ${result.seconds} s`);
  };
  return judge(
    kernel,
    await boot(kernel, file, String(images[kernel.arch]), join(CACHE, 'logs', `${kernel.name}.log`), told),
  );
});
for (const { kernel, problems } of outcomes) for (const problem of problems) say(`${kernel.name}: ${problem}`);
console.log(table(outcomes.map(rowOf)));
process.exitCode = outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1;
