// Every host that a session talked to, by the name that the client asked for (TLS SNI) and by the authority of its requests:
// also those whose protocol was not understood, for which there is no call.

import type { CallEvent, ConnectionEvent } from '../../model/index.ts';
import { type HostJudge, hostOf } from '../../privacy/index.ts';

export interface HostRow {
  readonly host: string;
  /** On the allow list. */
  readonly known: boolean;
  connections: number;
  calls: number;
}

/** A session that talks to more hosts is not read host by host. */
const MAX_HOSTS = 10_000;

export class HostLog {
  readonly #judge: HostJudge;
  readonly #rows = new Map<string, HostRow>();

  constructor(judge: HostJudge) {
    this.#judge = judge;
  }

  connection({ sni }: ConnectionEvent): void {
    const row = sni === undefined ? null : this.#row(sni);
    if (row !== null) row.connections += 1;
  }

  call({ host, served }: CallEvent): void {
    const row = host === null || served === true ? null : this.#row(host);
    if (row !== null) row.calls += 1;
  }

  /** Unknown ones first, then by name. */
  rows(): readonly HostRow[] {
    return [...this.#rows.values()].sort((a, b) => Number(a.known) - Number(b.known) || (a.host < b.host ? -1 : 1));
  }

  #row(name: string): HostRow | null {
    const host = hostOf(name) ?? name;
    const row = this.#rows.get(host);
    if (row !== undefined || this.#rows.size >= MAX_HOSTS) return row ?? null;
    const fresh: HostRow = { host, known: this.#judge.isKnown(host), connections: 0, calls: 0 };
    this.#rows.set(host, fresh);
    return fresh;
  }
}
