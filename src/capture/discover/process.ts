// From a pid to the TLS libraries in it: every executable mapping counts, not only the program itself, and each file is
// looked into once, however many processes map it.
//
// Files are read and later attached through /proc/PID, never by the path that maps shows: /proc/PID/exe and
// /proc/PID/map_files lead to the very inode that the process runs, also when it was deleted, replaced by an update, or
// lives in another mount namespace; /proc/PID/root/… resolves in that namespace and is checked against the inode.

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Attempt, fail, failFromError, succeed } from '../proc/attempt.ts';
import { type MappedFile, readMappedFiles } from '../proc/maps.ts';
import { type ProcessFacts, readProcess } from '../proc/process-facts.ts';
import { type ProcessRole, roleOf } from '../proc/roles.ts';
import { inspectImage } from '../targets/table.ts';
import type { FileIdentity, TlsFinding } from '../targets/target.ts';
import { inspectAsMounter } from './as-mounter.ts';
import type { FindingsCache } from './cache.ts';
import type { FileFindings } from './findings.ts';
import { readImage } from './image.ts';
import type { Refusals } from './refusals.ts';
import { type FileSource, openFileSource } from './source.ts';
import { localDebugSymbols } from './supplied/debug-files.ts';

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
  /** Share one between calls, so that files which refuse are not asked for at every look. */
  readonly refusals?: Refusals;
  readonly parentRole?: ProcessRole;
  /** Looks into a file met for the first time, instead of doing so at once; undefined: not known yet, ask again later. */
  readonly inspect?: (source: FileSource, path: string, file: MappedFile) => FileFindings | undefined;
  /** True for a file that is not even to be opened this time: its findings are not known yet. */
  readonly isPutOff?: (file: MappedFile) => boolean;
  /** Called for each library with hooks as soon as it is found: what is hooked first misses least. */
  readonly onImage?: (image: TlsImage) => void;
}

/** Names of files in which a TLS library is likely: looked into first. */
const LIKELY = /ssl|tls|\.node$/i;

const likelyFirst = (files: readonly MappedFile[], exe: string): readonly MappedFile[] => {
  const isLikely = (file: MappedFile): boolean => file.path === exe || LIKELY.test(basename(file.path));
  return [...files.filter(isLikely), ...files.filter((file) => !isLikely(file))];
};

export function discoverProcess(pid: number, options: DiscoverOptions = {}): Attempt<ProcessDiscovery> {
  const process = readProcess(pid);
  if (!process.ok) return process;
  const files = readMappedFiles(pid);
  if (!files.ok) return files;
  const images: TlsImage[] = [];
  const unread: string[] = [];
  for (const file of likelyFirst(files.value, process.value.exe)) {
    const found = inspectMappedFile(pid, file, process.value.exe, options);
    if (!found.ok) {
      unread.push(`${file.path}: ${found.detail}`);
      continue;
    }
    images.push(...found.value);
    for (const image of found.value) if (image.hooks.length > 0) options.onImage?.(image);
  }
  return succeed({
    process: process.value,
    role: roleOf(process.value, options.parentRole),
    images: images.filter((image) => image.hooks.length > 0),
    unsupported: images.filter((image) => image.hooks.length === 0),
    unread,
  });
}

function inspectMappedFile(
  pid: number,
  file: MappedFile,
  exe: string,
  options: DiscoverOptions,
): Attempt<readonly TlsImage[]> {
  const known = options.known?.get(`${file.dev}/${file.inode}`);
  // Most files hold no TLS library: the way to them is not looked for again at every look.
  if (known?.findings.length === 0) return succeed([]);
  if (known === undefined && options.isPutOff?.(file) === true) return succeed([]);
  const attachPath = attachPathOf(pid, file, exe);
  const found = known === undefined ? lookIntoAnyhow(pid, file, attachPath, exe, options) : succeed(known);
  if (!found.ok) return found;
  const { buildId } = found.value;
  const identity = { dev: file.dev, inode: file.inode, ...(buildId !== undefined && { buildId }) };
  return succeed(found.value.findings.map((one) => ({ ...one, file: identity, path: file.path, attachPath })));
}

/** Root may not look into a FUSE mount of somebody else. */
function lookIntoAnyhow(
  pid: number,
  file: MappedFile,
  path: string,
  exe: string,
  options: DiscoverOptions,
): Attempt<FileFindings> {
  const found = lookInto(file, path, options);
  if (found.ok || found.why !== 'denied') return found;
  const standing = options.refusals?.standing(file);
  if (standing !== undefined) return fail('denied', standing);
  const other = inspectAsMounter(pid, file, exe);
  if (other === undefined) return found;
  if (!other.ok) options.refusals?.add(file, other.detail);
  else {
    options.refusals?.delete(file);
    options.known?.set(`${file.dev}/${file.inode}`, other.value);
  }
  return other;
}

function lookInto(file: MappedFile, path: string, options: DiscoverOptions): Attempt<FileFindings> {
  const source = openFileSource(path);
  if (!source.ok) return source;
  try {
    const { inspect } = options;
    const findings =
      inspect === undefined ? findingsOf(source.value, options.cache) : inspect(source.value, path, file);
    if (findings === undefined) return succeed({ findings: [] });
    options.known?.set(`${file.dev}/${file.inode}`, findings);
    return succeed(findings);
  } finally {
    source.value.close();
  }
}

/** TLS libraries in one file; from the cache where it has the very same build. */
export function findingsOf(source: FileSource, cache: FindingsCache | undefined): FileFindings {
  const answer = readImage(source);
  if (!answer.ok) return { findings: [] };
  const kept = cache?.get(answer.image.elf);
  if (kept !== undefined) return kept;
  const { buildId } = answer.image.elf;
  const findings = {
    ...(buildId !== undefined && { buildId }),
    findings: inspectImage(answer.image, () => localDebugSymbols(answer.image.elf)),
  };
  cache?.put(answer.image.elf, findings);
  return findings;
}

/** What an earlier run found in the very same build. Quick: reads headers. */
export function keptFindings(source: FileSource, cache: FindingsCache | undefined): FileFindings | undefined {
  const answer = cache === undefined ? undefined : readImage(source);
  return answer?.ok ? cache?.get(answer.image.elf) : undefined;
}

/** Keeps for later runs what was found in a file elsewhere. */
export function keepFindings(source: FileSource, findings: FileFindings, cache: FindingsCache | undefined): void {
  const answer = cache === undefined ? undefined : readImage(source);
  if (answer?.ok) cache?.put(answer.image.elf, findings);
}

/** The way to the inode: by name where the name still leads to it, because that stays valid however the process's mappings
 * change; else by the mapping. map_files needs CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN. Inode numbers repeat between file
 * systems, so the name must agree, too. */
function attachPathOf(pid: number, file: MappedFile, exe: string): string {
  const exeLink = `/proc/${pid}/exe`;
  if (file.path === exe && inodeOf(exeLink) === file.inode) return exeLink;
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
