// C clients of the kit with Debian's static libssl in them, stripped: as programs and as shared objects. Built once per
// content and flags into the temporary directory.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { kitPath } from '../service.ts';
import { debianFile } from './programs.ts';

const FLAGS = ['-Wall', '-Wextra', '-Werror'];
const LIBRARIES = ['-l:libcrypto.a', '-ldl', '-lpthread'];

/** Calls of the object's functions stay inside it, whatever else the process exports. */
const AS_OBJECT = ['-shared', '-fPIC', '-Dmain=kit_main', '-Wl,--exclude-libs,ALL', '-Wl,-Bsymbolic'];

export interface StaticBuild {
  readonly flags: readonly string[];
  /** Build `main` as the function kit_main of a shared object. */
  readonly isObject?: boolean;
  readonly keepSymbols?: boolean;
  /** OpenSSL's TLS part in place of Debian's. */
  readonly ssl?: SslArchive;
}

export interface SslArchive {
  readonly archive: string;
  /** Folder with its headers. */
  readonly include: string;
}

/** Path of what is made of `c/<name>.c`. */
export function buildStaticClient(context: TestContext, name: string, build: StaticBuild): string {
  debianFile(context, '/usr/lib/x86_64-linux-gnu/libssl.a', 'libssl-dev');
  const source = kitPath(`c/${name}.c`);
  const own = build.ssl === undefined ? [] : ['-I', build.ssl.include];
  const args = [
    ...FLAGS,
    ...own,
    ...build.flags,
    ...(build.isObject ? AS_OBJECT : []),
    ...(build.keepSymbols ? [] : ['-s']),
  ];
  const content = [readFileSync(source), readFileSync(kitPath('c/kit.h')), args.join(' ')].join('\n');
  const key = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const target = join(tmpdir(), `tracer-kit-static-${process.getuid?.() ?? 0}-${name}-${key}`);
  if (existsSync(target)) return target;
  const directory = mkdtempSync(join(tmpdir(), 'tracer-kit-build-'));
  const ssl = build.ssl?.archive ?? '-l:libssl.a';
  execFileSync('cc', [...args, '-o', join(directory, name), source, ssl, ...LIBRARIES], { stdio: 'pipe' });
  renameSync(join(directory, name), target);
  rmSync(directory, { recursive: true });
  return target;
}
