// The request log of an audit: who called which service, how it proved itself (scheme and kind, never the credential), what
// came back, how much, when. Made from redacted events only.

import { type CallEvent, headerValue, type Negotiated } from '../../model/index.ts';
import { type HostJudge, hostOf } from '../../privacy/index.ts';

export interface RequestRow {
  readonly time: string;
  readonly call: string;
  readonly pid: number;
  readonly role: string;
  readonly class: string;
  readonly method: string | null;
  readonly host: string | null;
  /** Without query. */
  readonly path: string | null;
  /** `Bearer copilot-token`, `x-api-key`, or null when no credential went along. */
  readonly auth: string | null;
  readonly status: number | null;
  /** Of its connection's handshake; null where the TLS library did not tell. */
  readonly tlsVersion: string | null;
  readonly tlsCipher: string | null;
  readonly alpn: string | null;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** All calls of one class to one host. */
export interface ServiceRow {
  readonly class: string;
  readonly host: string | null;
  readonly known: boolean;
  calls: number;
  failed: number;
  readonly auth: string[];
  requestBytes: number;
  responseBytes: number;
  readonly firstSeen: string;
  lastSeen: string;
}

/** Fields other than Authorization by which clients prove themselves. */
const KEY_FIELDS = [
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'copilot-session-token',
  'copilot-edits-session',
  'cookie',
];

/** `Bearer <copilot-token #3fa9c1d2>` is `Bearer copilot-token`. */
const MASKED_VALUE = /^(?:(\S{1,32}) )?<([a-z0-9-]{1,40}) #[0-9a-f]{8}>$/;

/** How the call proved who makes it, from its redacted fields. */
export function authOf({ request }: CallEvent): string | null {
  const value = headerValue(request.headers, 'authorization');
  if (value !== undefined) {
    const [, scheme, kind] = MASKED_VALUE.exec(value) ?? [];
    return kind === undefined ? 'authorization' : [scheme, kind].filter((word) => word !== undefined).join(' ');
  }
  return KEY_FIELDS.find((name) => headerValue(request.headers, name) !== undefined) ?? null;
}

const rowOf = (call: CallEvent, negotiated: Negotiated | undefined): RequestRow => ({
  time: call.time,
  call: call.id,
  pid: call.pid,
  role: call.role,
  class: call.class,
  method: call.method,
  host: call.host,
  path: call.path?.replace(/[?#].*$/s, '') ?? null,
  auth: authOf(call),
  status: call.status,
  tlsVersion: negotiated?.version ?? null,
  tlsCipher: negotiated?.cipher ?? null,
  alpn: negotiated?.alpn ?? null,
  requestBytes: call.request.bytes,
  responseBytes: call.response.bytes,
});

/** A row is about 350 bytes: 100,000 of them are a day of a busy editor. Of more, only the sums are kept. */
const MAX_ROWS = 100_000;
const MAX_SERVICES = 10_000;

export class RequestLog {
  readonly #judge: HostJudge;
  readonly #rows: RequestRow[] = [];
  readonly #services = new Map<string, ServiceRow>();
  /** Rows beyond the bound. */
  left = 0;

  constructor(judge: HostJudge) {
    this.#judge = judge;
  }

  /** `call` must be redacted. */
  add(call: CallEvent, negotiated?: Negotiated): void {
    const row = rowOf(call, negotiated);
    if (this.#rows.length < MAX_ROWS) this.#rows.push(row);
    else this.left += 1;
    this.#addService(row);
  }

  rows(): readonly RequestRow[] {
    return this.#rows;
  }

  /** Most calls first, then by name. */
  services(): readonly ServiceRow[] {
    const order = (a: ServiceRow, b: ServiceRow): number =>
      b.calls - a.calls || `${a.class} ${a.host}`.localeCompare(`${b.class} ${b.host}`, 'en');
    return [...this.#services.values()].sort(order);
  }

  #addService(row: RequestRow): void {
    const key = `${row.class} ${row.host}`;
    const service = this.#services.get(key) ?? this.#openService(key, row);
    if (service === null) return;
    service.calls += 1;
    if (row.status === null || row.status >= 400) service.failed += 1;
    if (row.auth !== null && !service.auth.includes(row.auth)) service.auth.push(row.auth);
    service.requestBytes += row.requestBytes;
    service.responseBytes += row.responseBytes;
    service.lastSeen = row.time;
  }

  #openService(key: string, { class: name, host, time }: RequestRow): ServiceRow | null {
    if (this.#services.size >= MAX_SERVICES) return null;
    const bare = host === null ? null : hostOf(host);
    const known = bare === null || this.#judge.isKnown(bare);
    const sums = { calls: 0, failed: 0, requestBytes: 0, responseBytes: 0 };
    const fresh: ServiceRow = { class: name, host, known, ...sums, auth: [], firstSeen: time, lastSeen: time };
    this.#services.set(key, fresh);
    return fresh;
  }
}
