// What the `copilot` room says: exchanges that were named. Same meaning as the sinks' events (events.ts), but still with
// monotonic bigint times, numeric ids and secrets in place: `app` joins the process, makes ids and times text, redacts.

import type { BodySummary, LlmSummary } from './events.ts';
import type { ConnectionId, ExchangeEnd } from './exchange.ts';
import type { HeaderField } from './http.ts';
import type { ReplyDelta } from './llm.ts';
import type { ServiceFacts } from './service.ts';

/** Identity of a call in its session. Text form: `c3.5`, and `c3.5.2` for the second call of a WebSocket. */
export interface CallId {
  readonly connection: ConnectionId;
  readonly exchange: number;
  /** Number of the call within its WebSocket, from 1. */
  readonly message?: number;
}

/** How sure the table is that the path means the class. */
export type Confidence = 'high' | 'medium' | 'low';

interface CallNamed {
  readonly id: CallId;
  /** When the request began. */
  readonly startNs: bigint;
  /** Class by docs/classes.md. */
  readonly class: string;
  /** Finer kind of a chat call, when recognised. */
  readonly kind?: string;
  /** Which rule named it, what matched, and where the rule comes from. */
  readonly evidence: string;
  readonly confidence: Confidence;
  /** Authority of the request without default port, else the server name of the TLS handshake, else null. */
  readonly host: string | null;
  readonly method: string | null;
  /** Path with query, as sent. */
  readonly path: string | null;
  readonly joinedLate: boolean;
  readonly served: boolean;
}

/** A call is known well enough to show: its request was read, or its answer began. At most once per call. */
export interface CallStarted extends CallNamed {
  readonly type: 'CallStarted';
  readonly tsNs: bigint;
  readonly requestHeaders: readonly HeaderField[];
  readonly model: string | null;
}

/** A piece of a streamed answer. Never before the call's CallStarted. */
export interface CallDelta {
  readonly type: 'CallDelta';
  readonly tsNs: bigint;
  readonly id: CallId;
  readonly delta: ReplyDelta;
}

/** The whole call; exactly once per call, after its CallStarted. Class and kind are final here. */
export interface CallCompleted extends CallNamed {
  readonly type: 'CallCompleted';
  /** When it ended. */
  readonly tsNs: bigint;
  /** Response head, or for a call of a WebSocket its first answer message. Null when none came. */
  readonly firstByteNs: bigint | null;
  /** First piece of text, thinking or tool call of the answer. Null when there was none. */
  readonly firstTokenNs: bigint | null;
  readonly status: number | null;
  readonly httpVersion: string;
  readonly request: BodySummary;
  readonly response: BodySummary;
  readonly llm?: LlmSummary;
  /** What is kept of a call that is no LLM call. */
  readonly service?: ServiceFacts;
  readonly end: ExchangeEnd;
  readonly captured: 'whole' | 'partly';
  /** The call that this one is a copy of: a hop through a server on this machine, whose question went on to the service. */
  readonly copyOf?: CallId;
  /** What is not in here and why, e.g. `request body kept to 16777216 of 20000000 bytes`. */
  readonly notes: readonly string[];
  /** Both bodies as text, content decoded, as far as kept; only when the tracker was asked to keep them. */
  readonly bodies?: CallBodies;
}

export interface CallBodies {
  readonly request: BodyCopy;
  readonly response: BodyCopy;
}

/** A body as text. `whole` is false when a limit or a hole cut it: what is missing is in the call's notes. */
export interface BodyCopy {
  readonly text: string;
  readonly whole: boolean;
}

export type CallFact = CallStarted | CallDelta | CallCompleted;
