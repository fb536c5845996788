// What a command must not write over, asked once, for every command, before anything is opened. Never what it reads: opening
// the output would empty the recording before it was read. And no file that has content, unless the user says so: a
// recording cannot be made a second time.

import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { exportFormats, partPath } from '../app/index.ts';
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

/** What `look` finds; null when the path cannot be looked at: opening it will say why. */
function known<T>(path: string, look: (path: string) => T): T | null {
  try {
    return look(path);
  } catch {
    return null;
  }
}

/** Gives `--overwrite` to each command that writes a file of the user's choice. */
export function addOverwriteOption(command: Command): void {
  const isWriting = command.options.some((option) => WRITE_OPTIONS.includes(option.attributeName()));
  if (isWriting || WRITES_LAST.has(command.name()))
    command.option('--overwrite', 'write over files that exist (default: refuse)');
}

const hasContent = (path: string): boolean => {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true && facts.size > 0;
};

/** A rotated recording has more files than were named: one is enough to know of an earlier session. */
function refuseExisting(command: Command, paths: readonly string[]): void {
  const { overwrite, record, rotate } = command.opts<Record<string, unknown>>();
  if (overwrite === true) return;
  const parts = typeof record === 'string' && rotate !== undefined ? [partPath(record, 2)] : [];
  for (const path of [...paths, ...parts])
    if (known(path, hasContent) === true) throw new TracerError('E_FILE_EXISTS', { path });
}

/** Throws E_CLI_USAGE when a file is to be read and written, or written twice; E_FILE_EXISTS when one is there. */
export function refuseOverwriting(command: Command): void {
  const { reads, writes } = filesOf(command);
  const usage = (what: string): TracerError => new TracerError('E_CLI_USAGE', { what, command: command.name() });
  const read = new Set(reads.map((path) => known(path, identityOf)));
  const written = new Set<string>();
  for (const path of writes) {
    const identity = known(path, identityOf);
    if (identity === null) continue;
    if (read.has(identity)) throw usage(`${path} is to be read and written`);
    if (written.has(identity)) throw usage(`${path} is to be written twice`);
    written.add(identity);
  }
  refuseExisting(command, writes);
}
