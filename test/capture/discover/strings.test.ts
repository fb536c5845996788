import { describe, expect, it } from 'vitest';
import { findAnchors, opensslVersion } from '../../../src/capture/discover/strings.ts';
import { tinyImage } from './tiny-elf.ts';

const anchors = (...texts: string[]) =>
  findAnchors(tinyImage({ data: Buffer.from(`\0${texts.join('\0')}\0`, 'latin1') }));
const names = (...texts: string[]) => [...anchors(...texts).keys()];

describe('texts that name a library', () => {
  it.each([
    ['../../vendor/boringssl/ssl/ssl_lib.cc', ['boringSslLib']],
    ['ssl/ssl_lib.c', ['opensslLib']],
    ['ssl/ssl_lib.cpp', []],
    ['OpenSSL 3.0.19 27 Jan 2026', ['opensslVersion']],
    ['needs OpenSSL or better', []],
    ['/registry/src/rustls-0.23.12/src/client/hs.rs', ['rustlsPath']],
    ['rustls::client::hs', ['rustlsModule']],
    ['rustls-native-certs', []],
    ['\xff Go buildinf:\x08\x02', ['goBuildInfo']],
  ])('%s means %j', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('are looked for further only where the first was found', () => {
    expect(names('a/ssl/s3_pkt.cc')).toEqual([]);
    expect(names('a/ssl/s3_pkt.cc', 'a/ssl/ssl_lib.cc')).toEqual(['boringSslLib', 'boringS3Pkt']);
    expect(names('crypto/tls.(*Conn).Read', '\xff Go buildinf:')).toEqual(['goBuildInfo', 'goTls']);
  });

  it('tell the version of OpenSSL only with its date', () => {
    const version = (text: string): string | undefined => {
      const image = tinyImage({ data: Buffer.from(`\0${text}\0`) });
      return opensslVersion(image, findAnchors(image));
    };
    expect(version('OpenSSL 3.0.19 27 Jan 2026')).toBe('3.0.19');
    expect(version('OpenSSL 1.1.1w  11 Sep 2023')).toBe('1.1.1w');
    expect(version('OpenSSL 3.0.0 or later')).toBeUndefined();
  });
});
