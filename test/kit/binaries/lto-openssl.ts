// OpenSSL's TLS part compiled for link-time optimisation, from Debian's source package: a program linked with it has SSL_read
// and SSL_write inlined into its own functions. Made once, in build/cache: 15 MB to fetch, half a minute to compile.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { CACHE } from './programs.ts';
import type { SslArchive } from './static-openssl.ts';

const DIRECTORY = join(CACHE, 'openssl-lto');

/** An archive that can be reached is through in seconds; one that cannot must not use up the test's own time. */
const PATIENCE_MS = 60_000;

/** Skips the test where the source cannot be had: archives keep few versions, and other systems have other ones. */
export function ltoOpenSsl(context: TestContext): SslArchive {
  const made = { archive: join(DIRECTORY, 'libssl.a'), include: join(DIRECTORY, 'include') };
  if (existsSync(made.archive)) return made;
  const temporary = `${DIRECTORY}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    const source = fetchSource(context, temporary);
    compile(source);
    const kept = join(temporary, 'kept');
    mkdirSync(kept);
    for (const name of ['libssl.a', 'include']) renameSync(join(source, name), join(kept, name));
    rmSync(DIRECTORY, { recursive: true, force: true });
    renameSync(kept, DIRECTORY);
    return made;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function fetchSource(context: TestContext, directory: string): string {
  const system = readFileSync('/etc/os-release', 'utf8');
  const release = /^ID=debian$/m.test(system) ? /^VERSION_CODENAME=(\w+)$/m.exec(system)?.[1] : undefined;
  if (release === undefined)
    return context.skip('the source of OpenSSL is fetched from Debian’s archive: not this system’s');
  const lists = join(directory, 'lists');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const places = [`deb.debian.org/debian ${release}`, `deb.debian.org/debian-security ${release}-security`];
  writeFileSync(join(directory, 'sources'), places.map((place) => `deb-src http://${place} main\n`).join(''));
  const sources = [`Dir::Etc::sourcelist=${join(directory, 'sources')}`, 'Dir::Etc::sourceparts=/nonexistent'];
  const options = [...sources, `Dir::State::lists=${lists}`].flatMap((option) => ['-o', option]);
  try {
    execFileSync('apt-get', [...options, 'update', '-qq'], { stdio: 'pipe', timeout: PATIENCE_MS });
    const only = ['--only-source', '--tar-only', '--download-only'];
    execFileSync('apt-get', [...options, 'source', '-qq', ...only, 'openssl'], {
      cwd: directory,
      stdio: 'pipe',
      timeout: PATIENCE_MS,
    });
  } catch (error) {
    return context.skip(`the source of OpenSSL cannot be fetched: ${String(error).slice(0, 200)}`);
  }
  const archive = readdirSync(directory).find((name) => /^openssl_.*\.orig\.tar\.\w+$/.test(name)) ?? '';
  execFileSync('tar', ['xf', archive], { cwd: directory });
  return join(directory, readdirSync(directory).find((name) => name.startsWith('openssl-')) ?? '');
}

function compile(source: string): void {
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { cwd: source, stdio: 'pipe', maxBuffer: 1 << 28 });
  };
  run('./Configure', 'linux-x86_64', 'no-shared', 'no-tests', 'no-engine', '-O2', '-flto');
  run('make', '-s', 'build_generated');
  run('make', '-s', `-j${availableParallelism()}`, 'libssl.a');
}
