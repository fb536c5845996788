// What a NATS server with decentralised login needs: operator, account and user JWTs, and the user's .creds file. The format
// is NATS' own (JWT with the algorithm ed25519-nkey, claims version 2).
import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

const { createAccount, createOperator, createUser } = nkeys;
type KeyPair = ReturnType<typeof createUser>;

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const publicKey = (pair: KeyPair): string => pair.getPublicKey();

function sign(issuer: KeyPair, subject: string, name: string, nats: object): string {
  const claims = { iat: 1_700_000_000, iss: publicKey(issuer), name, sub: subject, nats: { ...nats, version: 2 } };
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const head = base64(JSON.stringify({ typ: 'JWT', alg: 'ed25519-nkey' }));
  const body = `${head}.${base64(JSON.stringify({ jti, ...claims }))}`;
  return `${body}.${base64(issuer.sign(new TextEncoder().encode(body)))}`;
}

const UNLIMITED = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const DISK = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

export interface Accounts {
  /** Part of a server's configuration. */
  readonly config: string;
  /** Text of a .creds file. */
  readonly creds: string;
}

export function makeAccounts(): Accounts {
  const [operator, account, system, user] = [createOperator(), createAccount(), createAccount(), createUser()];
  const operatorJwt = sign(operator, publicKey(operator), 'kit', {
    type: 'operator',
    system_account: publicKey(system),
  });
  const accountJwt = sign(operator, publicKey(account), 'fleet', {
    type: 'account',
    limits: { ...UNLIMITED, ...DISK },
  });
  const systemJwt = sign(operator, publicKey(system), 'system', { type: 'account', limits: UNLIMITED });
  const userJwt = sign(account, publicKey(user), 'tracer', { type: 'user', subs: -1, data: -1, payload: -1 });
  const seed = new TextDecoder().decode(user.getSeed());
  return {
    config: `operator: "${operatorJwt}"
resolver: MEMORY
system_account: "${publicKey(system)}"
resolver_preload: { ${publicKey(account)}: "${accountJwt}", ${publicKey(system)}: "${systemJwt}" }`,
    creds: `-----BEGIN NATS USER JWT-----
${userJwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`,
  };
}
