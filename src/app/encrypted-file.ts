// A recording that only a passphrase or a key opens: the file is an age file (https://age-encryption.org/v1) around the
// recording, made while it is recorded, so that no plaintext ever lies on the disk. age writes in chunks of 64 KiB: a tracer
// that is killed loses at most the last one.

import { Encrypter } from 'age-encryption';
import { TracerError } from '../errors.ts';
import { PrivateFile } from './private-file.ts';

/** One of both. */
export type Encryption = { readonly passphrase: string } | { readonly recipient: string };

/** A file that is written front to back. */
export interface RecordingSink {
  readonly writtenBytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Pieces that follow each other. */
  writeAll(pieces: readonly Uint8Array[]): Promise<void>;
  close(): Promise<void> | void;
}

/** 2^16 rounds of scrypt: a third of a second here, 64 MiB per guess. The capture waits for it once per file. */
const SCRYPT_LOG_N = 16;

/** Throws E_CLI_USAGE for what is no recipient. */
export function createEncrypter(encryption: Encryption, command: string): Encrypter {
  const encrypter = new Encrypter();
  if ('passphrase' in encryption) {
    encrypter.setPassphrase(encryption.passphrase);
    encrypter.setScryptWorkFactor(SCRYPT_LOG_N);
    return encrypter;
  }
  try {
    encrypter.addRecipient(encryption.recipient);
  } catch (cause) {
    const what = '--record-encrypt takes an age recipient (age1…), or nothing for a passphrase';
    throw new TracerError('E_CLI_USAGE', { what, command }, { cause });
  }
  return encrypter;
}

class EncryptedFile implements RecordingSink {
  readonly #file: PrivateFile;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  /** Settled when everything has been written. */
  readonly #pumped: Promise<void>;

  constructor(file: PrivateFile, encrypter: Encrypter) {
    this.#file = file;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.#input = writable.getWriter();
    this.#pumped = this.#pump(encrypter, readable);
    // Whoever writes next is told: without this a failure in between would count as unhandled.
    this.#pumped.catch(() => {});
  }

  get writtenBytes(): number {
    return this.#file.writtenBytes;
  }

  /** The bytes are copied: they wait for the chunk to fill. */
  async write(bytes: Uint8Array): Promise<void> {
    await Promise.race([this.#input.write(bytes.slice()), this.#pumped]);
  }

  async writeAll(pieces: readonly Uint8Array[]): Promise<void> {
    for (const piece of pieces) await this.write(piece);
  }

  async close(): Promise<void> {
    await Promise.race([this.#input.close(), this.#pumped]);
    await this.#pumped;
    this.#file.close();
  }

  async #pump(encrypter: Encrypter, readable: ReadableStream<Uint8Array>): Promise<void> {
    const encrypted = await encrypter.encrypt(readable);
    for (const reader = encrypted.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      await this.#file.write(value);
    }
  }
}

/** A recording file in the clear, or encrypted. Throws E_FILE_UNWRITABLE. */
export function openRecordingFile(path: string, user: string, encrypter: Encrypter | null): RecordingSink {
  const file = new PrivateFile(path, user);
  return encrypter === null ? file : new EncryptedFile(file, encrypter);
}
