// BoringSSL: by symbol where a library exports it, else found in stripped code (discover/boringssl).
//
// Two levels carry the same plaintext. SSL_read and SSL_write are preferred: fewer calls. In builds where they are inlined
// into their callers the record level, reached through the method table, sees every byte. A level is used for a direction
// only when it is proven complete; otherwise the direction is not hooked and the reason says so.

import { type BoringCopy, findBoringSsl } from '../discover/boringssl/find.ts';
import type { MethodTable } from '../discover/boringssl/find-method-table.ts';
import type { FoundWrite } from '../discover/boringssl/find-write.ts';
import type { ElfImage } from '../discover/elf.ts';
import type { ProgramImage } from '../discover/image.ts';
import { findSymbols } from '../discover/symbols.ts';
import { BUFFER, type HookSpec, hookAt, hooksFor } from './hooks.ts';
import { tableName } from './openssl.ts';
import { OPEN, SEAL, SEAL_OLD } from './record-level.ts';
import type { Hook, TlsFinding, TlsTarget } from './target.ts';
import { HOW_TO_SUPPLY } from './unhooked.ts';

const SPECS: readonly HookSpec[] = [
  { symbol: 'SSL_read', role: 'read', args: BUFFER },
  { symbol: 'SSL_write', role: 'write', args: BUFFER },
  { symbol: 'SSL_free', role: 'free' },
  { symbol: 'SSL_set_tlsext_host_name', role: 'sni' },
];

/** Exported by BoringSSL and its forks, not by OpenSSL. */
const ONLY_BORINGSSL = 'SSL_CTX_set_grease_enabled';

export const boringssl: TlsTarget = { name: 'boringssl', inspect };

function inspect(image: ProgramImage): readonly TlsFinding[] {
  const exported = inspectExports(image);
  if (exported?.linkage === 'shared') return [exported];
  // A program may export the functions and have them inlined: what the search proves complete comes first.
  const searched = search(image);
  return exported === undefined || searched.some((f) => f.hooks.length > 0) ? searched : [exported];
}

function search(image: ProgramImage): readonly TlsFinding[] {
  const answer = findBoringSsl(image);
  switch (answer.kind) {
    case 'absent':
      return [];
    case 'unclear':
      return [findingOf(image, [], [answer.why])];
    case 'found':
      return answer.copies.map((copy) => withCipher(copy, findingOf(image, hooksOf(image.elf, copy), notesOf(copy))));
  }
}

/** A shared library that exports the functions is called through them from outside: complete by nature. */
function inspectExports(image: ProgramImage): TlsFinding | undefined {
  if (image.dynamic.lookup(ONLY_BORINGSSL) === undefined) return undefined;
  const symbols = findSymbols(
    image.elf,
    image.dynamic,
    SPECS.map((spec) => spec.symbol),
  );
  const hooks = hooksFor(image.elf, SPECS, symbols);
  if (missingDirections(hooks) !== '') return undefined;
  return {
    library: libraryOf(image),
    linkage: image.dynamic.soname === undefined ? 'static' : 'shared',
    hooks,
    confidence: 'certain',
    reason: `${hooks.map((hook) => hook.symbol).join(', ')} by ${tableName(symbols.get('SSL_read'))}`,
    evidence: [],
  };
}

const READS = new Set(['read', 'open']);
const WRITES = new Set(['write', 'seal', 'seal_old']);

/** In words; empty when there are hooks for both. */
const missingDirections = (hooks: readonly Hook[]): string =>
  [
    ...(hooks.some((h) => READS.has(h.role)) ? [] : ['reads']),
    ...(hooks.some((h) => WRITES.has(h.role)) ? [] : ['writes']),
  ].join(' or ');

function findingOf(image: ProgramImage, hooks: readonly Hook[], evidence: readonly string[]): TlsFinding {
  const library = libraryOf(image);
  const missing = missingDirections(hooks);
  const names = hooks.map((hook) => hook.symbol).join(', ');
  return {
    library,
    linkage: 'static',
    // Half a conversation would be misread as a whole one.
    hooks: missing === '' ? hooks : [],
    confidence: 'high',
    reason:
      missing === ''
        ? `${names} by code references`
        : `${library}: no function was found that all data which it ${missing} goes through; ${HOW_TO_SUPPLY}`,
    evidence,
  };
}

/** Where its connections' cipher suites are. */
const withCipher = ({ cipher }: BoringCopy, finding: TlsFinding): TlsFinding =>
  cipher === undefined || finding.hooks.length === 0 ? finding : { ...finding, facts: { cipher } };

/** Amazon's fork has the same functions. */
const libraryOf = (image: ProgramImage): 'aws-lc' | 'boringssl' =>
  image.anchors().has('awsLc') ? 'aws-lc' : 'boringssl';

function hooksOf(elf: ElfImage, copy: BoringCopy): readonly Hook[] {
  const table = copy.table.found;
  // The page offset of the table's address holds in every process.
  const methodLow12 = table && table.address % 4096;
  const at = (spec: HookSpec, address: number | undefined): Hook[] =>
    address === undefined ? [] : hookAt(elf, spec, address, methodLow12);
  return [
    ...readHook(copy, at),
    ...writeHook(copy, at),
    ...at({ symbol: 'tls_free', role: 'free' }, table?.free),
    ...at({ symbol: 'SSL_set_tlsext_host_name', role: 'sni' }, copy.setHostName),
  ];
}

type MakeHook = (spec: HookSpec, address: number | undefined) => Hook[];

function readHook({ read, table }: BoringCopy, at: MakeHook): Hook[] {
  if (read.found?.isComplete) return at({ symbol: 'SSL_read', role: 'read', args: BUFFER }, read.found.entry);
  if (!table.found?.isOpenComplete) return [];
  return at(OPEN, table.found.openAppData);
}

function writeHook({ write, table }: BoringCopy, at: MakeHook): Hook[] {
  if (write.found?.isComplete) return at({ symbol: 'SSL_write', role: 'write', args: BUFFER }, write.found.entry);
  // The calling shape of the record level changed in 2022; SSL_write's call tells which one this is.
  if (!write.found || !table.found?.isWriteComplete) return [];
  const spec = sealSpec(write.found);
  return spec === undefined ? [] : at(spec, table.found.writeAppData);
}

/** By the positions of buffer and length in SSL_write's call. */
const sealSpec = ({ bufIndex, lenIndex }: FoundWrite): HookSpec | undefined =>
  [SEAL, SEAL_OLD].find(({ args }) => args?.buf === bufIndex && args.len === lenIndex);

function notesOf({ write, read, table }: BoringCopy): string[] {
  const hex = (address: number): string => `0x${address.toString(16)}`;
  const tableNote = (t: MethodTable): string => `kTLSProtocolMethod at address ${hex(t.address)}`;
  const shapeNote =
    write.found && sealSpec(write.found) === undefined
      ? [`tls_write_app_data takes buffer and length at ${write.found.bufIndex} and ${write.found.lenIndex}: not known`]
      : [];
  return [
    write.found ? `SSL_write ${write.found.isComplete ? 'is complete' : 'is inlined elsewhere, too'}` : write.why,
    read.found ? read.found.note : read.why,
    table.found ? tableNote(table.found) : table.why,
    ...shapeNote,
  ];
}
