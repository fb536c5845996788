// Whether what was found in a TLS library's memory makes sense, and what it means. Version and cipher suite come from different
// places there; both must be known, and belong together. Then it is told, else nothing is: better no fact than a wrong one.

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

export function negotiatedOf({ version, cipher, alpn }: FactsRecord): Negotiated | undefined {
  const known = VERSIONS.get(version);
  const suite = cipher >>> 16 === CIPHER_PREFIX ? CIPHER_SUITES.get(cipher & 0xffff) : undefined;
  if (known === undefined || suite === undefined || !belongs(suite, known)) return undefined;
  return { version: known, cipher: suite.name, ...(alpn !== undefined && PRINTABLE.test(alpn) && { alpn }) };
}

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
