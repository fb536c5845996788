// Findings of large files, kept on disk by build-id, so that a browser is searched once per build. "Nothing found" is kept,
// too. One JSON file per build; written beside and renamed, so that two tracers at once, or a crash, leave a whole file or
// none. What cannot be read, has another version, another shape, or does not agree with the program's bytes is ignored and
// made anew; a cache that cannot be written only costs time.
//
// The directory belongs to the invoking user, also when the tracer runs as root: the files get that owner, and
// are created without following links.

import { createHash, randomBytes } from 'node:crypto';
import { chownSync, closeSync, constants, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { failFromError, readBounded } from '../proc/attempt.ts';
import type { ElfImage } from './elf.ts';
import { areFinal, type FileFindings, isFileFindings } from './findings.ts';

/** Raised whenever the same file may give other findings than before. */
export const FINDINGS_VERSION = 7;

/** Smaller files are searched faster than a cache would pay for in files. */
const MIN_FILE_BYTES = 8 * 1024 * 1024;

/** A file's findings are some 2 KiB. */
const MAX_ENTRY_BYTES = 256 * 1024;

/** Bytes of each hooked function that must be the same again: its first instructions. */
const PROOF_BYTES = 16;

/** Code hashed of a program without build-id: 64 KiB at both ends. */
const HASHED_BYTES = 64 * 1024;

export interface CacheOptions {
  /** E.g. `~/.cache/tracer/discovery` of the invoking user; made when missing. */
  readonly directory: string;
  /** Who owns what is written; absent: the process itself. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

export interface FindingsCache {
  readonly get: (elf: ElfImage) => FileFindings | undefined;
  readonly put: (elf: ElfImage, findings: FileFindings) => void;
}

export function openFindingsCache(options: CacheOptions): FindingsCache {
  const pathOf = (elf: ElfImage): string => join(options.directory, `${keyOf(elf)}.json`);
  const isWorth = (elf: ElfImage): boolean => elf.reader.source.sizeBytes >= MIN_FILE_BYTES;
  return {
    get: (elf) => (isWorth(elf) ? readEntry(pathOf(elf), elf) : undefined),
    put: (elf, findings) => {
      if (isWorth(elf) && areFinal(findings)) writeEntry(pathOf(elf), { findings, ...proofOf(elf, findings) }, options);
    },
  };
}

/** A build-id alone is not enough: tools that append data or strip keep it and may move the segments. */
function keyOf(elf: ElfImage): string {
  const code = elf.segments.find((s) => s.isCode);
  const hash = createHash('sha256').update(`${FINDINGS_VERSION} ${elf.machine} ${elf.buildId ?? ''}`);
  if (code !== undefined) {
    hash.update(` ${code.offset} ${code.address} ${code.fileBytes}`);
    if (elf.buildId === undefined) {
      const size = Math.min(HASHED_BYTES, code.fileBytes);
      for (const at of [code.offset, code.offset + code.fileBytes - size]) {
        hash.update(elf.reader.bytes(at, size) ?? '');
      }
    }
  }
  return hash.digest('hex').slice(0, 40);
}

interface Entry {
  readonly version: number;
  readonly findings: FileFindings;
  /** Hex of the first bytes of each hooked function, in order. */
  readonly proof: readonly string[];
}

const proofOf = (elf: ElfImage, { findings }: FileFindings): Pick<Entry, 'version' | 'proof'> => ({
  version: FINDINGS_VERSION,
  proof: findings
    .flatMap((f) => f.hooks)
    .map((hook) => Buffer.from(elf.reader.bytes(hook.fileOffset, PROOF_BYTES) ?? []).toString('hex')),
});

function readEntry(path: string, elf: ElfImage): FileFindings | undefined {
  const bytes = readBounded(path, MAX_ENTRY_BYTES);
  const entry = bytes.ok ? parseJson(bytes.value.toString('utf8')) : undefined;
  if (typeof entry !== 'object' || entry === null || !('findings' in entry) || !isFileFindings(entry.findings)) {
    return undefined;
  }
  const expected = JSON.stringify({ findings: entry.findings, ...proofOf(elf, entry.findings) });
  return JSON.stringify(entry) === expected ? entry.findings : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Damaged: made anew.
    return undefined;
  }
}

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

function writeEntry(path: string, entry: Entry, { directory, owner }: CacheOptions): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    if (mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY }) !== undefined && owner !== undefined) {
      chownSync(directory, owner.uid, owner.gid);
    }
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const fd = openSync(temporary, flags, PRIVATE_FILE);
    try {
      writeSync(fd, JSON.stringify(entry));
    } finally {
      closeSync(fd);
    }
    if (owner !== undefined) chownSync(temporary, owner.uid, owner.gid);
    renameSync(temporary, path);
  } catch (error) {
    // A full disk or a missing right only means that the next run searches again.
    failFromError(error, path);
    removeQuietly(temporary);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    failFromError(error, path);
  }
}
