// Finds and loads the addon, and names its functions. Nothing else in this package touches the .node file.
//
// Handles are opaque externals, tagged by kind on the native side. Every function returns its result or a `Failure`;
// none throws (see error.ts).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { BpfError } from './error.ts';
import type { Failure } from './failure.ts';

declare const kind: unique symbol;
interface Handle<Kind extends string> {
  readonly [kind]: Kind;
}
export type ObjectHandle = Handle<'object'>;
export type ProgramHandle = Handle<'program'>;
export type MapHandle = Handle<'map'>;
export type LinkHandle = Handle<'link'>;
export type RingHandle = Handle<'ring'>;
export type Result<T> = T | Failure;

export interface NativeMapInfo {
  type: number;
  keySize: number;
  valueSize: number;
  maxEntries: number;
  cpuCount: number;
  valueBytes: number;
}

export interface NativeRingStats {
  records: number;
  bytes: number;
  discarded: number;
  batches: number;
  stalls: number;
  highWaterBytes: number;
  backlogBytes: number;
  backlogPeakBytes: number;
  sizeBytes: number;
}

export interface NativeProgramStats {
  id: number;
  verifiedInstructions: number;
  runCount: bigint;
  runTimeNs: bigint;
  recursionMisses: bigint;
}

/** 0 = a batch, 1 = everything before the flush with this token was posted, 2 = the ring's thread has ended. */
export type RingMessage = (kind: 0 | 1 | 2, buffer: ArrayBuffer | undefined, records: number, token: number) => void;

export interface Binding {
  objectOpen(source: string | Uint8Array, name: string): Result<ObjectHandle>;
  objectLoad(object: ObjectHandle): Result<undefined>;
  objectClose(object: ObjectHandle): Result<undefined>;
  objectPrograms(object: ObjectHandle): Result<{ name: string; section: string; handle: ProgramHandle }[]>;
  objectMaps(object: ObjectHandle): Result<{ name: string; handle: MapHandle }[]>;
  objectVariableSize(object: ObjectHandle, name: string): Result<number>;
  objectSetVariable(object: ObjectHandle, name: string, value: Uint8Array): Result<undefined>;
  programSetAutoload(program: ProgramHandle, shouldLoad: boolean): Result<undefined>;
  programSetAttachType(program: ProgramHandle, type: number): Result<undefined>;
  programAttachUprobe(
    program: ProgramHandle,
    path: string,
    offset: number | bigint,
    symbol: string,
    pid: number,
    isReturn: boolean,
    cookie: bigint,
  ): Result<LinkHandle>;
  programAttachUprobeMulti(
    program: ProgramHandle,
    path: string,
    offsets: readonly (number | bigint)[],
    cookies: readonly bigint[],
    pid: number,
    isReturn: boolean,
  ): Result<LinkHandle>;
  programAttachRawTracepoint(program: ProgramHandle, name: string): Result<LinkHandle>;
  programAttachTracepoint(program: ProgramHandle, category: string, name: string): Result<LinkHandle>;
  programStats(program: ProgramHandle): Result<NativeProgramStats>;
  enableStats(): Result<LinkHandle>;
  linksClose(links: readonly LinkHandle[]): Result<undefined>;
  linksCloseAsync(links: readonly LinkHandle[], done: () => void): Result<undefined>;
  mapSetMaxEntries(map: MapHandle, maxEntries: number): Result<undefined>;
  mapReuse(map: MapHandle, donor: MapHandle): Result<undefined>;
  mapInfo(map: MapHandle): Result<NativeMapInfo>;
  mapGet(map: MapHandle, key: Uint8Array): Result<Uint8Array | undefined>;
  mapSet(map: MapHandle, key: Uint8Array, value: Uint8Array, flags: number): Result<undefined>;
  mapDelete(map: MapHandle, key: Uint8Array): Result<boolean>;
  mapNextKey(map: MapHandle, key: Uint8Array | undefined): Result<Uint8Array | undefined>;
  ringOpen(
    map: MapHandle,
    pollMs: number,
    batchBytes: number,
    maxPendingBatches: number,
    backlogBytes: number,
    isRealTime: boolean,
    onMessage: RingMessage,
  ): Result<RingHandle>;
  ringFlush(ring: RingHandle, token: number): Result<undefined>;
  ringStop(ring: RingHandle): Result<undefined>;
  ringAcknowledge(ring: RingHandle): Result<undefined>;
  ringStats(ring: RingHandle): Result<NativeRingStats>;
  probeFeature(name: string): Result<undefined>;
  dropPrivileges(uid: number, gid: number, groups: readonly number[], keep: bigint): Result<undefined>;
  destroySockets(inodes: readonly number[], namespacePath: string): Result<number>;
  bufferDetach(buffer: ArrayBufferLike): Result<undefined>;
}

const NAPI_VERSION = 8;

// Compiled, this file is build/js/binding.js and the addon lies one folder up; run from source (tests), it is src/binding.ts
// and the addon lies in the sibling build/.
const CANDIDATES = ['../ebpf.node', '../build/ebpf.node'] as const;

const unavailable = (code: string, detail: string, hint: string): BpfError =>
  new BpfError({ errno: 0, code, operation: 'load addon', detail }, hint);

const locate = (): string => {
  const paths = CANDIDATES.map((relative) => fileURLToPath(new URL(relative, import.meta.url)));
  const found = paths.find((path) => existsSync(path));
  if (found) return found;
  throw unavailable('ENOENT', `ebpf.node is in none of: ${paths.join(', ')}`, 'Build it with `make -C native`.');
};

const load = (): Binding => {
  const { napi = '0' } = process.versions;
  if (Number(napi) < NAPI_VERSION) {
    throw unavailable('ENOSYS', `Node-API ${NAPI_VERSION} is needed`, 'Use Node.js 20 or later.');
  }
  const path = locate();
  try {
    return createRequire(import.meta.url)(path) as Binding;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw unavailable('ENOEXEC', why, 'Install libbpf 1.1 or later (libbpf1) and rebuild with `make -C native`.');
  }
};

let loaded: Binding | null = null;

/**
 * The addon, loaded when the first of its functions is asked for: a program that imports this package and traces nothing
 * needs neither the addon nor libbpf, nor the right to load native code.
 */
export const binding: Binding = new Proxy({} as Binding, {
  get(_, name) {
    loaded ??= load();
    return Reflect.get(loaded, name);
  },
});
