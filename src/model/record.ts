// The capture record as a value: what the kernel side (or a recording) hands to the engine. The binary layout is
// bpf/event.h; decoding it is the `record` room's work. This file knows neither bytes nor files.

/** Direction of plaintext as the traced process sees it: `out` was written by it, `in` was read by it. */
export type Dir = 'out' | 'in';

/** Identity of a process: a pid alone is reused. `startNs` is CLOCK_MONOTONIC nanoseconds of its start. */
export interface ProcessKey {
  readonly pid: number;
  readonly startNs: bigint;
}

/** Identity of one TLS connection: the library reuses object addresses, `generation` counts the uses of one address. */
export interface ConnectionKey extends ProcessKey {
  readonly ssl: bigint;
  readonly generation: number;
}

/** One chunk of plaintext, at most 16 KiB. `offset` counts this direction's bytes, lost ones included. */
export interface DataRecord extends ConnectionKey {
  readonly kind: 'data';
  readonly tsNs: bigint;
  readonly tid: number;
  readonly hook: number;
  readonly dir: Dir;
  readonly offset: number;
  /** Bytes that the whole library call transferred (this chunk is one part of it). */
  readonly callBytes: number;
  /** The last chunk that its call emits. */
  readonly callEnd: boolean;
  /** A view: valid until the callback that delivered the record returns. Copy to keep. */
  readonly bytes: Uint8Array;
}

/** The TLS object was freed. The final offsets reveal bytes that were lost after the last chunk. */
export interface CloseRecord extends ConnectionKey {
  readonly kind: 'close';
  readonly tsNs: bigint;
  readonly outBytes: number;
  readonly inBytes: number;
  /** An unknown number of bytes was missed. The object was not freed: it lives on as the next generation, joined late. */
  readonly broken?: true;
}

/** Offsets reached by a connection that is still open; made by user space when capture ends. */
export interface ProgressRecord extends ConnectionKey {
  readonly kind: 'progress';
  readonly tsNs: bigint;
  readonly outBytes: number;
  readonly inBytes: number;
}

/** The host name that the client asked for (TLS SNI). */
export interface SniRecord extends ConnectionKey {
  readonly kind: 'sni';
  readonly tsNs: bigint;
  readonly host: string;
}

/** The socket of a connection. Best effort: absent for most connections that were open when tracing began. */
export interface PeerRecord extends ConnectionKey {
  readonly kind: 'peer';
  readonly tsNs: bigint;
  /** `192.0.2.1:443`, `[2001:db8::1]:443`. */
  readonly local: string;
  readonly remote: string;
  /** `inside`: sent inside the library's call; `after`: the thread's next send after it. Both with exactly the length that TLS
   * makes of the bytes. */
  readonly evidence: PeerEvidence;
}

/** What a connection's handshake negotiated, as found in the library's memory: not checked for sense yet. Best effort. */
export interface FactsRecord extends ConnectionKey {
  readonly kind: 'facts';
  readonly tsNs: bigint;
  /** As on the wire: 0x0304 is TLS 1.3. 0: not known but by the cipher suite. */
  readonly version: number;
  /** 0x0300 in the upper half, the cipher suite's number in the lower. */
  readonly cipher: number;
  /** Application protocol (RFC 7301); absent when none was negotiated or found. */
  readonly alpn?: string;
  readonly evidence: FactsEvidence;
}

/** How it was known where to look. `getters`: by the code of the library's own functions that tell these facts;
 * `cipher-state`: by what the library's record layer decrypts with. */
export type FactsEvidence = 'getters' | 'cipher-state';

export type PeerEvidence = 'inside' | 'after';

/** A traced process made a child; the child is traced from here on. */
export interface ForkRecord {
  readonly kind: 'fork';
  readonly tsNs: bigint;
  readonly parentPid: number;
  readonly child: ProcessKey;
}

/** A traced process replaced its program. */
export interface ExecRecord extends ProcessKey {
  readonly kind: 'exec';
  readonly tsNs: bigint;
  readonly file: string;
}

/** The last thread of a traced process has gone. `code` as in wait(2): low 7 bits signal, next 8 bits status. */
export interface ExitRecord extends ProcessKey {
  readonly kind: 'exit';
  readonly tsNs: bigint;
  readonly code: number;
}

/** What user space found out about a process (from /proc) and about its TLS libraries. Sent again when it changes. */
export interface ProcessRecord extends ProcessKey {
  readonly kind: 'process';
  readonly tsNs: bigint;
  readonly parentPid: number;
  readonly comm: string;
  readonly exe: string;
  readonly args: readonly string[];
  /** What the process is to the editor: see `ProcessRole`. */
  readonly role: string;
  /** A helper whose editor has ended; absent otherwise. */
  readonly stale?: true;
  /** One line per TLS library met: name, how its functions were found, or why they were not. */
  readonly tls: readonly TlsLibraryFact[];
}

/** One TLS library in a process, hooked or not, with the reason. */
export interface TlsLibraryFact {
  readonly library: string;
  readonly file: string;
  readonly hooked: boolean;
  /** e.g. `SSL_read, SSL_write by dynamic symbol`, or `no symbols, no BoringSSL anchors: not hooked`. */
  readonly reason: string;
  /** At most this long after the library was there its functions were hooked. Absent: it was there when tracing began. */
  readonly hookedAfterMs?: number;
  /** True when the process had connections before its functions were hooked. Absent like `hookedAfterMs`. */
  readonly mayHaveMissed?: boolean;
}

/** A snapshot of the kernel side's counters: cumulative since attach, by name (bpf/counters.def). */
export interface CountersRecord {
  readonly kind: 'counters';
  readonly tsNs: bigint;
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * What was known of a call of a model whose bodies were not recorded, so that a replay knows it, too. Made by user space, before
 * the record by which the call ended.
 */
export interface CallFactsRecord extends ConnectionKey {
  readonly kind: 'call-facts';
  readonly tsNs: bigint;
  /** From the call's start to `tsNs`: how the call is found again, whatever clock the session is brought onto. */
  readonly ageNs: bigint;
  /** Number of the exchange in its connection; of the message, for calls of a WebSocket. */
  readonly exchange: number;
  readonly message?: number;
  /** A JSON object. */
  readonly json: string;
}

/** The clock and the end of a session. `wallNs` is UTC at `tsNs`; it is derived once per session. */
export interface SessionRecord {
  readonly kind: 'session';
  readonly tsNs: bigint;
  readonly phase: 'start' | 'end';
  readonly wallNs: bigint;
  readonly host: string;
  readonly toolVersion: string;
  /** Why capture ended; empty at the start. */
  readonly reason: string;
}

/** All that can come from a capture source, in one order. Everything downstream is a function of this sequence. */
export type CaptureRecord =
  | DataRecord
  | CloseRecord
  | ProgressRecord
  | SniRecord
  | PeerRecord
  | FactsRecord
  | ForkRecord
  | ExecRecord
  | ExitRecord
  | ProcessRecord
  | CountersRecord
  | CallFactsRecord
  | SessionRecord;
