import { describe, expect, it } from 'vitest';
import { negotiatedOf } from '../../src/model/negotiated.ts';
import type { FactsEvidence, FactsRecord } from '../../src/model/record.ts';

const found = (version: number, cipher: number, alpn?: string, evidence: FactsEvidence = 'getters') => {
  const record: FactsRecord = {
    kind: 'facts',
    tsNs: 1n,
    pid: 1,
    startNs: 1n,
    ssl: 1n,
    generation: 1,
    version,
    cipher,
    ...(alpn !== undefined && { alpn }),
    evidence,
  };
  return negotiatedOf(record);
};

describe('what was found in a TLS library’s memory', () => {
  it.each([
    [0x0304, 0x0300_1303, { version: '1.3', cipher: 'TLS_CHACHA20_POLY1305_SHA256' }],
    [0x0303, 0x0300_c02f, { version: '1.2', cipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' }],
    [0x0303, 0x0300_c014, { version: '1.2', cipher: 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA' }],
    [0x0302, 0x0300_c014, { version: '1.1', cipher: 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA' }],
    [0x0301, 0x0300_000a, { version: '1.0', cipher: 'TLS_RSA_WITH_3DES_EDE_CBC_SHA' }],
  ])('is told when version and cipher suite belong together: 0x%s', (version, cipher, told) => {
    expect(found(version, cipher)).toEqual(told);
  });

  it.each([
    ['no version', 0, 0x0300_1301],
    ['SSL 3', 0x0300, 0x0300_c014],
    ['DTLS 1.2', 0xfefd, 0x0300_c02f],
    ['DTLS 1.0', 0xfeff, 0x0300_c014],
    ['a version to come', 0x0305, 0x0300_1301],
    ['a length', 0x4000, 0x0300_1301],
    ['TLS 1.3 with a suite of 1.2', 0x0304, 0x0300_c02f],
    ['TLS 1.2 with a suite of 1.3', 0x0303, 0x0300_1301],
    ['TLS 1.1 with a suite of 1.2', 0x0302, 0x0300_c02f],
    ['TLS 1.3 with an old suite', 0x0304, 0x0300_c014],
    ['a suite that nobody knows', 0x0303, 0x0300_fafa],
    ['a suite without its prefix', 0x0304, 0x1301],
    ['a suite of SSL 2', 0x0304, 0x0200_1301],
    ['a signal, no suite', 0x0303, 0x0300_00ff],
  ])('is not told when it is %s', (_, version, cipher) => {
    expect(found(version, cipher)).toBeUndefined();
  });

  it('has the version that the suite belongs to, where only the suite was found', () => {
    const bySuite = (cipher: number) => found(0, cipher, undefined, 'cipher-state');
    expect(bySuite(0x0300_1301)).toEqual({ version: '1.3', cipher: 'TLS_AES_128_GCM_SHA256' });
    expect(bySuite(0x0300_c02b)).toEqual({ version: '1.2', cipher: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256' });
    expect(bySuite(0x0300_c014)).toBeUndefined();
    expect(bySuite(0x1301)).toEqual({ version: '1.3', cipher: 'TLS_AES_128_GCM_SHA256' });
    // TLS_RSA_WITH_AES_128_GCM_SHA256, or the number 156.
    expect(bySuite(0x009c)).toBeUndefined();
    expect(bySuite(0x0001_1301)).toBeUndefined();
  });

  it('has the application protocol only when it is a name', () => {
    expect(found(0x0304, 0x0300_1301, 'http/1.1')?.alpn).toBe('http/1.1');
    for (const noise of ['', '\0\0', 'h2\n', 'é', '�'])
      expect(found(0x0304, 0x0300_1301, noise)).toEqual({ version: '1.3', cipher: 'TLS_AES_128_GCM_SHA256' });
  });
});
