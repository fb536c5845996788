// Door of the capture room: live capture, replay, and what is known of processes.
export type { CacheOptions } from './discover/cache.ts';
export { discoverProcess, type KnownFiles, type ProcessDiscovery } from './discover/process.ts';
export { openCallersCache } from './live/callers-cache.ts';
export { type Check, requireChecks, runChecks } from './live/checks.ts';
export { kernelFeatures } from './live/kernel-features.ts';
export { LiveSource, type LiveStats } from './live/live-source.ts';
export { packageFile } from './live/parts.ts';
export { type PlaceFact, placeFacts } from './live/place-facts.ts';
export { findProgram } from './live/program-files.ts';
export { type ResetOutcome, resetConnections } from './live/reset-connections.ts';
export { keepOnly, type NewOwner } from './live/rights.ts';
export { productOf, type RunningClient, runningClients } from './proc/clients.ts';
export { isLeftOver } from './proc/roles.ts';
export { selectProcesses } from './proc/selection.ts';
export { readTcpSockets } from './proc/sockets.ts';
export { listPids, readChildren, treeOf } from './proc/tree.ts';
export { openReplay, type ReplayEnding, type ReplaySource } from './replay/replay-source.ts';
export type { CaptureSource, RecordSink } from './source.ts';
