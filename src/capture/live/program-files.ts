// Files that a program which has not started yet will run from: the program, the interpreter of a script, what a wrapper
// script becomes, and the system's libssl. Hooking them beforehand is what makes `tracer run` see the first byte; whatever else the program maps is found
// when it does.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, delimiter, join } from 'node:path';
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

const candidatesFor = (name: string, path: string): readonly string[] =>
  name.includes('/') ? [name] : path.split(delimiter).map((dir) => join(dir, name));

/** As execvp(3) finds it; null when there is none. */
export const findProgram = (name: string, path: string): string | null =>
  candidatesFor(name, path).find(isExecutable) ?? null;

/** What stands where a program of this name would, for the words in which it is refused; null when nothing does. */
export function findFile(name: string, path: string): { readonly path: string; readonly isDirectory: boolean } | null {
  for (const candidate of name === '' ? [] : candidatesFor(name, path)) {
    try {
      return { path: candidate, isDirectory: statSync(candidate).isDirectory() };
    } catch {
      // Not here: what cannot be looked at could not be started either.
    }
  }
  return null;
}

/** The first bytes of a file; empty when it cannot be read. */
function headOf(path: string, lenBytes: number): string {
  try {
    const fd = openSync(path, 'r');
    const head = Buffer.alloc(lenBytes);
    const length = readSync(fd, head, 0, lenBytes, 0);
    closeSync(fd);
    return head.toString('latin1', 0, length);
  } catch {
    return '';
  }
}

const firstLine = (path: string): string => headOf(path, SHEBANG_BYTES).split('\n')[0] ?? '';

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

/** Wrappers are short: Debian's for Chromium has 5 KiB. */
const WRAPPER_BYTES = 64 * 1024;
/** Looking into a large program takes a second: not for every path that a script mentions. */
const MAX_WRAPPED = 4;

/** A script with the variables filled in that it sets to plain words at the start of a line. */
function withValues(script: string): string {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of script.matchAll(/^(?:export )?(\w+)=["']?([\w./+-]+)["']?$/gm)) {
    values.set(name, value);
  }
  return script.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => values.get(name) ?? whole);
}

/**
 * Programs that a wrapper script may become: files that it names by their path, and files of its own name in folders that
 * it names (`LIBDIR=/usr/lib/$APPNAME … exec $LIBDIR/$APPNAME`). A guess that costs a look and can only hook too much.
 */
function wrappedBy(file: string): readonly string[] {
  const script = headOf(file, WRAPPER_BYTES);
  if (!script.startsWith('#!')) return [];
  // Twice, for a variable whose value names another one.
  const text = withValues(withValues(script));
  const named = new Set(text.match(/(?<![\w$}/.])(?:\/[\w.@+-]+){2,}/g) ?? []);
  const candidates = [...named].flatMap((path) => [path, join(path, basename(file))]);
  return candidates.filter((path) => isExecutable(path) && headOf(path, 4) === '\x7fELF').slice(0, MAX_WRAPPED);
}

/** A link that leads nowhere, as a package that was removed may leave one, is no library. */
const sharedLibraries = (): readonly string[] =>
  LIBRARY_DIRS.flatMap((dir) => {
    try {
      const names = readdirSync(dir).filter((name) => /^libssl\.so\.[\d.]+$/.test(name));
      return names.map((name) => join(dir, name)).filter((path) => existsSync(path));
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

/**
 * Browsers and editors: large, so that looking into one takes as long as its first page does, and started by others, who open
 * a link or a folder in it.
 */
const LARGE_PROGRAMS = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'brave-browser'],
  ...['code', 'code-insiders', 'codium', 'cursor', 'windsurf'],
];

/** Files of large programs that are installed and may be started any time. `path`: where they are looked for. */
export function likelyPrograms(path: string): readonly string[] {
  const files = LARGE_PROGRAMS.flatMap((name) => {
    const program = findProgram(name, path);
    return program === null ? [] : [program, ...wrappedBy(program)];
  });
  return [...new Set(files.map((file) => realpathSync(file)))];
}

/** TLS libraries with hooks in the files from which `program` will run. `path` is its PATH. */
export function imagesOfProgram(program: string, path: string, cache?: FindingsCache): readonly TlsImage[] {
  const chain = chainOf(program, path);
  return hookableIn([...chain, ...chain.flatMap(wrappedBy), ...sharedLibraries()], cache);
}
