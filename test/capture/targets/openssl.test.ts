import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { hasWriteFlags, openssl } from '../../../src/capture/targets/openssl.ts';
import { debianFile } from '../../kit/binaries/programs.ts';

const directory = mkdtempSync(join(tmpdir(), 'tracer-openssl-'));
afterAll(() => rmSync(directory, { recursive: true }));

const inspect = (path: string) => {
  const source = openFileSource(path);
  if (!source.ok) throw new Error(source.detail);
  const answer = readImage(source.value);
  if (!answer.ok) throw new Error(answer.why);
  const findings = openssl.inspect(answer.image);
  source.value.close();
  return findings;
};

/** A stand-in with OpenSSL's names, built as a program that exports them. */
function build(name: string, code: string): string {
  const path = join(directory, name);
  writeFileSync(`${path}.c`, code);
  execFileSync('cc', ['-O1', '-fno-inline', '-rdynamic', '-o', path, `${path}.c`], { stdio: 'pipe' });
  return path;
}

const program = (read: string, version: string): string => `
  const char *version = "OpenSSL ${version} 27 Jan 2026";
  int ssl_read_internal(void *s, void *b, unsigned long n, unsigned long *d) { *d = n; return s != b; }
  int ssl_write_internal(void *s, const void *b, unsigned long n, unsigned long *d) { *d = n; return s != b; }
  int SSL_read(void *s, void *b, int n) { ${read} }
  int SSL_write(void *s, const void *b, int n) { return version[n] + (s != b); }
  void SSL_free(void *s) { version = s; }
  int main(void) { return SSL_read(0, 0, 0) + SSL_write(0, 0, 0); }`;

describe('OpenSSL by symbols', () => {
  it('hooks the internal functions of the shared library, where a probe costs a third of one on the public ones', (context) => {
    const path = debianFile(context, '/usr/lib/x86_64-linux-gnu/libssl.so.3', 'libssl3');
    const [finding] = inspect(path);
    expect(finding).toMatchObject({ library: 'openssl', linkage: 'shared', confidence: 'certain' });
    expect(finding?.version).toMatch(/^3\.\d+$/);
    expect(finding?.hooks.map((h) => [h.role, h.symbol, h.args?.done])).toEqual([
      ['read_ex', 'ssl_read_internal', 3],
      ['write_ex', 'ssl_write_internal', 3],
      ['free', 'SSL_free', undefined],
      ['ctrl', 'SSL_ctrl', undefined],
    ]);
    const symbols = execFileSync('nm', ['-D', path], { encoding: 'utf8' });
    for (const hook of finding?.hooks.filter(({ symbol }) => symbol.startsWith('SSL_')) ?? []) {
      // In a shared library's first segments addresses and file offsets are the same.
      expect(symbols).toContain(`${hook.fileOffset.toString(16).padStart(16, '0')} T ${hook.symbol}@`);
    }
    const code = readFileSync(path);
    for (const { attachOffset } of finding?.hooks.slice(0, 2) ?? []) {
      expect(code.readUInt8(attachOffset) === 0x41 || (code.readUInt8(attachOffset) & 0xf8) === 0x50).toBe(true);
    }
  });

  it('hooks the public functions of a shared library whose internal ones are not understood', () => {
    const path = join(directory, 'libssl.so.3');
    writeFileSync(`${path}.c`, program('return s != b;', '3.0.9').replace(/int main.*/, ''));
    execFileSync('cc', ['-O1', '-shared', '-fPIC', '-Wl,-soname,libssl.so.3', '-o', path, `${path}.c`]);
    const symbols = inspect(path)[0]?.hooks.map((h) => h.symbol);
    expect(symbols).toContain('SSL_read');
    expect(symbols).toContain('SSL_write');
  });

  it('hooks both levels of this Node, which is linked statically', (context) => {
    const [finding] = inspect(process.execPath);
    if (finding === undefined) return context.skip('this Node uses a shared OpenSSL');
    expect(finding.linkage).toBe('static');
    expect(finding.version).toBe(process.versions.openssl.replace(/\+.*/, ''));
    const roles = finding.hooks.map((h) => `${h.role} ${h.symbol}`);
    expect(roles).toContain('read_ex ssl_read_internal');
    expect(roles).toContain('write_ex ssl_write_internal');
    expect(roles).toContain('free SSL_free');
  });

  it('leaves out a public function that only calls the internal one, so that a call costs one trap', () => {
    const path = build(
      'wrapper',
      program('unsigned long d; return ssl_read_internal(s, b, n, &d) ? (int)d : -1;', '3.0.9'),
    );
    const [finding] = inspect(path);
    expect(finding?.hooks.map((h) => h.symbol)).toEqual([
      'SSL_write',
      'ssl_read_internal',
      'ssl_write_internal',
      'SSL_free',
    ]);
    expect(finding?.evidence.join()).toContain('SSL_read only call');
  });

  it('is named LibreSSL, with its version, in a program that has that text', () => {
    const path = build(
      'libressl',
      `const char *version = "LibreSSL 3.8.2";
      int SSL_read(void *s, void *b, int n) { return version[n] + (s != b); }
      int SSL_write(void *s, const void *b, int n) { return version[n] - (s != b); }
      int main(void) { return SSL_read(0, 0, 0) + SSL_write(0, 0, 0); }`,
    );
    const [finding] = inspect(path);
    expect(finding).toMatchObject({ library: 'libressl', linkage: 'static', version: '3.8.2' });
    expect(finding?.hooks.map((h) => h.symbol)).toEqual(['SSL_read', 'SSL_write']);
  });

  it('takes the position of the count in ssl_write_internal from the version', () => {
    const positions = ['3.0.9', '3.3.1'].map((version) => {
      const [finding] = inspect(build(`v${version}`, program('return n + (s != b);', version)));
      expect(finding?.version).toBe(version);
      return finding?.hooks.find((h) => h.symbol === 'ssl_write_internal')?.args?.done;
    });
    expect(positions).toEqual([3, 4]);
  });

  it('does not hook ssl_write_internal when the version is unknown, and says so', () => {
    const [finding] = inspect(build('unknown', program('return n + (s != b);', 'x')));
    expect(finding?.hooks.map((h) => h.symbol)).not.toContain('ssl_write_internal');
    expect(finding?.evidence.join()).toContain('version unknown');
  });

  it.each([
    ['1.1.1w', false],
    ['3.0.19', false],
    ['3.2.1', false],
    ['3.3.0', true],
    ['3.5.4', true],
    ['4.0.0', true],
  ])('knows whether %s has the flags argument: %s', (version, expected) => {
    expect(hasWriteFlags(version)).toBe(expected);
  });
});
