// OpenSSL 1.1 and 3.x (and LibreSSL, which kept the names) by symbol: the shared library, and programs that export a
// static copy, as Node does.
//
// In ordinary builds SSL_read and SSL_read_ex carry the data, each with the body of ssl_read_internal inlined or called.
// A link-time optimised Node exports SSL_read and never calls it: its callers use ssl_read_internal directly. So where the
// internal functions have symbols they are hooked too; the kernel side counts only the outermost hook on one TLS object,
// so nothing is seen twice. A public function whose body calls the internal one adds nothing and is left out: that saves
// a trap per call.
//
// Which argument of ssl_write_internal is the count depends on the version (3.3 put `flags` before it). Where the version is
// unknown or the internal functions have no names, a static copy may still bypass its public functions: then the functions
// that carry the data are found by their error sites, which also tell their arguments. Where that fails the public functions
// are hooked alone, and the evidence says what is not known.
//
// With the shared library the internal functions have no symbols, and the public ones do as well. But in common builds these
// begin with an instruction that makes a probe three times as dear (attach-point.ts) and the internal ones do not: there
// they are found as in a static copy, and hooked instead, where every public function is seen to call its internal one.
//
// LIMITS: where the public functions of the shared library are hooked, data that a program moves through BIO_f_ssl goes
// around them.

import { isCheapPlace } from '../discover/attach-point.ts';
import type { ElfSymbol } from '../discover/dynamic.ts';
import { type ElfImage, offsetOf } from '../discover/elf.ts';
import type { ProgramImage } from '../discover/image.ts';
import { findStaticOpenSsl, type StaticOpenSsl } from '../discover/openssl/find.ts';
import { libresslVersion, opensslVersion } from '../discover/strings.ts';
import { type FoundSymbol, findSymbols } from '../discover/symbols.ts';
import { BUFFER, BUFFER_DONE, BUFFER_FLAGS_DONE, type HookSpec, hooksFor } from './hooks.ts';
import { completeness, freeOfFound, hooksOfFound } from './openssl-found.ts';
import type { Hook, TlsFinding, TlsTarget } from './target.ts';

const PUBLIC: readonly HookSpec[] = [
  { symbol: 'SSL_read', role: 'read', args: BUFFER },
  { symbol: 'SSL_read_ex', role: 'read_ex', args: BUFFER_DONE },
  { symbol: 'SSL_write', role: 'write', args: BUFFER },
  { symbol: 'SSL_write_ex', role: 'write_ex', args: BUFFER_DONE },
  { symbol: 'SSL_write_ex2', role: 'write_ex', args: BUFFER_FLAGS_DONE },
];

const OTHERS: readonly HookSpec[] = [
  { symbol: 'SSL_free', role: 'free' },
  { symbol: 'SSL_ctrl', role: 'ctrl' },
];

const READ_INTERNAL: HookSpec = { symbol: 'ssl_read_internal', role: 'read_ex', args: BUFFER_DONE };
const WRITE_INTERNAL = 'ssl_write_internal';

/** Defined by BoringSSL and its forks only. */
const NOT_OPENSSL = 'SSL_CTX_set_grease_enabled';

export const OPENSSL_NAMES = [...PUBLIC, ...OTHERS]
  .map((spec) => spec.symbol)
  .concat(READ_INTERNAL.symbol, WRITE_INTERNAL, NOT_OPENSSL);

export const openssl: TlsTarget = { name: 'openssl', inspect };

function inspect(image: ProgramImage): readonly TlsFinding[] {
  return inspectWithSymbols(image, findSymbols(image.elf, image.dynamic, OPENSSL_NAMES));
}

