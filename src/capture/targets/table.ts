// THE table of TLS libraries.

import type { ProgramImage } from '../discover/image.ts';
import { boringssl } from './boringssl.ts';
import { openssl } from './openssl.ts';
import { opensslStripped } from './openssl-stripped.ts';
import type { TlsFinding, TlsTarget } from './target.ts';
import { gnutls, goTls, nss, rustls } from './unhooked.ts';

// Order: what is decided by symbols (a few reads) before what needs a pass over the file.
export const TARGETS: readonly TlsTarget[] = [openssl, boringssl, gnutls, nss, opensslStripped, rustls, goTls];

/** Everything found in one file. A program may hold several TLS libraries: all rows are asked, except those that only
 * repeat what was found by symbol. */
export function inspectImage(image: ProgramImage): readonly TlsFinding[] {
  const findings: TlsFinding[] = [];
  for (const target of TARGETS) {
    const isRepeat = target === opensslStripped && findings.some((f) => f.library === 'openssl');
    if (!isRepeat) findings.push(...target.inspect(image));
  }
  return findings;
}
