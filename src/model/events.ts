// Events for the sinks: the same field names in NDJSON, protobuf and every view. `docs/events.md` is their manual.
// All of them are plain JSON values (times are numbers or ISO strings, no bigint), so that a sink can print them as is.

import type { ConnectionProtocol } from './exchange.ts';
import type { HeaderField, UnknownField } from './http.ts';
import type { LlmError, LlmRequest, ToolCall, Usage } from './llm.ts';
import type { FactsEvidence, PeerEvidence, TlsLibraryFact } from './record.ts';
import type { ServiceFacts } from './service.ts';

export interface EventBase {
  /** UTC, ISO 8601 with milliseconds, when the fact happened (for a call: when its request began). */
  readonly time: string;
  /** Monotonic nanoseconds of the same moment, as decimal text (exceeds 2^53). */
  readonly tsNs: string;
}

export interface ProcessEvent extends EventBase {
  readonly type: 'process';
  readonly phase: 'found' | 'forked' | 'exec' | 'exited';
  readonly pid: number;
  readonly parentPid: number;
  readonly comm: string;
  readonly exe: string;
  readonly args: readonly string[];
  readonly role: string;
  readonly tls: readonly TlsLibraryFact[];
  /** A helper whose editor has ended, such as an extension host from before a restart. */
  readonly stale?: true;
  readonly exitCode?: number;
}

export interface ConnectionEvent extends EventBase {
  readonly type: 'connection';
  readonly phase: 'opened' | 'identified' | 'closed';
  /** `c` and the connection's number in this session, e.g. `c3`. */
  readonly id: string;
  readonly pid: number;
  readonly role: string;
  readonly protocol?: ConnectionProtocol;
  readonly detail?: string;
  readonly sni?: string;
  /** Addresses of its socket, `192.0.2.1:443` or `[2001:db8::1]:443`, when they could be found without guessing. */
  readonly local?: string;
  readonly remote?: string;
  /** How: sent `inside` a call of the library, or right `after` it, with exactly the length that TLS makes of the bytes. */
  readonly peerEvidence?: PeerEvidence;
  /** What the handshake negotiated, when the library told: `1.3`; `TLS_AES_128_GCM_SHA256` as IANA names it; the application protocol as sent. */
  readonly tlsVersion?: string;
  readonly tlsCipher?: string;
  readonly alpn?: string;
  /** Where that is from (see `FactsRecord`). */
  readonly tlsEvidence?: FactsEvidence;
  readonly joinedLate?: boolean;
  readonly outBytes?: number;
  readonly inBytes?: number;
  readonly lostOutBytes?: number;
  readonly lostInBytes?: number;
}

export interface BodySummary {
  /** On the wire after transfer or frame decoding, before content decoding. */
  readonly bytes: number;
  /** After content decoding. */
  readonly decodedBytes: number;
  /** Of `bytes`, lost by the capture. Absent when 0. */
  readonly lostBytes?: number;
  /** Of a body that is no text: its media type. The content is not shown. */
  readonly binaryType?: string;
  /** Of such a body, decoded, when it was seen whole. */
  readonly sha256?: string;
  readonly headers: readonly HeaderField[];
  readonly unknownHeaders?: readonly UnknownField[];
  readonly trailers?: readonly HeaderField[];
}

export interface LlmSummary {
  readonly dialect: string;
  readonly model: string | null;
  /** Model that the answer names, which may be another one than was asked. */
  readonly answeredBy?: string;
  readonly text: string;
  readonly thinking?: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  readonly finishReason: string | null;
  readonly error?: LlmError;
  /** False when the answer ended without its end mark. */
  readonly complete: boolean;
  readonly request?: LlmRequest;
  /** Provider's id of the answer; what `previousResponseId` of a later request refers to. */
  readonly responseId?: string;
  /** Texts of the further choices, for n > 1. */
  readonly alternatives?: readonly string[];
  /** What the provider said beside text, see `LlmReply.other`. */
  readonly other?: readonly { readonly type: string; readonly json: unknown }[];
}

/** A call as it begins: enough for a live view. */
export interface CallStartedEvent extends EventBase {
  readonly type: 'call.started';
  readonly id: string;
  readonly pid: number;
  readonly role: string;
  readonly class: string;
  readonly host: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly model?: string | null;
}

