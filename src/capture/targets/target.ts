// The answer of discovery as plain data: which TLS library a file holds and which functions of it to hook, where. The roles
// are the calling shapes that the kernel side has programs for; names of libraries end here.

import type { ProgramImage } from '../discover/image.ts';

/** Calling shape of a hooked function; argument 0 is the TLS object in all of them.
 *  - `read`, `write`: (ssl, buf, num) → bytes, ≤ 0 nothing transferred.
 *  - `read_ex`, `write_ex`: (ssl, buf, num, …, size_t *done) → > 0 success, *done bytes.
 *  - `open`: BoringSSL's record level read, (ssl, Span *out, …) → 0 success, then {ptr, len} at out.
 *  - `seal`: record level write, (ssl, bool *, size_t *written, buf, len) → > 0 success, *written bytes.
 *  - `seal_old`: the same until 2022, (ssl, bool *, buf, len) → bytes.
 *  - `free`: (ssl), the end of a connection. `sni`: (ssl, name). `ctrl`: (ssl, 55, 0, name) is SNI, other commands not. */
export type HookRole =
  | 'read'
  | 'write'
  | 'read_ex'
  | 'write_ex'
  | 'open'
  | 'seal'
  | 'seal_old'
  | 'free'
  | 'sni'
  | 'ctrl';

/** Positions of arguments, from 0. Only what the role's program needs. */
export interface HookArgs {
  readonly buf?: number;
  readonly len?: number;
  /** Where a `size_t *` with the transferred count is passed. */
  readonly done?: number;
  /** Where the record level gets its output span. */
  readonly out?: number;
}

export interface Hook {
  readonly role: HookRole;
  readonly symbol: string;
  /** File offset of the function's first instruction. */
  readonly fileOffset: number;
  /** File offset for its probes, entry and return: see discover/attach-point.ts. */
  readonly attachOffset: number;
  readonly args?: HookArgs;
  /** Low 12 bits of the method table's address. The kernel side checks them against `*(u64 *)ssl`: address space
   * randomisation moves pages whole, so a TLS object of this library passes and anything else (DTLS too) does not. */
  readonly methodLow12?: number;
}

/** The way from the TLS object to a fact: at each offset but the last is the pointer to go on from. */
export type FactChain = readonly number[];

/** Where a connection's facts are. What is read there must agree with each other. */
export interface FactChains {
  /** 16 bits: the version as on the wire. Absent: the cipher suite is what the record layer uses, and tells it as far as it can. */
  readonly version?: FactChain;
  /** 32 bits: 0x0300 (in BoringSSL since 2025: 0) and the cipher suite's number. */
  readonly cipher: FactChain;
  /** Pointer to the application protocol's name, and its length in bytes (32 bits). */
  readonly alpn?: { readonly name: FactChain; readonly lenBytes: FactChain };
}

export type TlsLibrary = 'openssl' | 'libressl' | 'boringssl' | 'aws-lc' | 'rustls' | 'gnutls' | 'nss' | 'go-tls';

/** `certain`: named by a symbol. `high`: found in stripped code and all independent checks agree. */
export type Confidence = 'certain' | 'high';

/** A TLS library in a file, with the functions to hook. */
export interface TlsFinding {
  readonly library: TlsLibrary;
  readonly linkage: 'shared' | 'static';
  readonly version?: string;
  /** Empty when the library is named but cannot be hooked; `reason` then says why. */
  readonly hooks: readonly Hook[];
  readonly confidence: Confidence;
  /** One line for people, e.g. `SSL_read, SSL_write by dynamic symbol`. */
  readonly reason: string;
  /** Absent when the library's own functions that tell them were not found or not understood: `evidence` says it. */
  readonly facts?: FactChains;
  /** What was seen, one fact per line. */
  readonly evidence: readonly string[];
}

/** Names the file whatever path leads to it. */
export interface FileIdentity {
  /** As in /proc/PID/maps, `major:minor` in hex. */
  readonly dev: string;
  readonly inode: number;
  readonly buildId?: string;
}

/** A row of the table of TLS libraries. An empty answer means "not mine". */
export interface TlsTarget {
  readonly name: string;
  readonly inspect: (image: ProgramImage) => readonly TlsFinding[];
}
