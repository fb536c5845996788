// What the handshake of a call's connection negotiated, as attributes of OpenTelemetry's registry (tls.*).

import type { ConnectionEvent } from '../../model/index.ts';
import type { Attributes } from './model.ts';

export class TlsFacts {
  readonly #byConnection = new Map<string, Attributes>();

  learn({ id, phase, tlsVersion, tlsCipher, alpn }: ConnectionEvent): void {
    if (phase === 'closed') this.#byConnection.delete(id);
    if (tlsVersion === undefined) return;
    this.#byConnection.set(id, {
      'tls.protocol.name': 'tls',
      'tls.protocol.version': tlsVersion,
      'tls.cipher': tlsCipher,
      'tls.next_protocol': alpn,
    });
  }

  /** Of `c3.5` those of `c3`. */
  ofCall(call: string): Attributes {
    return this.#byConnection.get(call.split('.', 1)[0] ?? '') ?? {};
  }
}
