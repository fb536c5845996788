// Every host that a session talked to, by the name that the client asked for (TLS SNI) and by the authority of its requests:
// also those whose protocol was not understood, for which there is no call.

import type { CallEvent, ConnectionEvent, Negotiated } from '../../model/index.ts';
import { type HostJudge, hostOf } from '../../privacy/index.ts';
import { HostTls, type TlsRow } from '../host-tls.ts';

export interface HostRow {
  readonly host: string;
  /** On the allow list. */
  readonly known: boolean;
  connections: number;
  calls: number;
  /** What connections with calls or a server name of this host negotiated, where the TLS library told. */
  readonly tls: readonly TlsRow[];
}

/** A session that talks to more hosts is not read host by host. */
const MAX_HOSTS = 10_000;

export class HostLog {
  readonly #judge: HostJudge;
  readonly #rows = new Map<string, HostRow>();
  readonly #tls = new HostTls();

  constructor(judge: HostJudge) {
    this.#judge = judge;
  }

  connection(event: ConnectionEvent): void {
    const row = event.sni === undefined ? null : this.#row(event.sni);
    if (row !== null) row.connections += 1;
    this.#tls.connection(event, row?.host ?? null);
  }

  /** What is known of the handshake of the call's connection. */
  call({ id, host, served }: CallEvent): Negotiated | undefined {
    const row = host === null || served === true ? null : this.#row(host);
    if (row !== null) row.calls += 1;
    return this.#tls.call(id, row?.host ?? null);
  }

  /** Unknown ones first, then by name. */
  rows(): readonly HostRow[] {
    const rows = [...this.#rows.values()].map((row) => ({ ...row, tls: this.#tls.of(row.host) }));
    return rows.sort((a, b) => Number(a.known) - Number(b.known) || (a.host < b.host ? -1 : 1));
  }

  #row(name: string): HostRow | null {
    const host = hostOf(name) ?? name;
    const row = this.#rows.get(host);
    if (row !== undefined || this.#rows.size >= MAX_HOSTS) return row ?? null;
    const fresh: HostRow = { host, known: this.#judge.isKnown(host), connections: 0, calls: 0, tls: [] };
    this.#rows.set(host, fresh);
    return fresh;
  }
}
