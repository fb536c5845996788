import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { bytesSource, openFileSource } from '../../../src/capture/discover/source.ts';
import { inspectImage } from '../../../src/capture/targets/table.ts';
import { debianFile } from '../../kit/binaries/programs.ts';
import { tinyElf } from '../discover/tiny-elf.ts';

function inspectTexts(...texts: string[]) {
  const answer = readImage(bytesSource(tinyElf({ data: Buffer.from(`\0${texts.join('\0')}\0`, 'latin1') })));
  if (!answer.ok) throw new Error(answer.why);
  return inspectImage(answer.image).map((f) => [f.library, f.linkage, f.version, f.hooks.length]);
}

describe('libraries that are named but not hooked', () => {
  it.each([
    ['rustls by path', ['/x/rustls-0.23.12/src/conn.rs'], [['rustls', 'static', '0.23.12', 0]]],
    ['rustls by module', ['rustls::client::tls13'], [['rustls', 'static', undefined, 0]]],
    ['Go', ['\xff Go buildinf:', 'crypto/tls.(*Conn).Read'], [['go-tls', 'static', undefined, 0]]],
    ['Go without TLS', ['\xff Go buildinf:'], []],
    ['stripped OpenSSL', ['../ssl/ssl_lib.c'], [['openssl', 'static', undefined, 0]]],
    ['stripped BoringSSL whose code says nothing', ['../ssl/ssl_lib.cc'], [['boringssl', 'static', undefined, 0]]],
  ])('%s', (_, texts, expected) => {
    expect(inspectTexts(...texts)).toEqual(expected);
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
