// What one file holds, as plain data, and the check that data from outside has this shape.

import type { FactChain, FactChains, Hook, HookRole, TlsFinding, TlsLibrary } from '../targets/target.ts';

export interface FileFindings {
  readonly buildId?: string;
  readonly findings: readonly TlsFinding[];
}

const ROLES: Readonly<Record<HookRole, true>> = {
  read: true,
  write: true,
  read_ex: true,
  write_ex: true,
  open: true,
  seal: true,
  seal_old: true,
  free: true,
  sni: true,
  ctrl: true,
};

const LIBRARIES: Readonly<Record<TlsLibrary, true>> = {
  openssl: true,
  libressl: true,
  boringssl: true,
  'aws-lc': true,
  rustls: true,
  gnutls: true,
  nss: true,
  'go-tls': true,
};

const COMPLETABLE: ReadonlySet<TlsLibrary> = new Set<TlsLibrary>(['openssl', 'libressl', 'boringssl', 'aws-lc']);

/** False when a library was recognised whose functions may yet be found: debug symbols can be installed any time. */
export const areFinal = ({ findings }: FileFindings): boolean =>
  findings.every((f) => f.hooks.length > 0 || !COMPLETABLE.has(f.library));

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isAbsentOr = (value: unknown, check: (v: unknown) => boolean): boolean => value === undefined || check(value);

/** Argument positions: there are six register arguments. */
const isArgs = (value: unknown): boolean => isPlain(value) && Object.values(value).every((n) => isOffset(n) && n < 6);

const isHook = (value: unknown): value is Hook =>
  isPlain(value) &&
  isText(value['role']) &&
  Object.hasOwn(ROLES, value['role']) &&
  isText(value['symbol']) &&
  isOffset(value['fileOffset']) &&
  isOffset(value['attachOffset']) &&
  isAbsentOr(value['args'], isArgs) &&
  isAbsentOr(value['methodLow12'], (n) => isOffset(n) && n < 4096);

/** The kernel side follows chains of up to four offsets of 16 bits. */
const isChain = (value: unknown): value is FactChain =>
  Array.isArray(value) && value.length > 0 && value.length <= 4 && value.every((n) => isOffset(n) && n < 0x1_0000);

const isAlpn = (value: unknown): boolean => isPlain(value) && isChain(value['name']) && isChain(value['lenBytes']);

const isFacts = (value: unknown): value is FactChains =>
  isPlain(value) &&
  isAbsentOr(value['version'], isChain) &&
  isChain(value['cipher']) &&
  isAbsentOr(value['alpn'], isAlpn);

const isFinding = (value: unknown): value is TlsFinding =>
  isPlain(value) &&
  isText(value['library']) &&
  Object.hasOwn(LIBRARIES, value['library']) &&
  (value['linkage'] === 'shared' || value['linkage'] === 'static') &&
  isAbsentOr(value['version'], isText) &&
  Array.isArray(value['hooks']) &&
  value['hooks'].every(isHook) &&
  (value['confidence'] === 'certain' || value['confidence'] === 'high') &&
  isText(value['reason']) &&
  isAbsentOr(value['facts'], isFacts) &&
  Array.isArray(value['evidence']) &&
  value['evidence'].every(isText);

export const isFileFindings = (value: unknown): value is FileFindings =>
  isPlain(value) &&
  isAbsentOr(value['buildId'], isText) &&
  Array.isArray(value['findings']) &&
  value['findings'].every(isFinding);
