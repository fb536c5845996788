// Helpers of the kernel-side tests: build the objects and the small C programs, run a scenario of target.c under
// loader.c, and give back what the ring held as plain values. Everything is built into a temporary folder.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CONNECTION_FLAG, RECORD_DIR, RECORD_KIND, RECORD_LAYOUT } from '../../src/record/layout.gen.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HERE = join(ROOT, 'test/bpf');
const CAP_SYS_ADMIN = 21n;

export const folder = mkdtempSync(join(tmpdir(), 'tracer-bpf-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Why live tests cannot run here, or undefined when they can (and then they must pass). */
export function whyNotLive(): string | undefined {
  // In CI nothing is skipped: what is missing fails.
  if (process.env.CI === 'true') return undefined;
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  if (process.getuid?.() !== 0 || !((BigInt(`0x${effective}`) >> CAP_SYS_ADMIN) & 1n))
    return 'loading BPF programs and attaching uprobes needs root with CAP_SYS_ADMIN';
  return hasTool('clang') ? undefined : 'clang is not installed (apt-get install clang)';
}

function hasTool(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Every clang on this machine, oldest first. */
export function availableClangs(): string[] {
  const numbered = Array.from({ length: 12 }, (_, i) => `clang-${i + 14}`).filter(hasTool);
  return numbered.length > 0 ? numbered : ['clang'].filter((name) => process.env.CI === 'true' || hasTool(name));
}

/** Builds both objects with one compiler and returns their folder. */
export function buildObjects(clang: string, ...args: string[]): string {
  const out = join(folder, [clang, ...args].join('-'));
  execFileSync('make', ['-s', '-C', join(ROOT, 'bpf'), `OUT=${out}`, `CLANG=${clang}`, ...args], { encoding: 'utf8' });
  return out;
}

/** Compiles one C file of this folder to a program. */
export function buildProgram(source: string, ...flags: string[]): string {
  const out = join(folder, source.replace(/\.c$/, ''));
  const always = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-O1', '-g', '-pthread', '-fno-optimize-sibling-calls'];
  execFileSync('cc', [...always, '-o', out, join(HERE, source), ...flags], { encoding: 'utf8' });
  return out;
}

export interface Seen {
  readonly kind: keyof typeof RECORD_KIND;
  readonly dir: keyof typeof RECORD_DIR;
  readonly ssl: bigint;
  readonly startNs: bigint;
  readonly tsNs: bigint;
  readonly offset: number;
  readonly aux: number;
  readonly pid: number;
  readonly tid: number;
  readonly generation: number;
  readonly hook: number;
  readonly flags: number;
  readonly bytes: Buffer;
}

function nameOf<T extends Record<string, number>>(table: T, value: number): keyof T {
  const found = Object.entries(table).find(([, n]) => n === value);
  if (!found) throw new Error(`no name for ${value}`);
  return found[0];
}

function readRecord(file: Buffer, at: number): Seen {
  const u32 = (field: number): number => file.readUInt32LE(at + field);
  const u64 = (field: number): bigint => file.readBigUInt64LE(at + field);
  const L = RECORD_LAYOUT;
  const start = at + L.sizeBytes;
  return {
    kind: nameOf(RECORD_KIND, file.readUInt16LE(at + L.kind)),
    dir: nameOf(RECORD_DIR, file.readUInt8(at + L.dir)),
    ssl: u64(L.ssl),
    startNs: u64(L.startNs),
    tsNs: u64(L.tsNs),
    offset: Number(u64(L.offset)),
    aux: Number(u64(L.aux)),
    pid: u32(L.pid),
    tid: u32(L.tid),
    generation: u32(L.generation),
    hook: u32(L.hook),
    flags: file.readUInt8(at + L.flags),
    bytes: file.subarray(start, start + u32(L.lenBytes)),
  };
}

function readRecords(path: string): Seen[] {
  const file = readFileSync(path);
  const records: Seen[] = [];
  for (let at = 0; at < file.length; ) {
    const record = readRecord(file, at);
    records.push(record);
    at += RECORD_LAYOUT.sizeBytes + record.bytes.length;
  }
  return records;
}

export interface OpenConnection {
  readonly ssl: bigint;
  readonly pid: number;
  readonly generation: number;
  readonly outBytes: number;
  readonly inBytes: number;
  readonly isClosed: boolean;
}

export interface Trace {
  readonly records: Seen[];
  readonly counters: Record<string, number>;
  readonly connections: OpenConnection[];
  readonly threads: number;
}

function parseReport(lines: string[]): Omit<Trace, 'records'> {
  const counters: Record<string, number> = {};
  const connections: OpenConnection[] = [];
  let threads = -1;
  for (const line of lines) {
    const [what, a = '', b = '', c = '', d = '', e = '', f = ''] = line.split(' ');
    if (what === 'counter') counters[a] = Number(b);
    if (what === 'threads') threads = Number(a);
    if (what !== 'connection') continue;
    const isClosed = (Number(f) & CONNECTION_FLAG.closed) !== 0;
    const sizes = { generation: Number(c), outBytes: Number(d), inBytes: Number(e) };
    connections.push({ ssl: BigInt(a), pid: Number(b), ...sizes, isClosed });
  }
  return { counters, connections, threads };
}

export interface TraceOptions {
  readonly object: string;
  readonly loader: string;
  readonly pid: number;
  readonly attach: readonly string[];
  readonly ringBytes?: number;
  readonly follow?: boolean;
  /** Leave the ring alone until the end. */
  readonly lazy?: boolean;
}

/** Attaches, runs `during`, detaches, and returns all that was seen. */
export async function trace(options: TraceOptions, during: () => Promise<void>): Promise<Trace> {
  const out = join(folder, `ring-${options.pid}`);
  const flags = (options.follow ? 1 : 0) | (options.lazy ? 2 : 0);
  const ringBytes = options.ringBytes ?? 16 * 1024 * 1024;
  const args = ['trace', options.object, ringBytes, out, options.pid, flags, ...options.attach].map(String);
  const loader = spawn(options.loader, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => loader.on('close', resolve));
  const lines: string[] = [];
  let errors = '';
  loader.stderr.on('data', (text) => {
    errors += text;
  });
  await new Promise<void>((resolve) => {
    createInterface(loader.stdout).on('line', (line) => (line === 'ready' ? resolve() : lines.push(line)));
    void ended.then(() => resolve());
  });
  if (loader.exitCode === null) await during();
  loader.stdin.end('\n');
  if ((await ended) !== 0) throw new Error(`loader failed: ${errors}`);
  return { records: readRecords(out), ...parseReport(lines) };
}
