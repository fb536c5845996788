// Whether what was found in a TLS library's memory makes sense, and what it means. Version and cipher suite come from different
// places there; both must be known, and belong together. Where only the suite was found, it must be one that belongs to one version
// alone, as all suites of TLS 1.3 and the modern ones of 1.2 do. Else nothing is told: better no fact than a wrong one.

import { CIPHER_SUITES, type CipherSuite } from './cipher-suites.ts';
import type { FactsRecord } from './record.ts';

/** What the handshake of a connection negotiated. */
export interface Negotiated {
  /** `1.0` to `1.3`. */
  readonly version: string;
  /** IANA's name. */
  readonly cipher: string;
  /** Application protocol. */
  readonly alpn?: string;
}

/** Numbers on the wire, RFC 8446 §4.2.1 and before. DTLS has others (0xfeff, …). */
const VERSIONS: ReadonlyMap<number, string> = new Map([
  [0x0301, '1.0'],
  [0x0302, '1.1'],
  [0x0303, '1.2'],
  [0x0304, '1.3'],
]);

/** OpenSSL and its descendants number cipher suites of TLS like this; 2 was SSL 2. */
const CIPHER_PREFIX = 0x0300;

/** Registered names are of printable ASCII (IANA, TLS ALPN Protocol IDs). */
const PRINTABLE = /^[\x21-\x7e]+$/;

export function negotiatedOf({ version, cipher, alpn, evidence }: FactsRecord): Negotiated | undefined {
  const isByState = evidence === 'cipher-state';
  const suite = CIPHER_SUITES.get(isSuite(cipher, isByState) ? cipher & 0xffff : -1);
  const known = isByState ? suite && ONLY_VERSION[suite.versions] : VERSIONS.get(version);
  if (known === undefined || suite === undefined || !belongs(suite, known)) return undefined;
  return { version: known, cipher: suite.name, ...(alpn !== undefined && PRINTABLE.test(alpn) && { alpn }) };
}

/** BoringSSL has the plain number since 2025. A small one could be anything. */
const isSuite = (cipher: number, isByState: boolean): boolean =>
  cipher >>> 16 === CIPHER_PREFIX || (isByState && cipher >>> 16 === 0 && cipher > 0x1000);

/** The one version that a suite can be used with. */
const ONLY_VERSION: Readonly<Record<CipherSuite['versions'], string | undefined>> = {
  'only 1.3': '1.3',
  'only 1.2': '1.2',
  'up to 1.2': undefined,
};

function belongs({ versions }: CipherSuite, version: string): boolean {
  switch (versions) {
    case 'only 1.3':
      return version === '1.3';
    case 'only 1.2':
      return version === '1.2';
    case 'up to 1.2':
      return version !== '1.3';
  }
}
