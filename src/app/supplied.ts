// Opens what a person adds to discovery on the command line: symbol files, and offsets of functions. Done before anything is
// attached, so that a mistake ends in one line.

import {
  findProgram,
  type OffsetsInFile,
  openOffsets,
  openSupplied,
  openSymbolFile,
  type Supplied,
  type SuppliedOffset,
} from '../capture/index.ts';
import { TracerError } from '../errors.ts';

export interface GivenOffset extends SuppliedOffset {
  /** Path of the file; undefined: the programs of the targets. */
  readonly file: string | undefined;
}

export interface SuppliedSettings {
  readonly symbolFiles: readonly string[];
  readonly offsets: readonly GivenOffset[];
}

export interface TargetPrograms {
  readonly pids: readonly number[];
  readonly programs: readonly string[];
}

export function readSupplied({ symbolFiles, offsets }: SuppliedSettings, targets: TargetPrograms): Supplied {
  const files = symbolFiles.map((path) => {
    const file = openSymbolFile(path);
    if (!file.ok) throw new TracerError('E_TARGET_SYMBOLS', { path, reason: file.detail });
    return file.value;
  });
  return openSupplied(files, offsetsByFile(offsets, programsOf(targets)));
}

/** The program to be started, else those that run. */
function programsOf({ pids, programs }: TargetPrograms): readonly string[] {
  const [program] = programs;
  if (program === undefined) return pids.map((pid) => `/proc/${pid}/exe`);
  return [findProgram(program, process.env['PATH'] ?? '') ?? program];
}

function offsetsByFile(offsets: readonly GivenOffset[], programs: readonly string[]): readonly OffsetsInFile[] {
  const byFile = new Map<string, SuppliedOffset[]>();
  for (const { file, ...offset } of offsets) {
    for (const path of file === undefined ? programs : [file]) byFile.set(path, [...(byFile.get(path) ?? []), offset]);
  }
  return [...byFile].map(([path, all]) => {
    const found = openOffsets(path, all);
    if (!found.ok) throw new TracerError('E_TARGET_OFFSET', { path, reason: found.detail });
    return found.value;
  });
}
