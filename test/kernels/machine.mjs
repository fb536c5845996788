// Boots a kernel with a file system in memory, in an emulated machine without any network, and gives what its checks say.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Packages, unpack } from './packages.mjs';

/** An emulated processor on a busy machine; a whole run takes 5 to 15 minutes. */
const LIMIT_MS = 60 * 60 * 1000;
const MEMORY_MIB = 2560;

// no_timer_check: on a busy machine the emulated timer may come too late for the kernel's own test of it, which then panics.
const EMULATORS = {
  amd64: { command: 'qemu-system-x86_64', package: 'qemu-system-x86', args: ['-cpu', 'max'], console: 'ttyS0 no_timer_check' },
  arm64: {
    command: 'qemu-system-aarch64',
    package: 'qemu-system-arm',
    args: ['-machine', 'virt', '-cpu', 'cortex-a72'],
    console: 'ttyAMA0',
  },
};

/** What is needed on this machine. @param {'amd64' | 'arm64'} arch @returns {{ command: string, package: string }} */
export const emulatorOf = (arch) => EMULATORS[arch];

/** The newest kernel of a row. @param {import('./kernels.mjs').KernelRow} kernel @param {string} cache @returns {string} its path */
export const kernelImage = (kernel, cache) => {
  const packages = new Packages(cache, kernel.arch, kernel.suites);
  const name = packages.newest(kernel.pattern);
  const folder = join(cache, 'kernels', name);
  unpack(packages.fetch(name), folder);
  // In /boot, or since Debian 14 beside the modules: usr/lib/modules/VERSION/vmlinuz.
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => /(^boot|modules\/[^/]+)\/vmlinu[^/]*$/.test(path));
  if (file === undefined) throw new Error(`no kernel in ${name}`);
  return join(folder, file);
};

/**
 * @param {import('./kernels.mjs').KernelRow} kernel @param {string} kernelFile @param {string} image @param {string} logFile
 * @param {(line: any) => void} told
 * @returns {Promise<any[]>} the results, in their order
 */
export const boot = (kernel, kernelFile, image, logFile, told) => {
  const { command, args, console: consoleName } = EMULATORS[kernel.arch];
  const machine = ['-accel', 'tcg,thread=multi', '-smp', '2', '-m', String(MEMORY_MIB), '-nodefaults', '-no-reboot'];
  const devices = ['-display', 'none', '-nic', 'none', '-serial', 'stdio'];
  const system = [
    '-kernel',
    kernelFile,
    '-initrd',
    image,
    '-append',
    `console=${consoleName} quiet loglevel=1 panic=-1`,
  ];
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  const child = spawn(command, [...args, ...machine, ...devices, ...system], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const timer = setTimeout(stop, LIMIT_MS);
  /** @type {any[]} */
  const results = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      if (!line.startsWith('@@ {')) return;
      const result = JSON.parse(line.slice(3));
      results.push(result);
      told(result);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      process.off('exit', stop);
      log.end();
      resolve(results);
    });
  });
};
