// A secret's replacement: `<kind #fingerprint>`. The fingerprint is HMAC-SHA-256 (RFC 2104) of the secret under a key of
// this installation, cut to 32 bits: equal secrets are recognised, and without the key no guess can be tested.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

const FINGERPRINT_BYTES = 4;

/** The same few credentials come with every request: so many are kept, by value, before all are forgotten. */
const MAX_KNOWN = 1_024;
/** Longer secrets (private keys) are rare: not worth keeping. */
const MAX_KNOWN_LENGTH = 4_096;

/** Names a secret by its kind and fingerprint, e.g. `<github-token #3fa9c1d2>`. */
export type Mask = (secret: string, kind: string) => string;

const utf8 = new TextEncoder();

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Fingerprints under one key, eight hexadecimal digits. */
export function createFingerprint(key: Uint8Array): (secret: string) => string {
  const keyed = hmac.create(sha256, key);
  const known = new Map<string, string>();
  const fingerprint = (secret: string): string =>
    hex(keyed.clone().update(utf8.encode(secret)).digest().subarray(0, FINGERPRINT_BYTES));
  return (secret) => {
    let print = known.get(secret);
    if (print === undefined) {
      print = fingerprint(secret);
      if (known.size >= MAX_KNOWN) known.clear();
      if (secret.length <= MAX_KNOWN_LENGTH) known.set(secret, print);
    }
    return print;
  };
}

export function createMask(key: Uint8Array): Mask {
  const fingerprint = createFingerprint(key);
  return (secret, kind) => `<${kind} #${fingerprint(secret)}>`;
}

/** Source of a pattern that matches a replacement: already redacted, to be left alone. */
export const MASKED = '<[a-z0-9-]{1,40} #[0-9a-f]{8}>';
