// BoringSSL's error sites, the landmarks of the search. Each is a call
//
//     ERR_put_error(16 /* ERR_LIB_SSL */, 0 /* unused */, reason, "…/ssl/ssl_lib.cc", line)
//
// whose constants survive stripping. Link-time optimisation may drop the unused parameter; then everything behind it moves
// one position down. The address of ERR_put_error tells copies of the library in one program apart.

import { inRanges, type Range } from '../code/machine.ts';
import type { Value } from '../code/values.ts';
import type { FunctionTrace } from '../code/walk.ts';

const LIBRARY_SSL = 16;

/** BoringSSL's reason codes, unchanged since 2017 (ssl.h); 66 is ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED, 65 an internal error. */
export const REASON = {
  mallocFailure: 65,
  shouldNotHaveBeenCalled: 66,
  badLength: 111,
  connectionTypeNotSet: 134,
  noRenegotiation: 182,
  protocolIsShutdown: 194,
  invalidServerName: 213,
  handshakeFailure: 215,
  unexpectedRecord: 225,
  uninitialized: 226,
} as const;

/** One `OPENSSL_PUT_ERROR` in the source. -1 for what is not constant. */
export interface Site {
  readonly line: number;
  readonly reason: number;
}

/** A function with its sites in one source file. */
export interface SitedFunction {
  readonly trace: FunctionTrace;
  readonly sites: readonly Site[];
}

/** One copy of the library: what shares an ERR_put_error. */
export interface LibraryCopy {
  readonly errorFunction: number | undefined;
  /** Functions with sites in ssl/ssl_lib.cc and in ssl/s3_pkt.cc. */
  readonly sslLib: readonly SitedFunction[];
  readonly s3Pkt: readonly SitedFunction[];
}

/** Fewer sites than this in ssl_lib.cc are a fragment or an accident: every version has more than 20. */
const MIN_SITES = 8;

export interface SourceFile {
  readonly ranges: readonly Range[];
  readonly functions: readonly FunctionTrace[];
}

export function separateCopies(sslLib: SourceFile, s3Pkt: SourceFile): LibraryCopy[] {
  const sites = sslLib.functions.flatMap((f) => sitesOf(f, sslLib.ranges));
  const targets = [...new Set(sites.map((s) => s.errorFunction))];
  return targets
    .filter((target) => sites.filter((s) => s.errorFunction === target).length >= MIN_SITES)
    .map((target) => ({
      errorFunction: target,
      sslLib: sited(sslLib, target),
      s3Pkt: sited(s3Pkt, target),
    }));
}

const sited = (file: SourceFile, errorFunction: number | undefined): SitedFunction[] =>
  file.functions
    .map((trace) => ({ trace, sites: sitesOf(trace, file.ranges).filter((s) => s.errorFunction === errorFunction) }))
    .filter((f) => f.sites.length > 0);

interface CalledSite extends Site {
  readonly errorFunction: number | undefined;
}

const constantOf = (value: Value | undefined): number => (value?.kind === 'const' ? value.value : -1);

function sitesOf(trace: FunctionTrace, ranges: readonly Range[]): CalledSite[] {
  const found = new Map<string, CalledSite>();
  for (const { args, target } of trace.calls) {
    const library = constantOf(args[0]);
    if (library !== -1 && library !== LIBRARY_SSL) continue;
    for (const fileIndex of [3, 2]) {
      if (!inRanges(ranges, constantOf(args[fileIndex]))) continue;
      const site = {
        line: constantOf(args[fileIndex + 1]),
        reason: constantOf(args[fileIndex - 1]),
        errorFunction: target,
      };
      found.set(`${site.line}/${site.reason}/${target}`, site);
    }
  }
  return [...found.values()];
}

/** A site of the source file with the functions that hold it (more than one: inlined). */
export interface SequenceEntry extends Site {
  readonly functions: ReadonlySet<SitedFunction>;
}

/** The source file's sites in line order: the one thing that layout, compiler and optimisation leave as it was. */
export function sequenceOf(functions: readonly SitedFunction[]): SequenceEntry[] {
  const entries = new Map<string, Site & { functions: Set<SitedFunction> }>();
  for (const f of functions) {
    for (const { line, reason } of f.sites) {
      const key = `${line}/${reason}`;
      const entry = entries.get(key) ?? { line, reason, functions: new Set<SitedFunction>() };
      entry.functions.add(f);
      entries.set(key, entry);
    }
  }
  return [...entries.values()].sort((a, b) => a.line - b.line || a.reason - b.reason);
}

export const hasReason = (f: SitedFunction, reason: number): boolean => f.sites.some((s) => s.reason === reason);
