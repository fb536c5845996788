import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { boringssl } from '../../../src/capture/targets/boringssl.ts';
import { debianFile, npmFile } from '../../kit/binaries/programs.ts';

function inspect(path: string) {
  const source = openFileSource(path);
  const answer = source.ok ? readImage(source.value) : undefined;
  if (!answer?.ok) throw new Error('not readable');
  return boringssl.inspect(answer.image);
}

const roles = (path: string): string[][] =>
  inspect(path).map((f) => f.hooks.map((h) => `${h.role} ${h.symbol} ${JSON.stringify(h.args ?? {})}`));

describe('BoringSSL', () => {
  it('is hooked by symbol where a library exports it', (context) => {
    const path = debianFile(context, '/usr/lib/x86_64-linux-gnu/android/libssl.so.0', 'android-libboringssl');
    expect(inspect(path)).toMatchObject([{ confidence: 'certain', linkage: 'shared', evidence: [] }]);
    expect(roles(path)).toEqual([
      [
        'read SSL_read {"buf":1,"len":2}',
        'write SSL_write {"buf":1,"len":2}',
        'free SSL_free {}',
        'sni SSL_set_tlsext_host_name {}',
      ],
    ]);
  });

  it('is hooked by symbol in a program that exports it and in which the search finds nothing', () => {
    const directory = mkdtempSync(join(tmpdir(), 'tracer-boringssl-'));
    const path = join(directory, 'program');
    const names = ['SSL_CTX_set_grease_enabled', 'SSL_read', 'SSL_write', 'SSL_free'];
    const source = [
      ...names.map((name) => `int ${name}(void) { return __COUNTER__; }`),
      'int main(void) { return 0; }',
    ];
    execFileSync('cc', ['-x', 'c', '-rdynamic', '-o', path, '-'], { input: source.join('\n') });
    const [finding] = inspect(path);
    rmSync(directory, { recursive: true });
    expect(finding).toMatchObject({ library: 'boringssl', linkage: 'static', confidence: 'certain' });
    expect(finding?.hooks.map((h) => h.symbol)).toEqual(['SSL_read', 'SSL_write', 'SSL_free']);
  });

  it('is hooked at SSL_read and SSL_write in Debian chromium, with the page offset of its method table', (context) => {
    const path = debianFile(context, '/usr/lib/chromium/chromium', 'chromium');
    expect(roles(path)).toEqual([
      [
        'read SSL_read {"buf":1,"len":2}',
        'write SSL_write {"buf":1,"len":2}',
        'free tls_free {}',
        'sni SSL_set_tlsext_host_name {}',
      ],
    ]);
    const [finding] = inspect(path);
    const table = /kTLSProtocolMethod at address 0x([0-9a-f]+)/.exec(finding?.evidence.join() ?? '')?.[1];
    expect(table).toBeDefined();
    const low12 = Number.parseInt(table!, 16) % 4096;
    expect(finding?.hooks.map((h) => h.methodLow12)).toEqual([low12, low12, low12, low12]);
  });

  it('is read at the record level where SSL_read is inlined into its callers', { timeout: 240_000 }, (context) => {
    const path = npmFile(context, '@sparticuz/chromium', '153.0.0', 'bin/chromium.br');
    expect(roles(path)).toEqual([
      [
        'open tls_open_app_data {"out":1}',
        'write SSL_write {"buf":1,"len":2}',
        'free tls_free {}',
        'sni SSL_set_tlsext_host_name {}',
      ],
    ]);
    expect(inspect(path)[0]?.evidence).toContain('SSL_read is inlined into 2 callers of SSL_peek');
  });
});
