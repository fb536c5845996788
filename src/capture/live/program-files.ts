// Files that a program which has not started yet will run from: the program, the interpreter of a script, and the system's
// libssl. Hooking them beforehand is what makes `tracer run` see the first byte; whatever else the program maps is found
// when it does.

import { accessSync, closeSync, constants, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { FindingsCache } from '../discover/cache.ts';
import { findingsOf, type TlsImage } from '../discover/process.ts';
import { openFileSource } from '../discover/source.ts';

/** Where the dynamic linker of Debian-, Red-Hat- and Arch-like systems looks by default. */
const LIBRARY_DIRS = [
  '/lib/x86_64-linux-gnu',
  '/lib/aarch64-linux-gnu',
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/local/lib',
  '/usr/lib64',
  '/usr/lib',
] as const;

/** The kernel reads 256 bytes of a script's first line (BINPRM_BUF_SIZE, linux/binfmts.h). */
const SHEBANG_BYTES = 256;
/** A script's interpreter may be a script; the kernel follows 4 times. */
const MAX_INTERPRETERS = 4;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** As execvp(3) finds it; null when there is none. */
export function findProgram(name: string, path: string): string | null {
  const candidates = name.includes('/') ? [name] : path.split(delimiter).map((dir) => join(dir, name));
  return candidates.find(isExecutable) ?? null;
}

function firstLine(path: string): string {
  try {
    const fd = openSync(path, 'r');
    const head = Buffer.alloc(SHEBANG_BYTES);
    const length = readSync(fd, head, 0, SHEBANG_BYTES, 0);
    closeSync(fd);
    return head.toString('latin1', 0, length).split('\n')[0] ?? '';
  } catch {
    return '';
  }
}

/** The interpreter that a script's first line names (`#!/usr/bin/env node` names node), or null for a binary. */
function interpreterOf(file: string, path: string): string | null {
  const [interpreter = '', ...args] = firstLine(file)
    .replace(/^#!\s*/, '#!')
    .split(/\s+/);
  if (!interpreter.startsWith('#!')) return null;
  const named = interpreter.slice(2);
  const word = named.endsWith('/env') ? args.find((arg) => !arg.startsWith('-') && !arg.includes('=')) : undefined;
  return findProgram(word ?? named, path);
}

function chainOf(program: string, path: string): readonly string[] {
  const files: string[] = [];
  for (let file = findProgram(program, path); file !== null && files.length < MAX_INTERPRETERS; ) {
    files.push(file);
    file = interpreterOf(file, path);
  }
  return files;
}

const sharedLibraries = (): readonly string[] =>
  LIBRARY_DIRS.flatMap((dir) => {
    try {
      return readdirSync(dir).flatMap((name) => (/^libssl\.so\.[\d.]+$/.test(name) ? [join(dir, name)] : []));
    } catch {
      return [];
    }
  });

/** `major:minor` in hex, as /proc/PID/maps writes a device. */
function deviceText(dev: number): string {
  const major = Math.floor(dev / 256) & 0xfff;
  const minor = (dev & 0xff) | (Math.floor(dev / 4096) & 0xfff00);
  return [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
}

function imagesOf(path: string, cache: FindingsCache | undefined): readonly TlsImage[] {
  const source = openFileSource(path);
  if (!source.ok) return [];
  try {
    const { buildId, findings } = findingsOf(source.value, cache);
    const { dev, ino } = statSync(path);
    const file = { dev: deviceText(dev), inode: ino, ...(buildId !== undefined && { buildId }) };
    return findings.map((finding) => ({ ...finding, file, path, attachPath: path }));
  } finally {
    source.value.close();
  }
}

const hookableIn = (paths: readonly string[], cache: FindingsCache | undefined): readonly TlsImage[] =>
  [...new Set(paths.map((file) => realpathSync(file)))]
    .flatMap((file) => imagesOf(file, cache))
    .filter((image) => image.hooks.length > 0);

/** The system's shared TLS libraries, whether anybody maps them or not. */
export const systemImages = (cache?: FindingsCache): readonly TlsImage[] => hookableIn(sharedLibraries(), cache);

/** TLS libraries with hooks in the files from which `program` will run. `path` is its PATH. */
export function imagesOfProgram(program: string, path: string, cache?: FindingsCache): readonly TlsImage[] {
  return hookableIn([...chainOf(program, path), ...sharedLibraries()], cache);
}
