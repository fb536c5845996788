// From what the user asked for to process ids, or the error that says why there are none.

import { type RunningClient, runningClients, selectProcesses } from '../capture/index.ts';
import { TracerError } from '../errors.ts';

/** As on the command line: processes by number, by name, by program file, or all. */
export interface Selection {
  readonly pids: readonly number[];
  readonly name?: string | undefined;
  readonly exe?: string | undefined;
  /** Every process of this machine. */
  readonly all: boolean;
  /** The order to take all, given a second time. */
  readonly isAllConfirmed: boolean;
  readonly withChildren: boolean;
}

/** Asks the user which of several; null when nobody can be asked. */
export type Ask = ((clients: readonly RunningClient[]) => Promise<RunningClient | undefined>) | null;

const describe = ({ product, pid }: RunningClient): string => `${product} (--pid ${pid})`;

/** Process ids to attach to; at least one. Throws when there are none, or the order is not clear. */
export async function chooseTargets(selection: Selection, ask: Ask): Promise<readonly number[]> {
  const { pids, name, exe, all, withChildren } = selection;
  if (all) requireConfirmation(selection);
  if (pids.length > 0) return [...new Set(pids)];
  if (name === undefined && exe === undefined && !all) return [(await chooseClient(ask)).pid];
  const condition = { ...(name !== undefined && { name }), ...(exe !== undefined && { exe }) };
  const found = selectProcesses(condition, withChildren);
  if (found.length > 0) return found;
  throw new TracerError('E_TARGET_NO_MATCH', { what: name === undefined ? `--exe ${exe}` : `--name ${name}` });
}

function requireConfirmation({ isAllConfirmed }: Selection): void {
  if (isAllConfirmed) return;
  const what = '--all traces every process of this machine, other users’ too: add --yes-all if that is what you want';
  throw new TracerError('E_CLI_USAGE', { what, command: 'attach' });
}

async function chooseClient(ask: Ask): Promise<RunningClient> {
  const clients = runningClients();
  if (clients.length === 0) throw new TracerError('E_TARGET_NO_CLIENT');
  const chosen = ask === null ? undefined : await ask(clients);
  if (chosen !== undefined) return chosen;
  throw new TracerError('E_TARGET_CHOOSE', { clients: clients.map(describe).join(', ') });
}
