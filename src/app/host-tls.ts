// What connections negotiated, summed up by host: by the server name that the client asked for, and by the authorities of its
// calls. The facts, the name and the calls of a connection are told one by one, in any order but that its calls come last.

import { type ConnectionEvent, type Negotiated, NegotiatedConnections } from '../model/index.ts';

/** Connections to one host that negotiated the same. */
export interface TlsRow {
  /** `1.0` to `1.3`. */
  readonly version: string;
  /** IANA's name. */
  readonly cipher: string;
  readonly alpn: string | null;
  connections: number;
}

/** A session that talks to more hosts is not read host by host. */
const MAX_HOSTS = 10_000;
/** A server has a handful; a client that offers another protocol each time must not make a report of it. */
const MAX_ROWS = 32;
/** A connection of HTTP/2 may carry requests for any number of authorities. */
const MAX_NAMES = 64;
/** Connections that never end are forgotten in the order of their beginning. */
const MAX_OPEN = 16_384;

export class HostTls {
  readonly #negotiated = new NegotiatedConnections();
  /** Hosts of each open connection, and whether it was counted for them. */
  readonly #open = new Map<string, Map<string, boolean>>();
  readonly #hosts = new Map<string, TlsRow[]>();

  /** `host` is the server name, in the form in which it is asked for. */
  connection(event: ConnectionEvent, host: string | null): void {
    const known = this.#negotiated.learn(event);
    if (host !== null) this.#name(event.id, host);
    if (known !== undefined) this.#count(event.id, known);
    if (event.phase === 'closed') this.#open.delete(event.id);
  }

  /** `id` is that of a call to `host`. Its connection's handshake, as far as known. */
  call(id: string, host: string | null): Negotiated | undefined {
    const connection = id.split('.', 1)[0] ?? '';
    const known = this.#negotiated.ofCall(id);
    if (host !== null) this.#name(connection, host);
    if (known !== undefined) this.#count(connection, known);
    return known;
  }

  /** In the order of their first appearance. */
  of(host: string): readonly TlsRow[] {
    return this.#hosts.get(host) ?? [];
  }

  #name(connection: string, host: string): void {
    const names = this.#open.get(connection) ?? this.#begin(connection);
    if (names.size < MAX_NAMES && !names.has(host)) names.set(host, false);
  }

  #begin(connection: string): Map<string, boolean> {
    const oldest = this.#open.keys().next();
    if (this.#open.size >= MAX_OPEN && oldest.done !== true) this.#open.delete(oldest.value);
    const names = new Map<string, boolean>();
    this.#open.set(connection, names);
    return names;
  }

  #count(connection: string, negotiated: Negotiated): void {
    const names = this.#open.get(connection);
    for (const [host, isCounted] of names ?? []) {
      if (isCounted) continue;
      names?.set(host, true);
      this.#add(host, negotiated);
    }
  }

  #add(host: string, negotiated: Negotiated): void {
    const { version, cipher } = negotiated;
    const alpn = negotiated.alpn ?? null;
    const rows = this.#hosts.get(host) ?? [];
    if (!this.#hosts.has(host) && this.#hosts.size >= MAX_HOSTS) return;
    this.#hosts.set(host, rows);
    const same = rows.find((row) => row.version === version && row.cipher === cipher && row.alpn === alpn);
    if (same !== undefined) same.connections += 1;
    else if (rows.length < MAX_ROWS) rows.push({ version, cipher, alpn, connections: 1 });
  }
}

/** `TLS 1.3 TLS_AES_128_GCM_SHA256 h2`, the protocol as it was sent. */
export const tlsText = ({ version, cipher, alpn }: Pick<TlsRow, 'version' | 'cipher' | 'alpn'>): string =>
  [`TLS ${version} ${cipher}`, ...(alpn === null ? [] : [alpn])].join(' ');
