import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { inspectImage, TARGETS } from '../../../src/capture/targets/table.ts';

function inspect(path: string): readonly string[] | undefined {
  const source = openFileSource(path);
  if (!source.ok) return undefined;
  try {
    const answer = readImage(source.value);
    return answer.ok ? inspectImage(answer.image).map((f) => `${f.library} ${f.hooks.length}`) : undefined;
  } finally {
    source.value.close();
  }
}

/** Files that are about TLS by name, or link it statically for a known reason. */
const TLS_NAME = /ssl|gnutls|nss|node|chrom|boring|bun|cargo|rust|\bgo\b|crypto|electron|webengine|python|curl/i;

describe('the table of TLS libraries', () => {
  it('has a name for every row', () => {
    expect(TARGETS.map((t) => t.name)).toEqual([
      'openssl',
      'boringssl',
      'gnutls',
      'nss',
      'openssl-stripped',
      'rustls',
      'go-tls',
    ]);
  });

  it('finds nothing to hook in 200 programs and libraries of the system that have no OpenSSL or BoringSSL', {
    timeout: 240_000,
  }, () => {
    const findings: string[] = [];
    let seen = 0;
    for (const directory of ['/usr/bin', '/usr/lib/x86_64-linux-gnu', '/usr/sbin']) {
      for (const name of readdirSync(directory)) {
        const path = join(directory, name);
        if (seen >= 250 || TLS_NAME.test(name) || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
        const found = inspect(path);
        if (found === undefined) continue;
        seen++;
        // Go and Rust programs of the system have TLS of their own: they are named, not hooked.
        if (!found.every((f) => /^(go-tls|rustls) 0$/.test(f))) findings.push(`${path}: ${found.join()}`);
      }
    }
    expect(findings).toEqual([]);
    expect(seen).toBeGreaterThanOrEqual(200);
  });

  it('names the library of what is about TLS', (context) => {
    const path = execFileSync('sh', ['-c', 'ls /usr/lib/*/libssl.so.3 | head -1'], { encoding: 'utf8' }).trim();
    if (path === '') return context.skip('apt-get install libssl3');
    expect(inspect(path)).toEqual(['openssl 4']);
  });
});