/** What the functions with these names tell. */
export function inspectWithSymbols(
  image: ProgramImage,
  symbols: ReadonlyMap<string, FoundSymbol>,
): readonly TlsFinding[] {
  if (symbols.has(NOT_OPENSSL) || !symbols.has('SSL_read') || !symbols.has('SSL_write')) return [];
  const soname = image.dynamic.soname ?? '';
  const isShared = /^libssl\b/.test(soname);
  const hasInternals = symbols.has(READ_INTERNAL.symbol) || symbols.has(WRITE_INTERNAL);
  const version = isShared ? versionFromSymbolVersions(image) : opensslVersion(image.elf, image.anchors());
  const by = tableName(symbols.get('SSL_read'));
  // Of one internal function that has a name the other may be inlined anywhere.
  const hasBoth = symbols.has(READ_INTERNAL.symbol) && symbols.has(WRITE_INTERNAL);
  const isTold = isShared || (hasBoth && version !== undefined);
  const completed = isTold ? undefined : completedByCode(image, symbols);
  if (completed !== undefined)
    return [findingOf(image, { ...completed, version, isShared, by: `${by} and code references` })];
  const cheaper = isShared ? cheaperInternals(image, symbols) : undefined;
  if (cheaper !== undefined)
    return [findingOf(image, { ...cheaper, version, isShared, by: `${by} and code references` })];
  const internals = hasInternals ? internalSpecs(version) : [];
  const wrappers = PUBLIC.filter((spec) => isWrapper(image.elf, spec, internals, symbols)).map((spec) => spec.symbol);
  const specs = [...PUBLIC.filter((spec) => !wrappers.includes(spec.symbol)), ...internals, ...OTHERS];
  const hooks = hooksFor(image.elf, specs, symbols);
  const evidence = [
    ...(wrappers.length > 0 ? [`${wrappers.join(', ')} only call the internal function, which is hooked instead`] : []),
    ...(hasInternals && version === undefined
      ? [`${WRITE_INTERNAL}: version unknown, so its arguments are; not hooked`]
      : []),
  ];
  const doubt = isTold ? '' : ' (whether data goes around them in this build is not known)';
  return [findingOf(image, { hooks, evidence, version, isShared, by: `${by}${doubt}` })];
}

interface Facts {
  readonly hooks: readonly Hook[];
  readonly evidence: readonly string[];
  readonly version: string | undefined;
  readonly isShared: boolean;
  /** How the functions were found. */
  readonly by: string;
}

const findingOf = (image: ProgramImage, { hooks, evidence, version, isShared, by }: Facts): TlsFinding => {
  const isLibressl = isLibreSsl(image, isShared);
  const shown = isLibressl && !isShared ? libresslVersion(image.elf, image.anchors()) : version;
  return {
    library: isLibressl ? 'libressl' : 'openssl',
    linkage: isShared ? 'shared' : 'static',
    ...(shown !== undefined && { version: shown }),
    hooks,
    confidence: 'certain',
    reason: `${hooks.map((hook) => hook.symbol).join(', ')} by ${by}`,
    evidence,
  };
};

/** LibreSSL numbers its shared library from 40 on, OpenSSL's are 1.1 and 3; a static copy brings its version text. */
const isLibreSsl = (image: ProgramImage, isShared: boolean): boolean =>
  isShared ? /^libssl\.so\.\d\d/.test(image.dynamic.soname ?? '') : image.anchors().has('libresslVersion');

/** All functions that carry data, by their error sites, and the others by symbol. */
function completedByCode(
  image: ProgramImage,
  symbols: ReadonlyMap<string, FoundSymbol>,
): Pick<Facts, 'hooks' | 'evidence'> | undefined {
  const { found } = image.anchors().has('opensslLib') ? findStaticOpenSsl(image) : {};
  if (found === undefined) return undefined;
  const nameOf = (address: number): string | undefined =>
    [...symbols.values()].find((symbol) => symbol.address === address)?.name;
  const others = hooksFor(image.elf, OTHERS, symbols);
  const free = others.some((hook) => hook.role === 'free') ? [] : freeOfFound(image, found);
  return {
    hooks: [...hooksOfFound(image, found, nameOf), ...free, ...others],
    evidence: [completeness(found)],
  };
}

/** The shared library's internal functions, where a probe on them is cheap and one on the public functions is not. */
function cheaperInternals(
  image: ProgramImage,
  symbols: ReadonlyMap<string, FoundSymbol>,
): Pick<Facts, 'hooks' | 'evidence'> | undefined {
  const isCheap = (hook: Hook): boolean => isCheapPlace(image.elf, hook.attachOffset);
  const known = PUBLIC.filter(({ symbol }) => symbols.has(symbol));
  if (image.elf.machine !== 'x86_64' || hooksFor(image.elf, known, symbols).every(isCheap)) return undefined;
  const { found } = image.anchors().has('opensslLib') ? findStaticOpenSsl(image) : {};
  if (found === undefined || !known.every((spec) => callsFound(image.elf, spec, found, symbols))) return undefined;
  const hooks = hooksOfFound(image, found);
  if (!hooks.every(isCheap)) return undefined;
  return {
    hooks: [...hooks, ...hooksFor(image.elf, OTHERS, symbols)],
    evidence: ['the internal functions, which all public ones call: a probe on them costs a third'],
  };
}

