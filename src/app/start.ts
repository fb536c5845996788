// Second door of the app room, for what has to be quick: what every command needs before it begins, and the list of processes.
// Nothing here may load the engine, a sink's library or the addon.

export { bytes, counted, exact } from '../sinks/text.ts';
export { makeFilesPrivate } from './private-umask.ts';
export { listProcesses, type PsList, type PsOptions, type PsRow } from './ps.ts';
export { safeJson, safeText } from './safe-text.ts';
export { toolVersion } from './version.ts';
