// From a pid to the TLS libraries in it: every executable mapping counts, not only the program itself, and each file is
// looked into once, however many processes map it.
//
// Files are read and later attached through /proc/PID, never by the path that maps shows: /proc/PID/exe and
// /proc/PID/map_files lead to the very inode that the process runs, also when it was deleted, replaced by an update, or
// lives in another mount namespace; /proc/PID/root/… resolves in that namespace and is checked against the inode.

import { statSync } from 'node:fs';
import { type Attempt, failFromError, succeed } from '../proc/attempt.ts';
import { type MappedFile, readMappedFiles } from '../proc/maps.ts';
import { type ProcessFacts, readProcess } from '../proc/process-facts.ts';
import { type ProcessRole, roleOf } from '../proc/roles.ts';
import { inspectImage } from '../targets/table.ts';
import type { FileIdentity, TlsFinding } from '../targets/target.ts';
import type { FindingsCache } from './cache.ts';
import type { FileFindings } from './findings.ts';
import { readImage } from './image.ts';
import { type FileSource, openFileSource } from './source.ts';

/** A TLS library in a file that a process maps. */
export interface TlsImage extends TlsFinding {
  readonly file: FileIdentity;
  /** As the process's own mount namespace shows it: for people. */
  readonly path: string;
  /** Opens exactly this file while the process lives: for attaching. */
  readonly attachPath: string;
}

export interface ProcessDiscovery {
  readonly process: ProcessFacts;
  readonly role: ProcessRole;
  /** Libraries with hooks. */
  readonly images: readonly TlsImage[];
  /** Libraries that were recognised but cannot be hooked, with the reason. */
  readonly unsupported: readonly TlsImage[];
  /** Mapped files that could not be looked into: `path: why`. */
  readonly unread: readonly string[];
}

/** Findings of the files met so far in this run, by `dev/inode`. */
export type KnownFiles = Map<string, FileFindings>;

export interface DiscoverOptions {
  /** Share one map between calls, so that a file mapped by many processes is looked into once. */
  readonly known?: KnownFiles;
  /** Findings of earlier runs. */
  readonly cache?: FindingsCache;
  readonly parentRole?: ProcessRole;
}

export function discoverProcess(pid: number, options: DiscoverOptions = {}): Attempt<ProcessDiscovery> {
  const process = readProcess(pid);
  if (!process.ok) return process;
  const files = readMappedFiles(pid);
  if (!files.ok) return files;
  const images: TlsImage[] = [];
  const unread: string[] = [];
  for (const file of files.value) {
    const found = inspectMappedFile(pid, file, options);
    if (found.ok) images.push(...found.value);
    else unread.push(`${file.path}: ${found.detail}`);
  }
  return succeed({
    process: process.value,
    role: roleOf(process.value, options.parentRole),
    images: images.filter((image) => image.hooks.length > 0),
    unsupported: images.filter((image) => image.hooks.length === 0),
    unread,
  });
}

function inspectMappedFile(pid: number, file: MappedFile, options: DiscoverOptions): Attempt<TlsImage[]> {
  const known = options.known ?? new Map<string, FileFindings>();
  const key = `${file.dev}/${file.inode}`;
  const attachPath = attachPathOf(pid, file);
  let findings = known.get(key);
  if (findings === undefined) {
    const source = openFileSource(attachPath);
    if (!source.ok) return source;
    findings = findingsOf(source.value, options.cache);
    source.value.close();
    known.set(key, findings);
  }
  const { buildId } = findings;
  const identity = { dev: file.dev, inode: file.inode, ...(buildId !== undefined && { buildId }) };
  return succeed(findings.findings.map((finding) => ({ ...finding, file: identity, path: file.path, attachPath })));
}

/** TLS libraries in one file; from the cache where it has the very same build. */
export function findingsOf(source: FileSource, cache: FindingsCache | undefined): FileFindings {
  const answer = readImage(source);
  if (!answer.ok) return { findings: [] };
  const { elf } = answer.image;
  const kept = cache?.get(elf);
  if (kept !== undefined) return kept;
  const findings = {
    ...(elf.buildId !== undefined && { buildId: elf.buildId }),
    findings: inspectImage(answer.image),
  };
  cache?.put(elf, findings);
  return findings;
}

/** The way to the inode: by name where the name still leads to it, because that stays valid however the process's mappings
 * change; else by the mapping. map_files needs CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN. */
function attachPathOf(pid: number, file: MappedFile): string {
  const exe = `/proc/${pid}/exe`;
  if (inodeOf(exe) === file.inode) return exe;
  const byName = `/proc/${pid}/root${file.path}`;
  return !file.isDeleted && inodeOf(byName) === file.inode ? byName : `/proc/${pid}/map_files/${file.range}`;
}

function inodeOf(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch (error) {
    failFromError(error, path);
    return undefined;
  }
}
