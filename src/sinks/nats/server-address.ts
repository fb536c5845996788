// The URLs of servers: what may stand in them, and what must not.

import { TracerError } from '../../errors.ts';

export interface ServerAddress {
  /** `host:port`, as shown and as the client takes it. */
  readonly server: string;
  /** True for `tls://`: the connection is refused when the server does not offer TLS. */
  readonly needsTls: boolean;
}

const DEFAULT_PORT = '4222';

const refuse = (what: string): TracerError => new TracerError('E_NATS_URL', { what });

/** Throws E_NATS_URL. A URL with a password is refused: every user of a machine can read a command line. */
export function parseServerUrl(text: string): ServerAddress {
  const withScheme = text.includes('://') ? text : `nats://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url === null || url.hostname === '') throw refuse('it is not a URL like nats://host:4222');
  if (url.protocol !== 'nats:' && url.protocol !== 'tls:')
    throw refuse(`${url.protocol}// is neither nats:// nor tls://`);
  if (url.username !== '' || url.password !== '') throw refuse('a URL with a user or password shows it to everybody');
  if (!['', '/'].includes(url.pathname) || url.search !== '') throw refuse('nothing may follow host and port');
  return { server: `${url.hostname}:${url.port === '' ? DEFAULT_PORT : url.port}`, needsTls: url.protocol === 'tls:' };
}
