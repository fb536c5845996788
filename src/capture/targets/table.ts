// THE table of TLS libraries.

import { withFacts } from '../discover/facts/facts.ts';
import type { ProgramImage } from '../discover/image.ts';
import type { DebugSymbols } from '../discover/supplied/debug-link.ts';
import { findSymbols, type SymbolLookup } from '../discover/symbols.ts';
import { boringssl } from './boringssl.ts';
import { withDebugSymbols } from './debug-symbols.ts';
import { openssl } from './openssl.ts';
import { opensslStripped } from './openssl-stripped.ts';
import type { TlsFinding, TlsTarget } from './target.ts';
import { gnutls, goTls, nss, rustls } from './unhooked.ts';

// Order: what is decided by symbols (a few reads) before what needs a pass over the file.
export const TARGETS: readonly TlsTarget[] = [openssl, boringssl, gnutls, nss, opensslStripped, rustls, goTls];

const BY_SYMBOL: ReadonlySet<string> = new Set(['openssl', 'libressl']);

/** Everything found in one file. A program may hold several TLS libraries: all rows are asked, except those that only
 * repeat what was found by symbol. `debugSymbols` is asked for when a library was recognised and not found. */
export function inspectImage(
  image: ProgramImage,
  debugSymbols: () => DebugSymbols = () => NO_SYMBOLS,
): readonly TlsFinding[] {
  const findings: TlsFinding[] = [];
  for (const target of TARGETS) {
    const isRepeat = target === opensslStripped && findings.some((f) => BY_SYMBOL.has(f.library));
    if (!isRepeat) findings.push(...target.inspect(image));
  }
  const bySymbol: SymbolLookup = (names) => findSymbols(image.elf, image.dynamic, names);
  const isFound = findings.every((f) => f.hooks.length > 0);
  const symbols = isFound ? NO_SYMBOLS : debugSymbols();
  try {
    return findings.map((finding) => completed(image, finding, bySymbol, symbols));
  } finally {
    symbols.close();
  }
}

/** With the facts that its functions tell; one that was not found, by separate symbols or with the reason. */
function completed(
  image: ProgramImage,
  finding: TlsFinding,
  bySymbol: SymbolLookup,
  { lookup, refused }: DebugSymbols,
): TlsFinding {
  if (finding.hooks.length > 0) return withFacts(image, finding, bySymbol);
  const found = lookup === undefined ? finding : withDebugSymbols(image, finding, lookup);
  if (lookup !== undefined && found.hooks.length > 0) return withFacts(image, found, lookup);
  return { ...found, reason: [found.reason, ...refused].join('; ') };
}

const NO_SYMBOLS: DebugSymbols = { lookup: undefined, refused: [], close: () => {} };
