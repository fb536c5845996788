// Turns the engine's events into calls. One `Call` per open exchange, `SocketCalls` beside it once the exchange is a
// WebSocket that speaks the Responses wire. What belongs to no exchange (connections, damage) is for others.

import type {
  CallFact,
  EngineEvent,
  ExchangeEnded,
  ExchangeId,
  ExchangeStarted,
  MessageReceived,
} from '../model/index.ts';
import type { Budget } from './body-text.ts';
import { Call, type CallHost } from './call.ts';
import { CALL_LIMITS, type CallLimits } from './call-limits.ts';
import { CLASSES } from './classes.ts';
import type { ClassRule } from './rule.ts';
import { SocketCalls } from './socket-calls.ts';

export interface CallTrackerOptions {
  readonly emit: (fact: CallFact) => void;
  readonly limits?: Partial<CallLimits>;
  /** Rules of the user's own, tried before the table. */
  readonly rules?: readonly ClassRule[];
  /** True: completed calls carry both bodies as text, whatever their class. For one who searches them, not for sinks. */
  readonly keepBodies?: boolean;
}

export interface CallTracker {
  accept(event: EngineEvent): void;
}

interface OpenExchange {
  readonly call: Call;
  socket: SocketCalls | undefined;
}

interface OpenConnection {
  sni: string | undefined;
  /** By number of the exchange. */
  readonly exchanges: Map<number, OpenExchange>;
}

export function createCallTracker(options: CallTrackerOptions): CallTracker {
  const limits = { ...CALL_LIMITS, ...options.limits };
  const budget: Budget = { leftBytes: limits.maxOpenBytes };
  const rules = [...(options.rules ?? []), ...CLASSES];
  return new Tracker({ emit: options.emit, limits, budget, rules, keepBodies: options.keepBodies ?? false });
}

class Tracker implements CallTracker {
  readonly #host: CallHost;
  readonly #connections = new Map<number, OpenConnection>();

  constructor(host: CallHost) {
    this.#host = host;
  }

  accept(event: EngineEvent): void {
    switch (event.type) {
      case 'ConnectionIdentified':
        if (event.sni !== undefined) this.#identified(event.connection, event.sni);
        break;
      case 'ConnectionClosed':
        this.#closed(event.connection, event.tsNs);
        break;
      case 'ExchangeStarted':
        this.#started(event);
        break;
      case 'HeadReceived':
        this.#find(event.id)?.call.head(event);
        break;
      case 'BodyReceived':
        this.#find(event.id)?.call.bodyReceived(event);
        break;
      case 'MessageReceived':
        this.#message(event);
        break;
      case 'TrailersReceived':
        this.#find(event.id)?.call.trailers(event.side, event.headers);
        break;
      case 'GapSeen':
        this.#gap(event.id, event.side);
        break;
      case 'ExchangeEnded':
        this.#ended(event);
        break;
      default:
    }
  }

  #started(event: ExchangeStarted): void {
    const connection = this.#connection(event.id.connection);
    const call = new Call(this.#host, event, connection.sni);
    connection.exchanges.set(event.id.exchange, { call, socket: undefined });
  }

  #connection(number: number): OpenConnection {
    const known = this.#connections.get(number);
    if (known !== undefined) return known;
    const fresh: OpenConnection = { sni: undefined, exchanges: new Map() };
    this.#connections.set(number, fresh);
    return fresh;
  }

  #find(id: ExchangeId): OpenExchange | undefined {
    return this.#connections.get(id.connection)?.exchanges.get(id.exchange);
  }

  #identified(number: number, sni: string): void {
    const connection = this.#connection(number);
    connection.sni = sni;
    for (const { call } of connection.exchanges.values()) call.identified(sni);
  }

  #message(event: MessageReceived): void {
    const open = this.#find(event.id);
    if (open === undefined) return;
    if (event.format === 'sse') {
      open.call.message(event);
      return;
    }
    if (open.socket === undefined) {
      open.call.socketOpened();
      open.socket = new SocketCalls(this.#host, open.call);
    }
    if (event.format !== 'websocket-text') return;
    open.socket.message(event);
    // Not a wire of ours, as far as known: its messages are the bodies of the one call that it will be.
    if (open.socket.count === 0) open.call.socketText(event.side, event.data);
  }

  #gap(id: ExchangeId | undefined, side: 'request' | 'response' | undefined): void {
    const open = id === undefined ? undefined : this.#find(id);
    open?.socket?.hole();
    if (side !== undefined) open?.call.hole(side);
  }

  #ended(event: ExchangeEnded): void {
    const open = this.#find(event.id);
    if (open === undefined) return;
    this.#connections.get(event.id.connection)?.exchanges.delete(event.id.exchange);
    open.socket?.ended(event.tsNs, event.end);
    // A WebSocket whose requests were calls of their own is not one more call.
    if (open.socket === undefined || open.socket.count === 0) open.call.ended(event);
    else open.call.drop();
  }

  /** The engine ends every exchange before its connection; what is still here has no sizes, but must not be lost. */
  #closed(number: number, tsNs: bigint): void {
    const connection = this.#connections.get(number);
    for (const exchange of connection?.exchanges.keys() ?? []) {
      const sizes = { bytes: 0, decodedBytes: 0, lostBytes: 0, coding: '' };
      const id = { connection: number, exchange };
      this.#ended({ type: 'ExchangeEnded', tsNs, id, end: 'cut', request: sizes, response: sizes });
    }
    this.#connections.delete(number);
  }
}
