// Who we are to the server: creds, nkey, user and password, or token, from a file or the environment, never from the
// command line. Read when a connection is made, so that a credential that is renewed meanwhile is used.

import { readFileSync, statSync } from 'node:fs';
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { readingReason, TracerError } from '../../errors.ts';
import type { NatsServerSettings } from './settings.ts';

/** Environment variables; `tracer run` does not hand them to the program that it starts. */
export const LOGIN_VARIABLES = {
  user: 'TRACER_NATS_USER',
  password: 'TRACER_NATS_PASSWORD',
  token: 'TRACER_NATS_TOKEN',
};

/** Throws E_NATS_FILE. */
function readSecret(path: string): Buffer {
  try {
    if ((statSync(path).mode & 0o077) !== 0) {
      throw Object.assign(new Error('others can read it (chmod 600)'), { code: undefined });
    }
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function readPublic(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

const unreadable = (path: string, cause: unknown): TracerError =>
  new TracerError('E_NATS_FILE', { path, reason: readingReason(cause) }, { cause });

function fromLoginFile(path: string): Authenticator {
  const [user = '', password] = readSecret(path).toString('utf8').split(/\r?\n/);
  return password === undefined || password === ''
    ? tokenAuthenticator(user)
    : usernamePasswordAuthenticator(user, password);
}

function fromEnvironment(env: Readonly<Record<string, string | undefined>>): Authenticator | null {
  const { [LOGIN_VARIABLES.user]: user, [LOGIN_VARIABLES.password]: password, [LOGIN_VARIABLES.token]: token } = env;
  if (user !== undefined) return usernamePasswordAuthenticator(user, password);
  return token === undefined ? null : tokenAuthenticator(token);
}

/** Null: the server lets everybody in. Throws E_NATS_FILE. */
export function authenticatorFor(
  settings: NatsServerSettings,
  env: Readonly<Record<string, string | undefined>>,
): Authenticator | null {
  if (settings.credsFile !== undefined) return credsAuthenticator(readSecret(settings.credsFile));
  if (settings.nkeyFile !== undefined) {
    return nkeyAuthenticator(Buffer.from(readSecret(settings.nkeyFile).toString('utf8').trim()));
  }
  return settings.loginFile === undefined ? fromEnvironment(env) : fromLoginFile(settings.loginFile);
}

export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Null: nothing said about TLS. Throws E_NATS_FILE. */
export function tlsFilesOf({ caFile, certFile, keyFile }: NatsServerSettings): TlsFiles | null {
  if (caFile === undefined && certFile === undefined && keyFile === undefined) return null;
  return {
    ...(caFile !== undefined && { ca: readPublic(caFile) }),
    ...(certFile !== undefined && { cert: readPublic(certFile) }),
    ...(keyFile !== undefined && { key: readSecret(keyFile).toString('utf8') }),
  };
}
