// Paths of the built parts, the scratch folder, and the C programs, compiled once per run.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
export const TRACER = at('build/tracer');

/** Everybody may write there: the tracer does not stay root. */
export const scratchDir = mkdtempSync(join(tmpdir(), 'tracer-bench-'));
chmodSync(scratchDir, 0o1777);

/** @param {string} name of a program in test/kit/c */
export function compileClient(name) {
  const target = join(scratchDir, name);
  execFileSync('cc', ['-O2', '-o', target, at(`test/kit/c/${name}.c`), '-lssl', '-lcrypto', '-lpthread']);
  return target;
}

/** @returns {string} the object with the empty programs */
export function compileEmpty() {
  const target = join(scratchDir, 'empty.bpf.o');
  const machine = execFileSync('uname', ['-m'], { encoding: 'utf8' }).trim();
  execFileSync('clang', [
    '-O2',
    '-g',
    '-target',
    'bpf',
    `-I/usr/include/${machine}-linux-gnu`,
    '-c',
    at('test/bench/empty.bpf.c'),
    '-o',
    target,
  ]);
  return target;
}
