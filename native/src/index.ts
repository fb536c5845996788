// The package's door: libbpf for Node.js. See README.md for threads, ownership and what may be called when.
export type { Batch } from './batch.ts';
export { CAPABILITIES, type Capability } from './capabilities.ts';
export { BpfError } from './error.ts';
export { type Feature, type Features, features } from './features.ts';
export { closeLinks, type Link } from './link.ts';
export { type BpfMap, MAP_FLAG, type MapInfo } from './map.ts';
export { BpfObject, type OpenOptions } from './object.ts';
export { type DropPrivilegesSpec, dropPrivileges, type ThreadCredentials, threadCredentials } from './privileges.ts';
export { ATTACH_TYPE, type Program, type ProgramStats, type UprobeMultiSpec, type UprobeSpec } from './program.ts';
export { RingBuffer, type RingBufferOptions, type RingBufferStats } from './ring-buffer.ts';
export { destroySockets, isDestroyUnsupported } from './sockets.ts';
export { enableStats } from './stats.ts';
