// What a person adds to discovery: symbol files, and offsets of functions in a file. Both are asked before anything is
// searched or taken from the cache, and nothing that rests on them is kept for later runs.

import { type Attempt, fail, succeed } from '../../proc/attempt.ts';
import { inspectOffsets, type SuppliedOffset } from '../../targets/by-offset.ts';
import { inspectImage } from '../../targets/table.ts';
import type { FindingsCache } from '../cache.ts';
import type { ElfImage } from '../elf.ts';
import type { FileFindings } from '../findings.ts';
import { readImage } from '../image.ts';
import { openFileSource } from '../source.ts';
import { isOfBuild, type SymbolFile } from './symbol-file.ts';

/** Offsets in one file, which every process that maps it shares. */
export interface OffsetsInFile {
  readonly dev: number;
  readonly inode: number;
  readonly findings: FileFindings;
}

export interface Supplied {
  readonly symbolFiles: readonly SymbolFile[];
  readonly offsets: readonly OffsetsInFile[];
  /** Paths of symbol files of which no looked-into file was the program. */
  readonly unused: Set<string>;
}

export function openSupplied(symbolFiles: readonly SymbolFile[], offsets: readonly OffsetsInFile[]): Supplied {
  return { symbolFiles, offsets, unused: new Set(symbolFiles.map((file) => file.path)) };
}

/** Checks the offsets against the file. */
export function openOffsets(path: string, offsets: readonly SuppliedOffset[]): Attempt<OffsetsInFile> {
  const source = openFileSource(path);
  if (!source.ok) return source;
  try {
    const answer = readImage(source.value);
    if (!answer.ok) return fail('broken', answer.why);
    const found = inspectOffsets(answer.image, offsets);
    if (!found.ok) return fail('broken', found.why);
    const { dev, inode } = source.value;
    const { buildId } = answer.image.elf;
    return succeed({ dev, inode, findings: { ...(buildId !== undefined && { buildId }), findings: [found.finding] } });
  } finally {
    source.value.close();
  }
}

/** A cache that answers with what was supplied first. */
export function withSupplied(cache: FindingsCache | undefined, supplied: Supplied): FindingsCache {
  return {
    get: (elf) => suppliedFindings(supplied, elf) ?? cache?.get(elf),
    put: (elf, findings) => {
      const isOwn =
        supplied.symbolFiles.some((file) => isOfBuild(file, elf)) || offsetsFor(supplied, elf) !== undefined;
      if (!isOwn) cache?.put(elf, findings);
    },
  };
}

const offsetsFor = ({ offsets }: Supplied, { reader: { source } }: ElfImage): OffsetsInFile | undefined =>
  offsets.find((file) => file.inode === source.inode && file.dev === source.dev);

function suppliedFindings(supplied: Supplied, elf: ElfImage): FileFindings | undefined {
  const byOffset = offsetsFor(supplied, elf);
  if (byOffset !== undefined) return byOffset.findings;
  const file = supplied.symbolFiles.find((one) => isOfBuild(one, elf));
  const answer = file && readImage(elf.reader.source);
  if (file === undefined || !answer?.ok) return undefined;
  supplied.unused.delete(file.path);
  const findings = inspectImage(answer.image, () => ({ lookup: file.lookupFor(elf), refused: [], close: () => {} }));
  return { ...(elf.buildId !== undefined && { buildId: elf.buildId }), findings };
}
