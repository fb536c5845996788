// What the user decides about the bus, as plain values. Secrets are never among them: they stay in the files and
// environment variables that are named here until the moment of connecting.

import type { Encoding } from './message.ts';

/** How to reach and log in to a server. */
export interface NatsServerSettings {
  /** `nats://host:port` or `tls://host:port`; tried in turn. */
  readonly urls: readonly string[];
  /** A .creds file: user JWT and nkey seed. */
  readonly credsFile?: string | undefined;
  /** A file with an nkey seed. */
  readonly nkeyFile?: string | undefined;
  /** A file with the user on its first line and the password on its second; or one line: a token. */
  readonly loginFile?: string | undefined;
  /** Certificates that servers are checked against, instead of the system's. */
  readonly caFile?: string | undefined;
  /** The client's own certificate and key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Limits of a stream that has to be created. An existing one is used as it is. */
export interface StreamSettings {
  readonly name: string;
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export interface NatsSinkSettings extends NatsServerSettings {
  readonly encoding: Encoding;
  /** Null: core NATS, what nobody listens to is gone. */
  readonly stream: StreamSettings | null;
  /** Undefined: below the user's state directory. */
  readonly spoolDir?: string | undefined;
  readonly spoolBytes: number;
}

/** How long JetStream remembers ids: a message that is sent again within this time is stored once. */
export const DUPLICATE_WINDOW_MS = 10 * 60_000;
