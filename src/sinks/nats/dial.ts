// One connection to one server, and what its refusal means. The client library's own reconnecting is off: it would send
// what was buffered before the break first, and so change the order; see link.ts.

import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { type ConnectionOptions, connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { authenticatorFor, tlsFilesOf } from './login.ts';
import type { ServerAddress } from './server-address.ts';
import type { NatsServerSettings } from './settings.ts';

/** A server that has not answered by then is tried again later. */
const DIAL_TIMEOUT_MS = 5_000;
/** A connection over which nothing comes for twice this time is dead: a broken network says nothing. */
const PING_INTERVAL_MS = 10_000;

type DialOptions = Omit<ConnectionOptions, 'tls'> & { readonly tls?: object };

/**
 * The client names no server to TLS when it is given by its IP address, and Node then checks the certificate for
 * `localhost`: what was meant is one of the addresses.
 */
export function identityCheck(addresses: readonly ServerAddress[]): typeof checkServerIdentity {
  const hosts = addresses.map(({ server }) => server.slice(0, server.lastIndexOf(':')).replace(/^\[|\]$/g, ''));
  const ips = hosts.filter((host) => isIP(host) !== 0);
  return (name, certificate) => {
    const wanted = name === 'localhost' && !hosts.includes(name) && ips.length > 0 ? ips : [name];
    const problems = wanted.map((host) => checkServerIdentity(host, certificate));
    return problems.includes(undefined) ? undefined : problems[0];
  };
}

/** Options that hold for every connection. `reconnect` is for readers, whose order the server keeps. */
export function connectionOptions(
  settings: NatsServerSettings,
  addresses: readonly ServerAddress[],
  env: Readonly<Record<string, string | undefined>>,
): DialOptions {
  const authenticator = authenticatorFor(settings, env);
  const files = tlsFilesOf(settings) ?? (addresses.some(({ needsTls }) => needsTls) ? {} : null);
  const tls = files === null ? null : { ...files, checkServerIdentity: identityCheck(addresses) };
  return {
    servers: addresses.map(({ server }) => server),
    timeout: DIAL_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    ...(authenticator !== null && { authenticator }),
    ...(tls !== null && { tls }),
  };
}

export const dial = (settings: NatsServerSettings, address: ServerAddress, name: string): Promise<NatsConnection> =>
  connect({ ...connectionOptions(settings, [address], process.env), name, reconnect: false } as Parameters<
    typeof connect
  >[0]);

/** Errors of OpenSSL and Node that mean: this server's certificate, or ours, is not accepted. */
const TLS_REFUSAL = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|HOSTNAME_|EPROTO)/;

function* causesOf(error: unknown): Iterable<Error & { code?: unknown }> {
  for (let depth = 0, at = error; at instanceof Error && depth < 8; depth += 1, at = at.cause) yield at;
}

/**
 * Why the server does not want us, in words; null when it merely could not be reached. A refusal does not go away by
 * trying again, so that at the start it is the user's to mend.
 */
export function refusalOf(error: unknown): string | null {
  for (const cause of causesOf(error)) {
    if (cause instanceof errors.AuthorizationError || cause instanceof errors.UserAuthenticationExpiredError) {
      return 'it does not accept our credentials';
    }
    if (typeof cause.code === 'string' && TLS_REFUSAL.test(cause.code)) return `TLS: ${cause.message}`;
    if (/tls|secure connection/i.test(cause.message)) return `TLS: ${cause.message}`;
  }
  return null;
}