/** Does the public function call one of the found, out-of-line functions of its direction? */
const callsFound = (
  elf: ElfImage,
  { symbol, role }: HookSpec,
  found: StaticOpenSsl,
  symbols: ReadonlyMap<string, ElfSymbol>,
): boolean =>
  found.functions.some(({ direction, entry, doneIndex }) => {
    const from = symbols.get(symbol);
    return (
      role.startsWith(direction) && doneIndex !== undefined && from !== undefined && callsDirectly(elf, from, entry)
    );
  });

export const tableName = (symbol: FoundSymbol | undefined): string =>
  symbol === undefined ? 'symbol' : TABLE_NAMES[symbol.table];

const TABLE_NAMES: Readonly<Record<FoundSymbol['table'], string>> = {
  dynsym: 'dynamic symbol',
  symtab: 'symbol table',
  separate: 'separate debug symbols',
};

function internalSpecs(version: string | undefined): HookSpec[] {
  if (version === undefined) return [READ_INTERNAL];
  const args = hasWriteFlags(version) ? BUFFER_FLAGS_DONE : BUFFER_DONE;
  return [READ_INTERNAL, { symbol: WRITE_INTERNAL, role: 'write_ex', args }];
}

/** 3.3 and later: ssl_write_internal(ssl, buf, num, flags, written). */
export function hasWriteFlags(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 3 || (major === 3 && minor >= 3);
}

/** libssl.so itself carries no version text; its symbol versions name each release that added a symbol. The newest of them
 * is a lower bound, so only major.minor is told. */
function versionFromSymbolVersions(image: ProgramImage): string | undefined {
  const { strings } = image.dynamic;
  const bytes = strings && image.elf.reader.bytes(strings.offset, Math.min(strings.sizeBytes, MAX_STRINGS_BYTES));
  if (bytes === undefined) return undefined;
  const names =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\bOPENSSL_\d+[._]\d+[._]\d+(?=\0)/g) ?? [];
  const versions = names.map((name) => name.slice('OPENSSL_'.length).replaceAll('_', '.'));
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest?.split('.').slice(0, 2).join('.');
}

/** libssl's dynamic strings are about 30 KB. */
const MAX_STRINGS_BYTES = 1024 * 1024;

function isWrapper(
  elf: ElfImage,
  spec: HookSpec,
  internals: readonly HookSpec[],
  symbols: ReadonlyMap<string, ElfSymbol>,
): boolean {
  const direction = spec.role.slice(0, 4);
  const inner = internals.find((s) => s.role.slice(0, 4) === direction);
  const from = symbols.get(spec.symbol);
  const to = inner && symbols.get(inner.symbol);
  return from !== undefined && to !== undefined && callsDirectly(elf, from, to.address);
}

/** SSL_write is some 500 bytes. */
const MAX_BODY_BYTES = 16 * 1024;

/** Does the function hold a direct call or tail call to `target`? A byte pattern that means this by chance has odds of
 * one in four billion per position, so instructions need not be decoded. */
function callsDirectly(elf: ElfImage, from: ElfSymbol, target: number): boolean {
  const at = offsetOf(elf, from.address);
  const body = at === undefined ? undefined : elf.reader.bytes(at, Math.min(from.sizeBytes, MAX_BODY_BYTES));
  if (body === undefined) return false;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  return elf.machine === 'x86_64' ? hasX86Call(view, from.address, target) : hasArmCall(view, from.address, target);
}

function hasX86Call(body: DataView, address: number, target: number): boolean {
  for (let i = 0; i + 5 <= body.byteLength; i++) {
    const isCallOrJump = (body.getUint8(i) & 0xfe) === 0xe8;
    if (isCallOrJump && address + i + 5 + body.getInt32(i + 1, true) === target) return true;
  }
  return false;
}

function hasArmCall(body: DataView, address: number, target: number): boolean {
  for (let i = 0; i + 4 <= body.byteLength; i += 4) {
    const word = body.getUint32(i, true);
    const isBranch = (word & 0x7c00_0000) === 0x1400_0000;
    if (isBranch && address + i + ((word << 6) >> 4) === target) return true;
  }
  return false;
}
