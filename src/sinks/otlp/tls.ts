// What the handshake of a call's connection negotiated, as attributes of OpenTelemetry's registry (tls.*).

import { type ConnectionEvent, NegotiatedConnections } from '../../model/index.ts';
import type { Attributes } from './model.ts';

export class TlsFacts {
  readonly #connections = new NegotiatedConnections();

  learn(event: ConnectionEvent): void {
    this.#connections.learn(event);
  }

  /** Of `c3.5` those of `c3`. */
  ofCall(call: string): Attributes {
    const known = this.#connections.ofCall(call);
    if (known === undefined) return {};
    return {
      'tls.protocol.name': 'tls',
      'tls.protocol.version': known.version,
      'tls.cipher': known.cipher,
      'tls.next_protocol': known.alpn,
    };
  }
}
