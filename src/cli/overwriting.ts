// No command writes over what it reads: opening the output would empty the recording before it was read. Asked once, for
// every command, before anything is opened.

import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { exportFormats } from '../app/index.ts';
import { TracerError } from '../errors.ts';

interface NamedFiles {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** What the last argument of these names is written. */
const WRITES_LAST = new Set(['cut', 'scrub']);
/** Arguments of these are a program and its own. */
const READS_NONE = new Set(['attach', 'run']);

const READ_OPTIONS = ['rules', 'prices', 'file', 'recording', 'debugLog', 'symbols'];
const WRITE_OPTIONS = ['output', 'record', ...exportFormats().map(({ name }) => name)];

const valuesOf = (command: Command, names: readonly string[]): readonly string[] => {
  const values = command.opts<Record<string, unknown>>();
  return names.flatMap((name) => values[name]).filter((value) => typeof value === 'string');
};

function filesOf(command: Command): NamedFiles {
  const paths = READS_NONE.has(command.name()) ? [] : command.args;
  const inputs = WRITES_LAST.has(command.name()) ? paths.slice(0, -1) : paths;
  return {
    reads: [...inputs, ...valuesOf(command, READ_OPTIONS)],
    writes: [...paths.slice(inputs.length), ...valuesOf(command, WRITE_OPTIONS)],
  };
}

/** Where a file that is not there yet would be, whatever links lead to its directory. */
function placeOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return resolve(path);
  }
}

/** What two names of one file share; null for what has no content to lose (a terminal, a pipe, `-`). */
function identityOf(path: string): string | null {
  if (path === '-') return null;
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (facts === undefined) return placeOf(path);
  return facts.isFile() ? `${facts.dev} ${facts.ino}` : null;
}

/** Null when a path cannot be looked at: opening it will say why. */
function knownIdentity(path: string): string | null {
  try {
    return identityOf(path);
  } catch {
    return null;
  }
}

/** Throws E_CLI_USAGE when a file is to be read and written, or written twice. */
export function refuseOverwriting(command: Command): void {
  const { reads, writes } = filesOf(command);
  const usage = (what: string): TracerError => new TracerError('E_CLI_USAGE', { what, command: command.name() });
  const read = new Set(reads.map(knownIdentity));
  const written = new Set<string>();
  for (const path of writes) {
    const identity = knownIdentity(path);
    if (identity === null) continue;
    if (read.has(identity)) throw usage(`${path} is to be read and written`);
    if (written.has(identity)) throw usage(`${path} is to be written twice`);
    written.add(identity);
  }
}
