// A program with OpenSSL in it whose symbols are in a file of their own, as distributions ship them, and whose own search must
// fail: the names at its error sites are damaged, and the method table's functions are referred to elsewhere.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { type ProgramImage, readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { readLink } from '../../../src/capture/proc/attempt.ts';
import { buildStaticClient } from './static-openssl.ts';

export interface Separated {
  readonly program: string;
  readonly debug: string;
  /** Symbol → address. */
  readonly symbols: ReadonlyMap<string, number>;
}

export function opened(path: string): ProgramImage {
  const source = openFileSource(path);
  const answer = source.ok ? readImage(source.value) : undefined;
  if (!answer?.ok) throw new Error(`${path} is not readable`);
  return answer.image;
}

export function buildSeparated(context: TestContext, directory: string, ...flags: string[]): Separated {
  const whole = buildStaticClient(context, 'threads', {
    flags: ['-O2', '-DKIT_REFERS_TO_METHODS', ...flags],
    keepSymbols: true,
  });
  const program = join(directory, 'program');
  const debug = join(directory, 'program.debug');
  execFileSync('objcopy', ['--only-keep-debug', whole, debug]);
  execFileSync('strip', ['-o', program, whole]);
  const bytes = readFileSync(program);
  for (const name of ['\0ssl_read_internal\0', '\0ssl_write_internal\0']) bytes.write('X', bytes.indexOf(name) + 1);
  writeFileSync(program, bytes, { mode: 0o755 });
  const lines = execFileSync('nm', [whole], { encoding: 'latin1', maxBuffer: 1 << 28 }).split('\n');
  const symbols = lines.map((line) => /^([0-9a-f]+) [Tt] (\S+)$/.exec(line) ?? []);
  return {
    program,
    debug,
    symbols: new Map(symbols.map(([, address, name]) => [name ?? '', Number.parseInt(address ?? '0', 16)])),
  };
}

/** Whether this process has the file open. */
export const isOpen = (path: string): boolean =>
  readdirSync('/proc/self/fd').some((fd) => {
    const link = readLink(`/proc/self/fd/${fd}`);
    return link.ok && link.value === path;
  });
