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
import type { Hook, TlsFinding, TlsTarget } from './target.ts';

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
  if (exported !== undefined) return [exported];
  const answer = findBoringSsl(image);
  switch (answer.kind) {
    case 'absent':
      return [];
    case 'unclear':
      return [findingOf([], [answer.why])];
    case 'found':
      return answer.copies.map((copy) => {
        const notes = notesOf(copy);
        return findingOf(hooksOf(image.elf, copy), notes);
      });
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
  if (!hasBothDirections(hooks)) return undefined;
  return {
    library: 'boringssl',
    linkage: image.dynamic.soname === undefined ? 'static' : 'shared',
    hooks,
    confidence: 'certain',
    reason: `${hooks.map((hook) => hook.symbol).join(', ')} by ${tableName(symbols.get('SSL_read'))}`,
    evidence: [],
  };
}

const READS = new Set(['read', 'open']);
const WRITES = new Set(['write', 'seal', 'seal_old']);

const hasBothDirections = (hooks: readonly Hook[]): boolean =>
  hooks.some((h) => READS.has(h.role)) && hooks.some((h) => WRITES.has(h.role));

function findingOf(hooks: readonly Hook[], evidence: readonly string[]): TlsFinding {
  const isHooked = hasBothDirections(hooks);
  const names = hooks.map((hook) => hook.symbol).join(', ');
  return {
    library: 'boringssl',
    linkage: 'static',
    // Half a conversation would be misread as a whole one.
    hooks: isHooked ? hooks : [],
    confidence: 'high',
    reason: isHooked ? `${names} by code references` : `boringssl: no complete pair of functions found`,
    evidence,
  };
}

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
  return at({ symbol: 'tls_open_app_data', role: 'open', args: { out: 1 } }, table.found.openAppData);
}

function writeHook({ write, table }: BoringCopy, at: MakeHook): Hook[] {
  if (write.found?.isComplete) return at({ symbol: 'SSL_write', role: 'write', args: BUFFER }, write.found.entry);
  // The calling shape of the record level changed in 2022; SSL_write's call tells which one this is.
  if (!write.found || !table.found?.isWriteComplete) return [];
  return at(sealSpec(write.found), table.found.writeAppData);
}

const sealSpec = ({ bufIndex, lenIndex }: FoundWrite): HookSpec =>
  bufIndex === 2
    ? { symbol: 'tls_write_app_data', role: 'seal_old', args: { buf: bufIndex, len: lenIndex } }
    : { symbol: 'tls_write_app_data', role: 'seal', args: { done: 2, buf: bufIndex, len: lenIndex } };

function notesOf({ write, read, table }: BoringCopy): string[] {
  const hex = (address: number): string => `0x${address.toString(16)}`;
  const tableNote = (t: MethodTable): string => `kTLSProtocolMethod at address ${hex(t.address)}`;
  return [
    write.found ? `SSL_write ${write.found.isComplete ? 'is complete' : 'is inlined elsewhere, too'}` : write.why,
    read.found ? read.found.note : read.why,
    table.found ? tableNote(table.found) : table.why,
  ];
}
