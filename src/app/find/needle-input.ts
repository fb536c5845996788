// What `tracer find` looks for, from the command line: a text (`-`: standard input, so that it stands in no shell history),
// a file, or a hash.

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readingReason, TracerError } from '../../errors.ts';
import { type Encodings, fileNeedle, hashNeedle, type Needle, textNeedle } from '../../insight/index.ts';

export interface NeedleInput {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
  readonly sha256?: string | undefined;
}

export const ENCODINGS: Encodings = {
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  sha256: (data) => createHash('sha256').update(data).digest('hex'),
};

/** Larger than any body that is kept: it could never be found whole. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const STDIN_FD = 0;

const refused = (what: string): TracerError => new TracerError('E_CLI_USAGE', { what, command: 'find' });

/** Throws E_CLI_USAGE and E_FIND_UNREADABLE. */
export function readNeedle({ text, file, sha256 }: NeedleInput): Needle {
  if ([text, file, sha256].filter((one) => one !== undefined).length !== 1) {
    throw refused('say what to look for, one of: a TEXT, --file PATH, --sha256 HASH');
  }
  if (sha256 !== undefined) {
    if (!/^[0-9a-fA-F]{64}$/.test(sha256)) throw refused('--sha256 takes 64 hexadecimal digits');
    return hashNeedle(sha256);
  }
  if (file !== undefined) return ofFile(file);
  // One line break at the end is the pipe's, not the text's.
  const given =
    text === '-'
      ? Buffer.from(read(STDIN_FD, 'standard input'))
          .toString('utf8')
          .replace(/\r?\n$/, '')
      : (text ?? '');
  if (given.trim() === '') throw refused('the text to look for is empty');
  return textNeedle(given, ENCODINGS);
}

function ofFile(path: string): Needle {
  const bytes = read(path, path);
  if (bytes.length === 0) throw refused(`${path} is empty: there is nothing to look for`);
  return fileNeedle(bytes, decoded(bytes), ENCODINGS);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not text: found by base64 and by hash only.
    return undefined;
  }
}

function read(source: string | number, name: string): Uint8Array {
  try {
    const size = typeof source === 'string' ? statSync(source).size : 0;
    if (size > MAX_FILE_BYTES) throw new TracerError('E_FIND_UNREADABLE', { path: name, reason: 'larger than 64 MiB' });
    return new Uint8Array(readFileSync(source));
  } catch (cause) {
    if (cause instanceof TracerError) throw cause;
    throw new TracerError('E_FIND_UNREADABLE', { path: name, reason: readingReason(cause) }, { cause });
  }
}
