// `tracer attach`: a live session over processes that run already.

import { existsSync } from 'node:fs';
import { TracerError } from '../errors.ts';
import { chooseIdentity } from './identity.ts';
import { runLive } from './live.ts';
import type { CaptureSettings, SessionResult } from './types.ts';

export interface AttachSettings extends CaptureSettings {
  readonly pids: readonly number[];
  /** Attach even when no TLS library is loaded yet. */
  readonly wait: boolean;
  /** Close what the targets have open, so that their connections are seen from the first byte. */
  readonly resetConnections: boolean;
}

export async function attach(settings: AttachSettings): Promise<SessionResult> {
  // From here on a target that is missing is one that has ended meanwhile.
  for (const pid of settings.pids)
    if (!existsSync(`/proc/${pid}`)) throw new TracerError('E_TARGET_NO_SUCH_PID', { pid });
  const [targetPid] = settings.pids;
  const identity = chooseIdentity({ user: settings.user, targetPid }, process.env, settings.command);
  const { pids, wait, resetConnections } = settings;
  const targets = { pids, wait, resetConnections, programs: [], onAttached: () => {} };
  return runLive(settings, targets, identity);
}
