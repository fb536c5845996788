import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { bytesSource, openFileSource } from '../../../src/capture/discover/source.ts';
import { inspectImage } from '../../../src/capture/targets/table.ts';
import { debianFile } from '../../kit/binaries/programs.ts';
import { tinyElf } from '../discover/tiny-elf.ts';

function findingsOf(...texts: string[]) {
  const answer = readImage(bytesSource(tinyElf({ data: Buffer.from(`\0${texts.join('\0')}\0`, 'latin1') })));
  if (!answer.ok) throw new Error(answer.why);
  return inspectImage(answer.image);
}

const inspectTexts = (...texts: string[]) =>
  findingsOf(...texts).map((f) => [f.library, f.linkage, f.version, f.hooks.length]);

const reasonOf = (text: string): string | undefined => findingsOf(text)[0]?.reason;

describe('libraries that are named but not hooked', () => {
  it.each([
    ['rustls by path', ['/x/rustls-0.23.12/src/conn.rs'], [['rustls', 'static', '0.23.12', 0]]],
    ['rustls by module', ['rustls::client::tls13'], [['rustls', 'static', undefined, 0]]],
    ['Go', ['\xff Go buildinf:', 'crypto/tls.(*Conn).Read'], [['go-tls', 'static', undefined, 0]]],
    ['Go without TLS', ['\xff Go buildinf:'], []],
    ['stripped OpenSSL', ['../ssl/ssl_lib.c'], [['openssl', 'static', undefined, 0]]],
    ['stripped LibreSSL', ['LibreSSL 3.8.2'], [['libressl', 'static', '3.8.2', 0]]],
    ['stripped AWS-LC by version', ['x/ssl/ssl_lib.cc', 'AWS-LC 1.40.0'], [['aws-lc', 'static', undefined, 0]]],
    ['stripped AWS-LC by path', ['/r/aws-lc-sys-0.25.1/aws-lc/ssl/ssl_lib.cc'], [['aws-lc', 'static', undefined, 0]]],
    ['AWS-LC without its TLS part', ['AWS-LC 1.40.0'], []],
    ['stripped BoringSSL whose code says nothing', ['../ssl/ssl_lib.cc'], [['boringssl', 'static', undefined, 0]]],
  ])('%s', (_, texts, expected) => {
    expect(inspectTexts(...texts)).toEqual(expected);
  });

  it('say in words that a person can supply what was not found', () => {
    const reasons = ['../ssl/ssl_lib.c', '../ssl/ssl_lib.cc', 'LibreSSL 3.8.2'].map((text) => reasonOf(text));
    const end = 'name its functions with --symbols or --offset (docs/discovery.md)';
    expect(reasons).toEqual([
      `openssl: it has no symbols, and the search in its code was not conclusive; ${end}`,
      `boringssl: no function was found that all data which it reads or writes goes through; ${end}`,
      `libressl: it has no symbols; ${end}`,
    ]);
  });

  it('GnuTLS by the name of its library', (context) => {
    const source = openFileSource(debianFile(context, '/usr/lib/x86_64-linux-gnu/libgnutls.so.30', 'libgnutls30'));
    const answer = source.ok ? readImage(source.value) : undefined;
    if (!answer?.ok) throw new Error('not readable');
    expect(inspectImage(answer.image).map((f) => [f.library, f.linkage, f.reason])).toEqual([
      ['gnutls', 'shared', 'gnutls: not supported'],
    ]);
  });
});
