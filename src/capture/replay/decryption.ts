// Recordings that were encrypted with `--record-encrypt`: age files (https://age-encryption.org/v1). Who has the passphrase
// or the key is asked when the first such file is met.

import { Decrypter } from 'age-encryption';
import { TracerError } from '../../errors.ts';

/** What opens a recording; null when the user has nothing. */
export interface Unlock {
  passphrase(path: string): Promise<string | null>;
  /** age identities (`AGE-SECRET-KEY-1…`), one each. */
  identities(): Promise<readonly string[]>;
}

let unlock: Unlock = { passphrase: async () => null, identities: async () => [] };

/** Sets who is asked. */
export function provideUnlock(provided: Unlock): void {
  unlock = provided;
}

const MAGIC = new TextEncoder().encode('age-encryption.org/v1\n');
/** The first stanza begins behind the magic: `-> scrypt …` for a passphrase. */
const SCRYPT = new TextEncoder().encode('-> scrypt ');
export const MAGIC_BYTES = MAGIC.length + SCRYPT.length;

const hasAt = (start: Uint8Array, wanted: Uint8Array, at: number): boolean =>
  start.length >= at + wanted.length && wanted.every((byte, i) => start[at + i] === byte);

export const isEncrypted = (start: Uint8Array): boolean => hasAt(start, MAGIC, 0);

const locked = (path: string, reason: string, cause?: unknown): TracerError =>
  new TracerError('E_RECORDING_LOCKED', { path, reason }, { cause });

async function createDecrypter(path: string, start: Uint8Array): Promise<Decrypter> {
  const decrypter = new Decrypter();
  if (hasAt(start, SCRYPT, MAGIC.length)) {
    const passphrase = await unlock.passphrase(path);
    if (passphrase === null) throw locked(path, 'it needs a passphrase');
    decrypter.addPassphrase(passphrase);
    return decrypter;
  }
  const identities = await unlock.identities();
  if (identities.length === 0) throw locked(path, 'it needs an age key');
  for (const identity of identities) decrypter.addIdentity(identity);
  return decrypter;
}

/**
 * The plaintext of `encrypted`, of which `start` holds the first bytes. Throws E_RECORDING_LOCKED. Reading rejects where the
 * file is cut or was changed: what came before is genuine.
 */
export async function decrypt(
  path: string,
  start: Uint8Array,
  encrypted: ReadableStream<Uint8Array>,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const decrypter = await createDecrypter(path, start);
  try {
    return (await decrypter.decrypt(encrypted)).getReader();
  } catch (cause) {
    throw locked(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
