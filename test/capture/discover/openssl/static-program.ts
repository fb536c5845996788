// A client linked with Debian's static libssl, for tests: once with its symbols, once stripped.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { debianFile } from '../../../kit/binaries/programs.ts';

const SOURCE = `
#include <openssl/ssl.h>
int main(int argc, char **argv) {
  char buffer[64];
  size_t done;
  SSL *ssl = SSL_new(SSL_CTX_new(TLS_client_method()));
  int r = SSL_connect(ssl) + SSL_write(ssl, argv[0], argc) + SSL_read(ssl, buffer, argc);
  r += SSL_write_ex(ssl, argv[0], argc, &done) + SSL_read_ex(ssl, buffer, argc, &done);
  SSL_free(ssl);
  return r;
}`;

export interface StaticProgram {
  readonly stripped: string;
  /** Symbol → address, of the program before stripping. */
  readonly symbols: ReadonlyMap<string, number>;
}

export const buildStatic = (context: TestContext, ...flags: string[]): StaticProgram =>
  buildStaticWith(context, '', ...flags);

/** The same with more source code in it. */
export function buildStaticWith(context: TestContext, code: string, ...flags: string[]): StaticProgram {
  debianFile(context, '/usr/lib/x86_64-linux-gnu/libssl.a', 'libssl-dev');
  const directory = mkdtempSync(join(tmpdir(), 'tracer-static-'));
  const whole = join(directory, 'whole');
  const stripped = join(directory, 'stripped');
  writeFileSync(`${whole}.c`, `${SOURCE}\n${code}\n`);
  const libraries = ['-l:libssl.a', '-l:libcrypto.a', '-ldl', '-lpthread'];
  execFileSync('cc', [...flags, '-o', whole, `${whole}.c`, ...libraries], { stdio: 'pipe' });
  execFileSync('strip', ['-o', stripped, whole]);
  const lines = execFileSync('nm', [whole], { encoding: 'latin1', maxBuffer: 1 << 28 }).split('\n');
  const symbols = lines.map((line) => /^([0-9a-f]+) [Tt] (\S+)$/.exec(line) ?? []);
  return {
    stripped,
    symbols: new Map(symbols.map(([, address, name]) => [name ?? '', Number.parseInt(address ?? '0', 16)])),
  };
}
