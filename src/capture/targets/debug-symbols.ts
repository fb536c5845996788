// A library that was recognised in a stripped program but not found by the search in its code: found by the symbols of a
// separate file. Used after the search only, because a symbol says where a function is, not that all data goes through it.
//
// For BoringSSL the record level is preferred: it is called through the method table, whatever was inlined elsewhere. Its
// writing function changed its parameters in 2022; the C++ name tells them.

import type { ProgramImage } from '../discover/image.ts';
import type { FoundSymbol, SymbolLookup } from '../discover/symbols.ts';
import { BUFFER, type HookSpec, hookAt } from './hooks.ts';
import { inspectWithSymbols, OPENSSL_NAMES } from './openssl.ts';
import { OPEN, SEAL, SEAL_OLD } from './record-level.ts';
import type { Hook, TlsFinding } from './target.ts';

/** The same finding with hooks, where the symbols give them. */
export function withDebugSymbols(image: ProgramImage, finding: TlsFinding, lookup: SymbolLookup): TlsFinding {
  if (finding.library === 'boringssl' || finding.library === 'aws-lc') return boringWith(image, finding, lookup);
  if (finding.library !== 'openssl' && finding.library !== 'libressl') return finding;
  const [found] = inspectWithSymbols(image, lookup(OPENSSL_NAMES));
  return found === undefined ? finding : { ...found, library: finding.library };
}

/** Of C++ names the mangled form (the second parameter of Span was added in 2024), and what Breakpad files show. */
const NAMES = {
  open: [
    '_ZN4bssl17tls_open_app_dataEP6ssl_stPNS_4SpanIhEEPmPhS3_',
    '_ZN4bssl17tls_open_app_dataEP6ssl_stPNS_4SpanIhLm18446744073709551615EEEPmPhS3_',
    'bssl::tls_open_app_data(',
  ],
  seal: [
    '_ZN4bssl18tls_write_app_dataEP6ssl_stPbPmNS_4SpanIKhEE',
    '_ZN4bssl18tls_write_app_dataEP6ssl_stPbPmNS_4SpanIKhLm18446744073709551615EEE',
    '_ZN4bssl18tls_write_app_dataEP6ssl_stPbPKhi',
    'bssl::tls_write_app_data(',
  ],
  free: ['_ZN4bssl8tls_freeEP6ssl_st', 'bssl::tls_free(', 'SSL_free'],
  read: ['SSL_read'],
  write: ['SSL_write'],
  sni: ['SSL_set_tlsext_host_name'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

function boringWith(image: ProgramImage, finding: TlsFinding, lookup: SymbolLookup): TlsFinding {
  const symbols = lookup(Object.values(NAMES).flat());
  const first = (names: readonly string[]): FoundSymbol | undefined =>
    names.flatMap((name) => symbols.get(name) ?? [])[0];
  const at = (spec: HookSpec, symbol: FoundSymbol | undefined): readonly Hook[] =>
    symbol === undefined ? [] : hookAt(image.elf, spec, symbol.address);
  const seal = first(NAMES.seal);
  const record = [...at(OPEN, first(NAMES.open)), ...at(isOldSeal(seal) ? SEAL_OLD : SEAL, seal)];
  const api = [
    ...at({ symbol: 'SSL_read', role: 'read', args: BUFFER }, first(NAMES.read)),
    ...at({ symbol: 'SSL_write', role: 'write', args: BUFFER }, first(NAMES.write)),
  ];
  const [data] = [record, api].filter((pair) => pair.length === 2);
  if (data === undefined) return finding;
  const hooks = [
    ...data,
    ...at({ symbol: 'SSL_free', role: 'free' }, first(NAMES.free)),
    ...at({ symbol: 'SSL_set_tlsext_host_name', role: 'sni' }, first(NAMES.sni)),
  ];
  const note = data === api ? ['SSL_read and SSL_write may be inlined elsewhere: such data would not be seen'] : [];
  return {
    ...finding,
    hooks,
    reason: `${hooks.map((hook) => hook.symbol).join(', ')} by separate debug symbols`,
    evidence: [...finding.evidence, ...note],
  };
}

/** Third parameter: `const uint8_t *` until 2022, then `size_t *`. */
const isOldSeal = (symbol: FoundSymbol | undefined): boolean =>
  symbol !== undefined && !/PbPm|(?:unsigned long|size_t) ?\*/.test(symbol.name);
