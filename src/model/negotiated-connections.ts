// What the handshake of each open connection negotiated, by the events about it: whoever speaks of calls asks for that of a call's
// connection. It is told once, before the connection's first answer; so a completed call of a connection that was told has it.

import type { ConnectionEvent } from './events.ts';
import type { Negotiated } from './negotiated.ts';

/** A session that was cut never says that its connections are closed. An entry is about 100 bytes; the oldest are forgotten. */
const MAX_CONNECTIONS = 16_384;

/** Numbers of two sessions are the same; one session needs no name. */
const keyOf = (id: string, session: string): string => `${session} ${id}`;

export class NegotiatedConnections {
  readonly #known = new Map<string, Negotiated>();

  /** What is known of the connection now. After its end nothing is. */
  learn(event: ConnectionEvent, session = ''): Negotiated | undefined {
    const key = keyOf(event.id, session);
    const known = told(event) ?? this.#known.get(key);
    this.#known.delete(key);
    if (known !== undefined && event.phase !== 'closed') this.#keep(key, known);
    return known;
  }

  /** Of `c3.5`, a call, what is known of `c3`. */
  ofCall(call: string, session = ''): Negotiated | undefined {
    return this.#known.get(keyOf(call.split('.', 1)[0] ?? '', session));
  }

  #keep(key: string, known: Negotiated): void {
    const oldest = this.#known.keys().next();
    if (this.#known.size >= MAX_CONNECTIONS && oldest.done !== true) this.#known.delete(oldest.value);
    this.#known.set(key, known);
  }
}

function told({ tlsVersion, tlsCipher, alpn }: ConnectionEvent): Negotiated | undefined {
  if (tlsVersion === undefined || tlsCipher === undefined) return undefined;
  return { version: tlsVersion, cipher: tlsCipher, ...(alpn !== undefined && { alpn }) };
}
