// `--reset-connections`: has the targets connect anew, and says what came of it.

import { type LiveSource, resetConnections } from '../capture/index.ts';
import type { Log } from './types.ts';

/** With the rights of root, after the probes are in place: no byte of the new connections is missed. */
export function resetOpenConnections(source: LiveSource, log: Log): void {
  const { closed, problem } = resetConnections(source.targets());
  const connections = closed === 1 ? '1 open connection' : `${closed} open connections`;
  log.info(`closed ${connections} of the targets: new ones are seen from their first byte`);
  if (problem !== null) log.warn(`not all open connections could be closed: ${problem}; those stay joined late`);
}
