// Passphrases and keys of encrypted recordings: from the environment, else asked on the terminal without showing what is
// typed. Never a command-line option: every user of the machine can read those.

import { openSync, readFileSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Unlock } from '../app/index.ts';
import { readingReason, TracerError } from '../errors.ts';

const ENTER = /[\r\n\u0004]/;
const INTERRUPT = '\u0003';
const ERASE = /[\u0008\u007f]/;

/** A line from the controlling terminal, null when there is none. What is typed is not shown. */
async function ask(question: string): Promise<string | null> {
  let terminal: ReadStream;
  try {
    terminal = new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return null;
  }
  process.stderr.write(question);
  terminal.setRawMode(true);
  try {
    return await readLine(terminal);
  } finally {
    terminal.setRawMode(false);
    terminal.destroy();
    process.stderr.write('\n');
  }
}

async function readLine(terminal: ReadStream): Promise<string | null> {
  let line = '';
  terminal.setEncoding('utf8');
  for await (const typed of terminal as AsyncIterable<string>) {
    for (const character of typed) {
      if (character === INTERRUPT) return null;
      if (ENTER.test(character)) return line;
      line = ERASE.test(character) ? line.slice(0, -1) : line + character;
    }
  }
  return null;
}

const fromEnvironment = (): string | null => process.env['TRACER_PASSPHRASE'] || null;

/** For a new recording: asked twice. Throws E_CLI_USAGE when there is none. */
export async function newPassphrase(command: string): Promise<string> {
  const given = fromEnvironment();
  if (given !== null) return given;
  const first = await ask('Passphrase for the recording: ');
  const isSame = first !== null && first !== '' && (await ask('Again: ')) === first;
  if (isSame) return first;
  const what =
    first === null
      ? 'no passphrase: set TRACER_PASSPHRASE, or run it on a terminal'
      : 'no passphrase, or two different ones';
  throw new TracerError('E_CLI_USAGE', { what, command });
}

/** Lines of an age identity file that are keys; comments are left out. */
function identitiesIn(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => /^AGE-SECRET-KEY-/i.test(line));
  } catch (cause) {
    const reason = readingReason(cause);
    throw new TracerError('E_RECORDING_LOCKED', { path, reason: `the key file cannot be read (${reason})` }, { cause });
  }
}

/** Asked once: a second recording is tried with the same. */
let known: string | null = null;

export const unlock: Unlock = {
  async passphrase(path) {
    known ??= fromEnvironment() ?? (await ask(`Passphrase of ${path}: `));
    return known;
  },
  async identities() {
    const path = process.env['TRACER_IDENTITY'];
    return path === undefined || path === '' ? [] : identitiesIn(path);
  },
};
