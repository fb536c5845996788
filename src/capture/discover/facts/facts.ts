// Where a TLS object keeps its version, cipher suite and application protocol: read from the code of the library's own
// getters, SSL_version and its like, whose names are known. Offsets differ from release to release, the getters do not.
//
// Right or silent. A getter has paths for other states too (QUIC, early data, a handshake that goes on); the one that counts
// after the handshake is known by its length, which is a property of the library's design:
//
//                OpenSSL, LibreSSL              BoringSSL, AWS-LC
//   version      ssl→version                    ssl→version, since 2024 ssl→s3→version
//   cipher       ssl→session→cipher             ssl→s3→established_session→cipher
//   ALPN         ssl→alpn, 1.1.1 ssl→s3→alpn    ssl→s3→alpn
//   id           cipher→id                      cipher→id
//
// Exactly one path of that length must exist (docs/discovery.md). Whoever reads there checks the values against each other as well.

import type { FactChain, FactChains, TlsFinding, TlsLibrary } from '../../targets/target.ts';
import { machineOf } from '../code/machine-of.ts';
import { isArg } from '../code/values.ts';
import type { ProgramImage } from '../image.ts';
import type { SymbolLookup } from '../symbols.ts';
import { type GetterRun, offsetsFrom, offsetsFromObject, runGetter } from './getter.ts';

const VERSION = 'SSL_version';
const CIPHER = 'SSL_get_current_cipher';
const SESSION = 'SSL_get_session';
const IDS = ['SSL_CIPHER_get_id', 'SSL_CIPHER_get_protocol_id'] as const;
const ALPN = 'SSL_get0_alpn_selected';

const GETTERS: readonly string[] = [VERSION, CIPHER, SESSION, ...IDS, ALPN];

/** No field of these objects lies farther away; the kernel side keeps offsets in 16 bits. */
const MAX_OFFSET = 0xffff;

export type FactsAnswer = { readonly facts: FactChains } | { readonly facts?: undefined; readonly why: string };

export function findFacts(image: ProgramImage, library: TlsLibrary, lookup: SymbolLookup): FactsAnswer {
  const symbols = lookup(GETTERS);
  if (symbols.size === 0) return { why: 'the functions that tell them have no names here' };
  const machine = machineOf(image.elf);
  const run = (name: string): GetterRun | undefined => {
    const symbol = symbols.get(name);
    return symbol && runGetter(machine, symbol);
  };
  const isBoring = library === 'boringssl' || library === 'aws-lc';
  const version = onlyOf(returned(run(VERSION)), (length) => length === 1 || (isBoring && length === 2));
  const cipher = isBoring ? boringCipher(run(CIPHER), run(SESSION)) : onlyOf(returned(run(CIPHER)), (n) => n === 2);
  const [id] = IDS.flatMap((name) => onlyOf(returned(run(name)), (length) => length === 1) ?? []);
  if (version === undefined) return { why: `${VERSION} is missing or not understood` };
  if (cipher === undefined) return { why: `${CIPHER} is missing or not understood` };
  if (id === undefined) return { why: `${IDS.join(' and ')} are missing or not understood` };
  const alpn = alpnOf(run(ALPN));
  return { facts: { version, cipher: [...cipher, id], ...(alpn !== undefined && { alpn }) } };
}

const BY_GETTERS = `TLS version and cipher by the code of ${VERSION}, ${CIPHER}`;

const noteWithoutGetters = ({ facts }: TlsFinding, why: string): string =>
  facts === undefined
    ? `TLS version and cipher are not told: ${why}`
    : 'TLS cipher, and the version that it belongs to, by what the record layer decrypts with';

/** The same finding, told where its connections' facts are, or why that is not known. */
export function withFacts(image: ProgramImage, finding: TlsFinding, lookup: SymbolLookup): TlsFinding {
  const answer = findFacts(image, finding.library, lookup);
  // What the getters tell is more than what the search may have found already: the cipher suite.
  const facts = answer.facts ?? finding.facts;
  const note = answer.facts === undefined ? noteWithoutGetters(finding, answer.why) : BY_GETTERS;
  return { ...finding, ...(facts !== undefined && { facts }), evidence: [...finding.evidence, note] };
}

const returned = (run: GetterRun | undefined): FactChain[] =>
  run?.returns.flatMap((value) => [offsetsFromObject(value) ?? []]) ?? [];

/** The one chain of a fitting length; nothing when there are two of them. */
function onlyOf(chains: readonly FactChain[], fits: (length: number) => boolean): FactChain | undefined {
  const fitting = chains.filter((chain) => fits(chain.length));
  const [first, ...others] = fitting;
  if (first === undefined || others.some((chain) => chain.join() !== first.join())) return undefined;
  return first.every((offset) => offset >= 0 && offset <= MAX_OFFSET) ? first : undefined;
}

/** SSL_get_session is inlined, or called with the object. */
function boringCipher(cipher: GetterRun | undefined, session: GetterRun | undefined): FactChain | undefined {
  const inlined = onlyOf(returned(cipher), (length) => length === 3);
  if (inlined !== undefined || cipher === undefined) return inlined;
  const established = onlyOf(returned(session), (length) => length === 2);
  const isOfSession = (result: Parameters<typeof cipher.calls.get>[0]): boolean =>
    isArg(cipher.calls.get(result)?.args[0], 0);
  const behind = cipher.returns.flatMap((value) => [offsetsFrom(value, isOfSession) ?? []]);
  const last = onlyOf(behind, (length) => length === 1);
  return established && last && [...established, ...last];
}

/** SSL_get0_alpn_selected(ssl, const unsigned char **name, unsigned *length). */
function alpnOf(run: GetterRun | undefined): FactChains['alpn'] {
  const storedTo = (index: number): FactChain[] =>
    run?.stores.flatMap(({ base, disp, value }) =>
      isArg(base, index) && disp === 0 ? [offsetsFromObject(value) ?? []] : [],
    ) ?? [];
  const isShort = (length: number): boolean => length === 1 || length === 2;
  const name = onlyOf(storedTo(1), isShort);
  if (name === undefined) return undefined;
  // Where the name is NULL its register may serve as length 0.
  const lenBytes = onlyOf(
    storedTo(2).filter((chain) => chain.join() !== name.join()),
    isShort,
  );
  if (lenBytes === undefined) return undefined;
  // Fields of the same structure.
  return name.slice(0, -1).join() === lenBytes.slice(0, -1).join() ? { name, lenBytes } : undefined;
}
