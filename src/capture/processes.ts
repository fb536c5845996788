// Second door of the capture room: what is known of processes, without the addon and without recordings.

export { discoverProcess, type KnownFiles, type ProcessDiscovery } from './discover/process.ts';
export { Refusals } from './discover/refusals.ts';
export { openCallersCache } from './live/callers-cache.ts';
export { packageFile } from './live/parts.ts';
export { productOf } from './proc/clients.ts';
export { isLeftOver } from './proc/roles.ts';
export { readTcpSockets } from './proc/sockets.ts';
export { listPids, readChildren } from './proc/tree.ts';