/** A piece of a streamed answer. */
export interface CallDeltaEvent extends EventBase {
  readonly type: 'call.delta';
  readonly id: string;
  readonly kind: 'text' | 'thinking' | 'tool-call';
  readonly text: string;
}

/** A complete call. */
export interface CallEvent extends EventBase {
  readonly type: 'call';
  /** `c3.5`: fifth exchange of the third connection; a message of a WebSocket adds `.n`. */
  readonly id: string;
  readonly pid: number;
  readonly role: string;
  /** Class by docs/classes.md, e.g. `chat.completions`, `http.other`. */
  readonly class: string;
  /** Finer kind of a chat call, e.g. `agent.turn`, when known. */
  readonly kind?: string;
  /** Which rule named it and on what evidence. */
  readonly evidence: string;
  /** How sure that rule is. */
  readonly confidence?: 'high' | 'medium' | 'low';
  readonly host: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly httpVersion: string;
  readonly request: BodySummary;
  readonly response: BodySummary;
  readonly llm?: LlmSummary;
  /** What is kept of a call that is no LLM call, see docs/insight.md. */
  readonly service?: ServiceFacts;
  readonly timing: {
    /** Request's first byte to response head. */
    readonly ttfbMs: number | null;
    /** Request's first byte to the first token of text, thinking or tool call. */
    readonly ttftMs: number | null;
    readonly durationMs: number;
  };
  readonly end: 'complete' | 'reset' | 'cut' | 'open' | 'lost';
  /** True when no byte of it was lost and both heads are fully known. */
  readonly captured: 'whole' | 'partly';
  readonly joinedLate?: boolean;
  readonly served?: boolean;
  /** Id of the call that this one is a copy of: a hop through a server on this machine. Not counted again. */
  readonly copyOf?: string;
  /** What is not in here and why. */
  readonly notes?: readonly string[];
}

export interface LossEvent extends EventBase {
  readonly type: 'loss';
  /** Connection, or absent for a cause that belongs to none. */
  readonly connection?: string;
  readonly dir?: 'out' | 'in';
  readonly bytes: number;
  readonly cause: string;
}

/** What tracing itself cost. A field is absent where it could not be measured (in a replay: all that concern the kernel). */
export interface CostSummary {
  readonly hookedCalls?: number;
  /** Run time of the BPF programs, from the kernel's BPF statistics. */
  readonly bpfRunMs?: number;
  /** User and system CPU time of the tracer. */
  readonly tracerCpuMs?: number;
  readonly ringBytes?: number;
  readonly ringHighWaterBytes?: number;
}

export interface SummaryEvent extends EventBase {
  readonly type: 'summary';
  readonly reason: string;
  readonly durationMs: number;
  readonly calls: number;
  readonly callsByClass: Readonly<Record<string, number>>;
  readonly connections: number;
  readonly processes: number;
  readonly bytes: { readonly out: number; readonly in: number };
  readonly lost: { readonly out: number; readonly in: number; readonly incompleteCalls: number };
  /** Kernel side's counters by name (bpf/counters.def). */
  readonly counters: Readonly<Record<string, number>>;
  readonly cost?: CostSummary;
  readonly complete: boolean;
}

/** A secret or another thing worth acting on, found by the privacy room. */
export interface FindingEvent extends EventBase {
  readonly type: 'finding';
  readonly rule: string;
  readonly severity: 'high' | 'medium' | 'low';
  readonly call: string;
  readonly where: string;
  readonly fingerprint: string;
  /** What was found, in words. */
  readonly title?: string;
  /** Whether the traced process sent it or received it. */
  readonly dir?: 'sent' | 'received';
  /** Who has it now: host, and model for a call of one. */
  readonly host?: string | null;
  readonly model?: string | null;
  /** Message and part of the request, from 0. */
  readonly message?: number;
  readonly part?: number;
  /** Place within that text, UTF-16 units. */
  readonly offset?: number;
  readonly length?: number;
  /** Context item (tag or tool) and file that it came from, when the text says so. */
  readonly item?: string;
  readonly file?: string;
  /** True when it stood encoded (base64, percent-encoding, escapes). */
  readonly encoded?: boolean;
}

export type TraceEvent =
  | ProcessEvent
  | ConnectionEvent
  | CallStartedEvent
  | CallDeltaEvent
  | CallEvent
  | LossEvent
  | FindingEvent
  | SummaryEvent;
