// What the tests share: compiled fixtures, a program to attach to, child processes, the reason for skipping.
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const native = dirname(here);
const out = join(native, 'build', 'test');
const multiarch = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch as string] ?? '';

// In CI nothing is skipped: what needs root and has it not fails.
const mayTry = process.getuid?.() === 0 || process.env.CI === 'true';
if (!mayTry)
  console.warn('native tests need root (CAP_BPF, CAP_PERFMON, CAP_SYS_ADMIN): those that load programs are skipped');

/** A group of tests that load programs. As root they never skip. */
export const describeAsRoot = describe.skipIf(!mayTry);

const built = new Set<string>();
const once = (name: string, build: () => void): string => {
  const path = join(out, name);
  if (built.has(name)) return path;
  mkdirSync(out, { recursive: true });
  build();
  built.add(name);
  return path;
};

/** Path of the compiled fixture `<name>.bpf.c`. */
export const bpfObject = (name: string): string =>
  once(`${name}.bpf.o`, () => {
    const include = `/usr/include/${multiarch}`;
    const source = join(here, 'fixtures', `${name}.bpf.c`);
    execFileSync('clang', [
      '-g',
      '-O2',
      '-Wall',
      '-target',
      'bpf',
      '-I',
      include,
      '-c',
      source,
      '-o',
      join(out, `${name}.bpf.o`),
    ]);
  });

/** Path of the program to attach to (fixtures/target.c). */
export const targetPath = (): string =>
  once('target', () => {
    execFileSync('cc', ['-O1', '-o', join(out, 'target'), join(here, 'fixtures', 'target.c')]);
  });

/** File offset of a function of the target: the linker gives its text segment equal addresses and offsets. */
export const targetOffset = (symbol: string): number => {
  const line = execFileSync('nm', [targetPath()], { encoding: 'utf8' })
    .split('\n')
    .find((row) => row.endsWith(` ${symbol}`));
  return Number.parseInt(line!.split(' ')[0]!, 16);
};

/** A running target. */
export class Target {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  constructor() {
    this.#child = spawn(targetPath(), { stdio: ['pipe', 'pipe', 'inherit'] });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Calls alpha() 10^digit times, or beta() once for 'b', for each byte; resolves when all have returned. */
  async run(orders: string): Promise<void> {
    let left = orders.length;
    const done = new Promise<void>((resolve) => {
      const onData = (answer: Buffer): void => {
        left -= answer.length;
        if (left > 0) return;
        this.#child.stdout.off('data', onData);
        resolve();
      };
      this.#child.stdout.on('data', onData);
    });
    this.#child.stdin.write(orders);
    await done;
  }

  async end(): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await exited;
  }
}

export const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
export const u64 = (value: bigint): Uint8Array => new Uint8Array(BigUint64Array.of(value).buffer);
export const asU64 = (bytes: Uint8Array | undefined): bigint => Buffer.from(bytes!).readBigUInt64LE();

/** Path of the C library that this process runs on. */
export const libcPath = (): string => /\S+\/libc\.so\.6$/m.exec(readFileSync('/proc/self/maps', 'utf8'))![0];

/** Runs `code` as an ES module against the compiled package; `api` is what the package exports, `apiUrl` where
 * it lies, `objectPath` and `targetPath` the fixtures. */
export const runChild = (code: string, nodeArgs: readonly string[] = []) => {
  execFileSync('make', ['-s', '-C', native]);
  const apiUrl = pathToFileURL(join(native, 'build/js/index.js')).href;
  const head = `import * as api from ${JSON.stringify(apiUrl)};
    const apiUrl = ${JSON.stringify(apiUrl)}, objectPath = ${JSON.stringify(bpfObject('probe'))}, targetPath = ${JSON.stringify(targetPath())};\n`;
  const args = [...nodeArgs, '--input-type=module', '-e', head + code];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  return { status, signal, stdout, stderr };
};
